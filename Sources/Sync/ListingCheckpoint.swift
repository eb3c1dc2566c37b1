import JSON
import Text

/// The place in a listing that a sync left before its end; the next sync continues there.
///
/// It is stored in place of the token of the collection, so that the local side need not know of it. The listed items are
/// stored here by then. What is missing is known only at the end of a listing, so what was named is remembered.
struct ListingCheckpoint: Hashable {
    /// The token that continues the listing.
    let token: String
    /// Whether the listing began with no token, so that an item which it does not name has been removed.
    private let isWhole: Bool
    /// The hrefs that it named: of a whole listing those of items that are there, else those of removed ones.
    private let hrefs: Set<ByteString>

    /// The place after `changes`, which ended early, and which continue the listing of `previous`; nil for a listing that
    /// has just begun.
    init?(_ changes: RemoteChanges, continuing previous: ListingCheckpoint?) {
        guard changes.isCut, let token = changes.token else { return nil }
        self.token = token
        isWhole = previous?.isWhole ?? changes.isComplete
        let named = Set(changes.entries.map { ByteString($0.href) })
        let removed = Set(changes.removed.map { ByteString($0) })
        let known = previous?.hrefs ?? []
        hrefs = isWhole ? known.subtracting(removed).union(named) : known.union(removed).subtracting(named)
    }

    /// Returns the whole listing or all changes, with `last` as its end. An item that was named before and not since is
    /// as it is linked or held here.
    func completed<ID>(by last: RemoteChanges, _ local: LocalListing<ID>) -> RemoteChanges {
        let named = Set(last.entries.map { ByteString($0.href) })
        let gone = last.removed.map { ByteString($0) }
        guard isWhole else {
            let removed = hrefs.union(gone).subtracting(named)
            return RemoteChanges(
                isComplete: false, entries: last.entries, removed: removed.sorted().map(\.repairedText),
                token: last.token)
        }
        let there = hrefs.subtracting(gone).subtracting(named)
        let linked = local.items.compactMap { item in
            item.link.map { RemoteEntry(href: $0.href, etag: item.unread ?? $0.etag) }
        }
        let known = (linked + local.held).filter { there.contains(ByteString($0.href)) }
        return RemoteChanges(isComplete: true, entries: last.entries + known, token: last.token)
    }
}

// MARK: The stored form

extension ListingCheckpoint {
    /// The first character, which no token can have: tokens come in XML, which cannot carry it.
    private static let mark: Character = "\u{1}"

    /// The stored form: JSON after a control character.
    var text: String {
        var json = JSONWriter()
        json.object { json in
            json.name("token")
            json.value(token)
            json.name(isWhole ? "listed" : "removed")
            json.array { json in for href in hrefs.sorted() { json.value(href.repairedText) } }
        }
        return String(Self.mark) + json.string
    }

    /// Reads the stored form; nil for a token of the server.
    init?(_ text: String) {
        guard text.first == Self.mark,
            let json = try? JSONReader.read(Array(text.utf8.dropFirst()), limits: .init(bytes: 1 << 30, depth: 3)),
            let token = json["token"]?.string, let list = (json["listed"] ?? json["removed"])?.array
        else { return nil }
        self.token = token
        isWhole = json["listed"] != nil
        hrefs = Set(list.compactMap(\.string).map { ByteString($0) })
    }
}
