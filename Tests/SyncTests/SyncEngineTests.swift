import Sync
import Testing

/// The decisions of the engine, row by row.
struct SyncEngineTests {
    private func actions(
        _ items: [SyncItem<String>], _ changes: RemoteChanges, held: [RemoteEntry] = [],
        policy: SyncPolicy = SyncPolicy()
    ) throws -> [SyncAction<String>] {
        try EngineBox(items, held: held, changes, policy: policy).rest()
    }

    private let entry = RemoteEntry(href: "/a", etag: "1")
    private let newer = RemoteEntry(href: "/a", etag: "2")

    private func local(_ isChanged: Bool, isHere: Bool = true, isHeld: Bool = false) -> SyncItem<String> {
        SyncItem("a", isHere: isHere, isChanged: isChanged, isHeld: isHeld, identity: 1, link: entry)
    }

    private func full(_ entries: RemoteEntry...) -> RemoteChanges { RemoteChanges(isComplete: true, entries: entries) }

    /// Another card, so that the book is not empty.
    private let other = RemoteEntry(href: "/o", etag: "1")
    private var bystander: SyncItem<String> { SyncItem("o", identity: 2, link: other) }

    @Test func `the decision table, row by row`() throws {
        let update = SyncAction.send(SyncSend("a", replacing: entry))
        let create = SyncAction.send(SyncSend("a"))
        #expect(try actions([local(false)], full(entry)) == [])
        #expect(try actions([local(true)], full(entry)) == [update])
        #expect(try actions([local(false)], full(newer)) == [.fetch(["/a"])])
        #expect(try actions([local(true)], full(newer)) == [.fetch(["/a"])])
        #expect(try actions([local(false), bystander], full(other)) == [.removeHere(["a": "/a"])])
        #expect(try actions([local(true), bystander], full(other)) == [create])
        #expect(try actions([local(false, isHere: false)], full(entry)) == [.remove("a", entry)])
        #expect(try actions([local(false, isHere: false)], full(newer)) == [.fetch(["/a"])])
        #expect(try actions([local(false, isHere: false)], full(other)) == [.fetch(["/o"]), .dropLinks(["/a"])])
        #expect(try actions([SyncItem("a", identity: 1)], full()) == [create])
        #expect(try actions([], full(entry)) == [.fetch(["/a"])])
        #expect(try actions([local(true, isHeld: true)], full(entry)) == [])
    }

    @Test func `a part of the listing says nothing about the rest`() throws {
        let part = RemoteChanges(isComplete: false, entries: [other], removed: ["/b"])
        let gone = SyncItem("b", identity: 3, link: RemoteEntry(href: "/b", etag: "1"))
        #expect(try actions([local(false), bystander, gone], part) == [.removeHere(["b": "/b"])])
    }

    @Test func `a book that takes no changes is sent none`() throws {
        var policy = SyncPolicy()
        policy.isReadOnly = true
        #expect(
            try actions([local(true)], full(entry), policy: policy)
                == [.report(SyncProblem(.readOnly, id: "a", href: "/a"))])
        #expect(
            try actions([local(false, isHere: false)], full(entry), policy: policy)
                == [.report(SyncProblem(.readOnlyRemoval, id: "a", href: "/a"))])
    }

    @Test func `what cannot be read is neither replaced nor removed until it can be`() throws {
        func unread(isChanged: Bool, isHere: Bool = true, etag: String = "2") -> SyncItem<String> {
            SyncItem("a", isHere: isHere, isChanged: isChanged, identity: 1, link: entry, unread: etag)
        }
        let told = [SyncAction.report(SyncProblem(.unreadable, id: "a", href: "/a"))]
        let part = RemoteChanges(isComplete: false, entries: [])
        for changes in [full(newer), part] {
            #expect(try actions([unread(isChanged: true)], changes) == told)
            #expect(try actions([unread(isChanged: false)], changes) == told)
            #expect(try actions([unread(isChanged: false, isHere: false)], changes) == told)
        }
        // Another text there, the old one again, and one that could not be fetched are looked at.
        #expect(try actions([unread(isChanged: true)], full(RemoteEntry(href: "/a", etag: "3"))) == [.fetch(["/a"])])
        #expect(try actions([unread(isChanged: true)], full(entry)) == [.fetch(["/a"])])
        #expect(try actions([unread(isChanged: true, etag: "")], part) == [.fetch(["/a"])])
        #expect(try actions([], part, held: [RemoteEntry(href: "/x", etag: "")]) == [.fetch(["/x"])])
        #expect(try actions([unread(isChanged: false), bystander], full(other)) == [.removeHere(["a": "/a"])])
    }

    @Test func `an empty book is believed when other books of the account explain it`() throws {
        func gone(_ count: Int, _ elsewhere: OtherCollections) throws {
            var engine = SyncEngine(
                items: (0..<count).map {
                    SyncItem("\($0)", identity: $0, link: RemoteEntry(href: "/\($0)", etag: "1"))
                })
            engine.list(full())
            try engine.guardRemovals(elsewhere)
        }
        #expect(throws: EmptiedCollection.self) { try gone(1, OtherCollections()) }
        #expect(throws: EmptiedCollection.self) { try gone(11, OtherCollections(hasItems: true)) }
        try gone(1, OtherCollections(hasItems: true))
        try gone(10, OtherCollections(hasItems: true))
        try gone(30, OtherCollections(newItems: 30, hasItems: true))
    }

    @Test func `more than ten and more than a quarter are asked for`() throws {
        func gone(_ count: Int, of total: Int) throws -> Bool {
            let locals = (0..<total).map {
                SyncItem("\($0)", identity: $0, link: RemoteEntry(href: "/\($0)", etag: "1"))
            }
            let entries = locals.dropFirst(count).compactMap(\.link)
            return try actions(locals, RemoteChanges(isComplete: true, entries: entries)).contains {
                if case .confirm = $0 { true } else { false }
            }
        }
        #expect(try !gone(10, of: 20) && gone(11, of: 20) && !gone(25, of: 100) && gone(26, of: 100))
        #expect(throws: EmptiedCollection.self) { _ = try gone(2, of: 2) }
    }

    @Test func `responses are handled, and attempts are limited`() throws {
        let engine = try EngineBox([local(true)], full(entry))
        for _ in 0..<2 {
            #expect(!engine.answer(.changedMeanwhile, to: try engine.send()))
            #expect(engine.next() == .fetch(["/a"]))
            engine.apply(.linked("a", etag: "2", sends: true), at: "/a")
        }
        #expect(!engine.answer(.changedMeanwhile, to: try engine.send()))
        // The etag was that of the item each time.
        #expect(engine.rest() == [.report(SyncProblem(.etagRefused, id: "a", href: "/a"))])
    }
}
