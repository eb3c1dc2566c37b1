import Sync
import Testing

/// The decisions for a collection that is a copy of what is here: a deletion there changes nothing here, and a change is
/// made in the text that is there.
struct RecreationTests {
    private var policy: SyncPolicy {
        var policy = SyncPolicy()
        policy.remoteDeletion = .createsAgain
        policy.fetchesBeforeUpdate = true
        policy.confirmsRemovals = false
        return policy
    }

    private func item(_ id: Int, _ etag: String? = nil, isChanged: Bool = false, isHere: Bool = true) -> SyncItem<Int> {
        SyncItem(
            id, isHere: isHere, isChanged: isChanged, wasSent: isHere && etag == "",
            link: etag.map { RemoteEntry(href: "/\(id)", etag: $0) })
    }

    private func engine(
        _ items: [SyncItem<Int>], held: [RemoteEntry] = [], all: [String]? = nil, changed: [String] = [],
        removed: [String] = []
    ) throws -> EngineBox<Int> {
        func entry(_ text: String) -> RemoteEntry {
            let parts = text.split(separator: "=")
            return RemoteEntry(href: String(parts[0]), etag: String(parts[1]))
        }
        let changes = RemoteChanges(
            isComplete: all != nil, entries: (all ?? changed).map(entry), removed: removed, token: "t")
        return try EngineBox(items, held: held, changes, policy: policy)
    }

    private func actions(_ engine: EngineBox<Int>) -> [SyncAction<Int>] { engine.rest() }

    private func create(_ id: Int) -> SyncAction<Int> { .send(SyncSend(id)) }

    @Test func `without changes there is nothing to do`() throws {
        #expect(actions(try engine([item(0, "a"), item(1, "b")])) == [])
        #expect(actions(try engine([item(0, "a"), item(1, "b")], all: ["/0=a", "/1=b"])) == [])
        #expect(actions(try engine([item(0, "a")], changed: ["/0=a"])) == [], "the same etag is no change")
    }

    @Test func `an item without a remote one gets one`() throws {
        #expect(actions(try engine([item(1), item(0), item(2, "a")])) == [create(0), create(1)])
    }

    @Test func `an item that changed on either side is fetched`() throws {
        let engine = try engine([item(0, "a"), item(1, "b", isChanged: true)], changed: ["/0=c"])
        #expect(actions(engine) == [.fetch(["/0", "/1"])])
    }

    @Test func `an item that was deleted there is created again, without a question`() throws {
        #expect(actions(try engine([item(0, "a"), item(1, "b")], removed: ["/0"])) == [create(0)])
        let items = (0..<30).map { item($0, "a") }
        #expect(actions(try engine(items, all: [])) == (0..<30).map(create))
    }

    @Test func `an item that is not here any more is deleted there, after a look if it changed`() throws {
        let gone = item(0, "a", isHere: false)
        #expect(actions(try engine([gone])) == [.remove(0, RemoteEntry(href: "/0", etag: "a"))])
        let changed = try engine([gone], changed: ["/0=b"])
        #expect(changed.next() == .fetch(["/0"]))
        changed.apply(.unwanted(0, etag: "b"), at: "/0")
        #expect(actions(changed) == [.remove(0, RemoteEntry(href: "/0", etag: "b"))])
        #expect(actions(try engine([gone], removed: ["/0"])) == [.dropLinks(["/0"])])
    }

    @Test func `many removals there need no question`() throws {
        let items = (0..<30).map { item($0, "a", isHere: false) }
        #expect(actions(try engine(items)).count == 30)
    }

    @Test func `an item that was sent is looked for before it is created again`() throws {
        let engine = try engine([item(0, "")], changed: ["/9=x"])
        #expect(engine.next() == .fetch(["/0", "/9"]))
        engine.apply(.vanished, at: "/0")
        engine.apply(.ignored(isReadable: true), at: "/9")
        #expect(actions(engine) == [create(0)])
        let gone = try self.engine([item(0, "", isHere: false)])
        #expect(gone.next() == .fetch(["/0"]))
        gone.apply(.vanished, at: "/0")
        #expect(actions(gone) == [.dropLinks(["/0"])])
    }

    @Test func `an item that was sent waits while an unreadable item may be it`() throws {
        let engine = try engine([item(0, "")], changed: ["/9=x"])
        #expect(engine.next() == .fetch(["/0", "/9"]))
        engine.apply(.vanished, at: "/0")
        engine.apply(.ignored(isReadable: false), at: "/9")
        #expect(actions(engine) == [.report(SyncProblem(.unreadable, id: 0, href: "/9"))])
        // It is looked at again, also when it has not changed.
        let held = [RemoteEntry(href: "/9", etag: "x")]
        let next = try self.engine([item(0, ""), item(1)], held: held)
        #expect(next.next() == .fetch(["/0", "/9"]))
        next.apply(.vanished, at: "/0")
        next.apply(.linked(0, etag: "y", sends: false), at: "/9")
        #expect(actions(next) == [create(1)])
    }

    @Test func `an item that was found at another place is not created`() throws {
        let engine = try engine([item(0, "a"), item(1)], changed: ["/m=1"], removed: ["/0"])
        #expect(engine.missing == [0])
        #expect(engine.next() == .fetch(["/m"]))
        engine.apply(.linked(0, etag: "1", sends: false), at: "/m")
        #expect(actions(engine) == [create(1)])
    }

    @Test func `an item that could not be compared is neither created nor removed`() throws {
        for reason in [SyncProblem<Int>.Reason.changedHere, .unreadable, .unfetchable("status 500")] {
            let engine = try engine([item(0, "a")], changed: ["/m=1"], removed: ["/0"])
            #expect(engine.next() == .fetch(["/m"]))
            let problem = SyncProblem(reason, id: 0, href: "/m")
            engine.apply(.skipped(problem), at: "/m")
            #expect(actions(engine) == [.report(problem)])
        }
    }

    @Test func `a foreign item is looked at once and left alone`() throws {
        let engine = try engine([], all: ["/x=1", "/y=1"])
        #expect(actions(engine) == [.fetch(["/x", "/y"])])
        let held = [RemoteEntry(href: "/x", etag: "1"), RemoteEntry(href: "/y", etag: "1")]
        #expect(actions(try self.engine([], held: held, all: ["/x=1", "/y=2"])) == [.fetch(["/y"])])
        #expect(actions(try self.engine([], held: held, removed: ["/x"])) == [.dropLinks(["/x"])])
        let away = [RemoteEntry(href: "/x", etag: "")]
        #expect(actions(try self.engine([], held: away)) == [.fetch(["/x"])], "it could not be fetched before")
    }

    @Test func `an item that vanishes after each write is not created for ever`() throws {
        let engine = try engine([item(0, "a")], removed: ["/0"])
        var sends = 0
        while sends < 100, let action = engine.next() {
            guard case .send(let send) = action else { continue }
            sends += 1
            #expect(engine.answer(.stored(href: "/0", etag: nil), to: send))
            engine.apply(.vanished, at: "/0")
        }
        #expect(sends > 1 && sends < 20)
    }
}
