import HTTPClient
package import Sync
import XML

extension DAVCollection {
    /// The maximum number of pages of one report; a server with more would send them endlessly.
    private static let mostPages = 2000
    /// The maximum number of items in a collection.
    private static let mostItems = 1_000_000

    /// The sync report, page by page (RFC 6578); for a server that has none, or does not answer it, the plain list.
    ///
    /// When the time for listings is over, it ends with the page that has come.
    package func changes(since token: String?) async throws(RemoteError) -> RemoteChanges {
        try await changes(since: token) { _ in }
    }

    /// The same; `onListed` is called with the number of items so far after each page but the last.
    package func changes(
        since token: String?, onListed: @Sendable (Int) -> Void
    ) async throws(RemoteError) -> RemoteChanges {
        var (listing, next) = (Listing(), token)
        var tokens: Set<String> = []
        while true {
            let response = try await session.call(
                DAVMethod.report, url, depth: 0, body: DAVBody.syncCollection(since: next))
            guard response.status == 207 else {
                let refusal = DAVRefusal(response)
                if token != nil, refusal.meansExpiredToken { throw .tokenExpired }
                if [404, 410].contains(refusal.status), token != nil { throw RemoteError(refusal) }
                return try await list()
            }
            let page = try Multistatus(response.body)
            let isCut = try add(page, to: &listing)
            guard isCut else { return try await changes(listing, isComplete: token == nil, token: page.syncToken) }
            guard let following = page.syncToken, tokens.insert(following).inserted,
                tokens.count <= DAVCollection.mostPages, page.items.contains(where: { $0.status != 507 }),
                listing.places.count <= DAVCollection.mostItems
            else { throw .malformed(reason: "the server's list of changes is endless") }
            if session.isListingOver {
                return try await changes(listing, isComplete: token == nil, token: following, isCut: true)
            }
            onListed(listing.places.count)
            next = following
        }
    }

    /// All items by their tags, in one answer (RFC 4918 §9.1).
    private func list() async throws(RemoteError) -> RemoteChanges {
        let body = DAVBody.propfind([DAVName.resourcetype, DAVName.d("getcontenttype"), DAVName.getetag])
        let answer = try await session.multistatus(DAVMethod.propfind, url, depth: 1, body: body).items
        var listing = Listing()
        for item in answer.items where mayBeItem(item) { try add(item, to: &listing) }
        return try await changes(listing, isComplete: true, token: nil)
    }

    /// Takes in one page; true when the server has cut it off and holds more.
    private func add(_ page: Multistatus, to listing: inout Listing) throws(RemoteError) -> Bool {
        var isCut = false
        for item in page.items {
            if item.status == 507 { isCut = true } else { try add(item, to: &listing) }
        }
        return isCut
    }

    private func add(_ item: Multistatus.Item, to listing: inout Listing) throws(RemoteError) {
        guard let href = try href(item.href), !item.hasType(DAVName.d("collection")) else { return }
        listing.add(
            href, key: key(href), item.isGone ? .removed : item.text(DAVName.getetag).map { .etag($0) } ?? .untagged)
    }

    /// The outcome, with an etag for every item: one that came without is fetched and named after its content.
    private func changes(
        _ listing: Listing, isComplete: Bool, token: String?, isCut: Bool = false
    ) async throws(RemoteError) -> RemoteChanges {
        var (entries, removed, untagged) = ([RemoteEntry](), [String](), [String]())
        for (href, state) in listing.places {
            switch state {
            case .etag(let etag): entries.append(RemoteEntry(href: href, etag: etag))
            case .removed: removed.append(href)
            case .untagged: untagged.append(href)
            }
        }
        for item in try await fetch(untagged) { entries.append(RemoteEntry(href: item.href, etag: item.etag)) }
        return RemoteChanges(
            isComplete: isComplete, entries: entries, removed: isComplete ? [] : removed, token: token, isCut: isCut)
    }

    /// Whether what a plain list names can be an item: a collection is none, nor what says it is of another type.
    private func mayBeItem(_ item: Multistatus.Item) -> Bool {
        guard !item.hasType(DAVName.d("collection")) else { return false }
        guard let type = item.text(DAVName.d("getcontenttype")) else { return true }
        return type.lowercased().contains(kind.typeWord) || item.href.lowercased().hasSuffix(kind.suffix)
    }
}

/// The items that a server names, each once: what is said last of an item counts.
private struct Listing {
    enum State {
        case etag(String), removed, untagged
    }

    private(set) var places: [(href: String, state: State)] = []
    private var indexes: [String: Int] = [:]

    mutating func add(_ href: String, key: String, _ state: State) {
        if let index = indexes[key] {
            places[index] = (href, state)
        } else {
            indexes[key] = places.count
            places.append((href, state))
        }
    }
}
