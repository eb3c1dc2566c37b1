import Testing

@testable import Sync

/// The place in a listing that is continued by the next sync.
struct ListingCheckpointTests {
    private static func entry(_ href: String, _ etag: String = "1") -> RemoteEntry {
        RemoteEntry(href: href, etag: etag)
    }

    private static func cut(_ entries: [RemoteEntry], removed: [String] = [], isComplete: Bool) -> RemoteChanges {
        RemoteChanges(isComplete: isComplete, entries: entries, removed: removed, token: "next", isCut: true)
    }

    private let local = LocalListing<Int>(
        items: [
            SyncItem(1, link: entry("/a", "a")), SyncItem(2, link: entry("/b", "b"), unread: "b2"),
            SyncItem(3, link: entry("/c", "c")), SyncItem(4),
        ], held: [entry("/d", "d"), entry("/e", "e")])

    @Test func `only a listing that ended early has a place, and it needs a token`() {
        #expect(ListingCheckpoint(RemoteChanges(isComplete: true, entries: [], token: "t"), continuing: nil) == nil)
        #expect(ListingCheckpoint(RemoteChanges(isComplete: true, entries: [], isCut: true), continuing: nil) == nil)
        #expect(ListingCheckpoint(Self.cut([], isComplete: true), continuing: nil)?.token == "next")
    }

    @Test func `a whole listing is that of all its parts, and what none of them names is gone`() throws {
        let first = try #require(
            ListingCheckpoint(Self.cut([Self.entry("/a"), Self.entry("/b")], isComplete: true), continuing: nil))
        let second = try #require(
            ListingCheckpoint(Self.cut([Self.entry("/d")], removed: ["/a"], isComplete: false), continuing: first))
        let end = RemoteChanges(
            isComplete: false, entries: [Self.entry("/new")], removed: ["/x"], token: "end")
        let whole = second.completed(by: end, local)
        #expect(whole.isComplete && whole.token == "end" && !whole.isCut && whole.removed.isEmpty)
        #expect(whole.entries == [Self.entry("/new"), Self.entry("/b", "b2"), Self.entry("/d", "d")])
    }

    @Test func `of changes in parts the last word on an item counts`() throws {
        let first = try #require(
            ListingCheckpoint(Self.cut([Self.entry("/a")], removed: ["/b", "/c"], isComplete: false), continuing: nil))
        let second = try #require(
            ListingCheckpoint(Self.cut([Self.entry("/c")], removed: ["/a"], isComplete: false), continuing: first))
        let end = RemoteChanges(
            isComplete: false, entries: [Self.entry("/a", "2")], removed: ["/d"], token: "end")
        #expect(
            second.completed(by: end, local)
                == RemoteChanges(
                    isComplete: false, entries: [Self.entry("/a", "2")], removed: ["/b", "/d"], token: "end"))
    }

    @Test(arguments: [true, false])
    func `it is read as it was stored, and no token of a server is taken for one`(isComplete: Bool) throws {
        let changes = Self.cut([Self.entry("/a\nb\"é")], removed: ["/c"], isComplete: isComplete)
        let checkpoint = try #require(ListingCheckpoint(changes, continuing: nil))
        #expect(ListingCheckpoint(checkpoint.text) == checkpoint)
        for token in [
            "", "https://example.org/sync/1", String(checkpoint.text.dropFirst()), "\u{1}", "\u{1}{}",
            "\u{1}{\"token\":1,\"listed\":[]}", "\u{1}{\"token\":\"t\"}",
        ] {
            #expect(ListingCheckpoint(token) == nil, "\(token)")
        }
    }
}
