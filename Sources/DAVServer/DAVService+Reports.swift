import Sync
import XML

extension DAVService {
    /// `REPORT` on a resource.
    func report(_ request: DAVRequest, _ resource: DAVResource) async throws -> DAVResponse {
        let root = try DAVBody.read(request.body)
        if root.name == DAVName.dav("expand-property"), resource.isCollection {
            return try await expandProperty(request, root, at: resource)
        }
        if let answer = try await searchPrincipals(request, root, at: resource) { return answer }
        guard case .collection(let collection) = resource else { throw DAVFailure(403, "<d:supported-report/>") }
        if root.name == DAVName.calendar("free-busy-query"), collection.kind != .addressBook {
            return try await freeBusy(root, of: collection)
        }
        switch try ReportRequest(root, on: collection.kind, zone: zone) {
        case .changes(let token, let limit, let properties):
            return try await changes(request, since: token, limit: limit, properties, of: collection)
        case .items(let hrefs, let properties):
            let writer = writer(properties, request)
            return multistatus(request) { write in
                for start in stride(from: 0, to: hrefs.count, by: Self.page) {
                    let part = hrefs[start..<min(hrefs.count, start + Self.page)]
                    try await write(try await multiget(Array(part), of: collection, writer))
                }
            }
        case .search(let filter, let limit, let properties):
            let writer = writer(properties, request)
            return multistatus(request) { write in
                try await search(filter, limit: limit, of: collection, writer, write)
            }
        }
    }

    /// The items at paths, which are answered as the client wrote them: it finds its own by their text.
    private func multiget(
        _ hrefs: [String], of collection: DAVCollection, _ writer: PropertyWriter
    ) async throws -> String {
        let start = collection.path.segments
        let names = hrefs.map { href -> String? in
            guard let path = DAVPath(href), path.segments.count == 3, Array(path.segments.prefix(2)) == start else {
                return nil
            }
            return path.segments[2]
        }
        let items = try await collection.items.items(named: names.compactMap(\.self))
        if writer.request.givesContent { try await device.noteServed(items, of: collection.href, words: []) }
        let byName = Dictionary(items.map { ($0.entry.name, $0) }, uniquingKeysWith: { first, _ in first })
        return zip(hrefs, names).map { href, name in
            guard let name, let item = byName[name] else { return Self.gone(href) }
            return writer.response(.item(collection, name: name), href: href, item: item)
        }.joined()
    }

    /// The answer for an item that is not there.
    private static func gone(_ href: String) -> String {
        "<d:response>\(DAVMarkup.href(href))\(DAVMarkup.status(404))</d:response>"
    }

    /// The answer that says that there is more (RFC 6578 §3.6).
    private static func truncated(_ collection: DAVCollection) -> String {
        "<d:response>\(DAVMarkup.href(collection.href))\(DAVMarkup.status(507))"
            + "<d:error><d:number-of-matches-within-limits/></d:error></d:response>"
    }

    /// What changed since a token. What changes while the answer is written is told next time.
    private func changes(
        _ request: DAVRequest, since token: String, limit: Int?, _ properties: PropertyRequest,
        of collection: DAVCollection
    ) async throws -> DAVResponse {
        let state = try await collection.items.state()
        let isFirst = token.isEmpty
        guard let since = isFirst ? 0 : SyncToken.number(token, in: state) else {
            // Thunderbird asks for all items again after 400 alone; with 403 its address book is stuck.
            throw DAVFailure(request.isThunderbird ? 400 : 403, "<d:valid-sync-token/>")
        }
        let writer = writer(properties, request)
        return multistatus(request) { write in
            var (last, left) = (since, limit ?? Int.max)
            var isTruncated = false
            while last < state.number {
                // One more than is told shows whether there are more.
                let page = properties.needsContent ? Self.page : Self.longPage
                let wanted = min(page, left == Int.max ? page : left + 1)
                let changes = try await collection.items.changes(after: last, upTo: state.number, limit: wanted)
                if changes.isEmpty { break }
                isTruncated = changes.count > left
                let told = Array(changes.prefix(left))
                left -= left == Int.max ? 0 : told.count
                last = told.last?.number ?? last
                try await write(try await responses(told, isFirst: isFirst, of: collection, writer))
                if isTruncated { break }
            }
            if isTruncated { try await write(Self.truncated(collection)) }
            let end = SyncToken(state, number: isTruncated ? last : state.number).text
            try await write("<d:sync-token>\(end)</d:sync-token>")
        }
    }

    /// The answers for changes; a client that has nothing yet is not told what is gone.
    private func responses(
        _ changes: [ServedChange], isFirst: Bool, of collection: DAVCollection, _ writer: PropertyWriter
    ) async throws -> String {
        let names = changes.filter { !$0.isGone }.map(\.name)
        let byName: [String: (entry: ServedEntry, item: ServedItem?)]
        if writer.request.needsContent {
            let items = try await collection.items.items(named: names)
            if writer.request.givesContent { try await device.noteServed(items, of: collection.href, words: []) }
            byName = Dictionary(items.map { ($0.entry.name, ($0.entry, $0)) }, uniquingKeysWith: { first, _ in first })
        } else {
            let entries = try await collection.items.entries(named: names)
            byName = Dictionary(entries.map { ($0.name, ($0, nil)) }, uniquingKeysWith: { first, _ in first })
        }
        return changes.compactMap { change in
            // One that went meanwhile is told as gone now, and again with its own number.
            guard !change.isGone, let found = byName[change.name] else {
                return isFirst ? nil : Self.gone(collection.href(of: change.name))
            }
            return writer.response(.item(collection, name: change.name), item: found.item, entry: found.entry)
        }.joined()
    }

    private func search(
        _ filter: ItemFilter, limit: Int?, of collection: DAVCollection, _ writer: PropertyWriter,
        _ write: (String) async throws -> Void
    ) async throws {
        var left = limit ?? Int.max
        var isTruncated = false
        try await eachPage(of: collection) { entries in
            if isTruncated { return }
            if case .all = filter, limit == nil {
                try await write(try await responses(entries, of: collection, writer))
                return
            }
            var found = try await collection.items.items(named: entries.map(\.name)).filter {
                filter.matches($0.content)
            }
            if found.count > left { (found, isTruncated) = (Array(found.prefix(left)), true) }
            left -= left == Int.max ? 0 : found.count
            if writer.request.givesContent { try await device.noteServed(found, of: collection.href, words: []) }
            try await write(
                found.map { writer.response(.item(collection, name: $0.entry.name), item: $0) }.joined())
        }
        if isTruncated { try await write(Self.truncated(collection)) }
    }
}
