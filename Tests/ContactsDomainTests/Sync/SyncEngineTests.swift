import ContactsDomain
import Sync
import TestSupport
import Testing

/// The engine alone, and two sides that are dictionaries.
struct SyncEngineTests {
    private func actions(
        _ locals: [SyncLocal], _ changes: RemoteChanges, held: [RemoteEntry] = [],
        rules: SyncEngine.Rules = .init()
    ) throws -> [SyncAction] {
        var engine = SyncEngine(locals: locals, held: held, rules: rules)
        engine.list(changes)
        try engine.guardRemovals()
        var actions: [SyncAction] = []
        while let action = engine.next() {
            actions.append(action)
            if case .ask = action { engine.consent(true) }
        }
        return actions
    }

    private let entry = RemoteEntry(href: "/a", tag: "1")
    private let newer = RemoteEntry(href: "/a", tag: "2")

    private func local(_ isChanged: Bool, isHere: Bool = true, isHeld: Bool = false) -> SyncLocal {
        SyncLocal(contact: "a", isHere: isHere, isChanged: isChanged, isHeld: isHeld, source: 1, link: entry)
    }

    private func full(_ entries: RemoteEntry...) -> RemoteChanges { RemoteChanges(isComplete: true, entries: entries) }

    /// Another card, so that the book is not empty.
    private let other = RemoteEntry(href: "/o", tag: "1")
    private var bystander: SyncLocal { SyncLocal(contact: "o", source: 2, link: other) }

    @Test func `the decision table, row by row`() throws {
        let update = SyncAction.update(contact: "a", entry, inOldVersion: false)
        let create = SyncAction.create(contact: "a", attempt: 1, inOldVersion: false)
        #expect(try actions([local(false)], full(entry)) == [])
        #expect(try actions([local(true)], full(entry)) == [update])
        #expect(try actions([local(false)], full(newer)) == [.fetch(["/a"])])
        #expect(try actions([local(true)], full(newer)) == [.fetch(["/a"])])
        #expect(try actions([local(false), bystander], full(other)) == [.trash(["a": "/a"])])
        #expect(try actions([local(true), bystander], full(other)) == [create])
        #expect(try actions([local(false, isHere: false)], full(entry)) == [.remove(contact: "a", entry)])
        #expect(try actions([local(false, isHere: false)], full(newer)) == [.fetch(["/a"])])
        #expect(try actions([local(false, isHere: false)], full(other)) == [.fetch(["/o"]), .forget(["/a"])])
        #expect(try actions([SyncLocal(contact: "a", source: 1)], full()) == [create])
        #expect(try actions([], full(entry)) == [.fetch(["/a"])])
        #expect(try actions([local(true, isHeld: true)], full(entry)) == [])
    }

    @Test func `a part of the listing says nothing about the rest`() throws {
        let part = RemoteChanges(isComplete: false, entries: [other], removed: ["/b"])
        let gone = SyncLocal(contact: "b", source: 3, link: RemoteEntry(href: "/b", tag: "1"))
        #expect(try actions([local(false), bystander, gone], part) == [.trash(["b": "/b"])])
    }

    @Test func `a book that takes no changes is sent none`() throws {
        let rules = SyncEngine.Rules(isReadOnly: true)
        #expect(
            try actions([local(true)], full(entry), rules: rules)
                == [.tell(SyncProblem(.readOnly, contact: "a", href: "/a"))])
        #expect(
            try actions([local(false, isHere: false)], full(entry), rules: rules)
                == [.tell(SyncProblem(.readOnlyRemoval, contact: "a", href: "/a"))])
    }

    @Test func `what cannot be read is neither replaced nor removed until it can be`() throws {
        func unread(isChanged: Bool, isHere: Bool = true, tag: String = "2") -> SyncLocal {
            SyncLocal(contact: "a", isHere: isHere, isChanged: isChanged, source: 1, link: entry, unread: tag)
        }
        let told = [SyncAction.tell(SyncProblem(.unreadable, contact: "a", href: "/a"))]
        let part = RemoteChanges(isComplete: false, entries: [])
        for changes in [full(newer), part] {
            #expect(try actions([unread(isChanged: true)], changes) == told)
            #expect(try actions([unread(isChanged: false)], changes) == told)
            #expect(try actions([unread(isChanged: false, isHere: false)], changes) == told)
        }
        // Another text there, the old one again, and one that could not be fetched are looked at.
        #expect(try actions([unread(isChanged: true)], full(RemoteEntry(href: "/a", tag: "3"))) == [.fetch(["/a"])])
        #expect(try actions([unread(isChanged: true)], full(entry)) == [.fetch(["/a"])])
        #expect(try actions([unread(isChanged: true, tag: "")], part) == [.fetch(["/a"])])
        #expect(try actions([], part, held: [RemoteEntry(href: "/x", tag: "")]) == [.fetch(["/x"])])
        #expect(try actions([unread(isChanged: false), bystander], full(other)) == [.trash(["a": "/a"])])
    }

    @Test func `an empty book is believed when other books of the account explain it`() throws {
        func gone(_ count: Int, _ elsewhere: SyncEngine.Elsewhere) throws {
            var engine = SyncEngine(
                locals: (0..<count).map {
                    SyncLocal(contact: "\($0)", source: $0, link: RemoteEntry(href: "/\($0)", tag: "1"))
                })
            engine.list(full())
            try engine.guardRemovals(elsewhere)
        }
        #expect(throws: EmptiedBook.self) { try gone(1, SyncEngine.Elsewhere()) }
        #expect(throws: EmptiedBook.self) { try gone(11, SyncEngine.Elsewhere(hasCards: true)) }
        try gone(1, SyncEngine.Elsewhere(hasCards: true))
        try gone(10, SyncEngine.Elsewhere(hasCards: true))
        try gone(30, SyncEngine.Elsewhere(newPlaces: 30, hasCards: true))
    }

    @Test func `more than ten and more than a quarter are asked for`() throws {
        func gone(_ count: Int, of total: Int) throws -> Bool {
            let locals = (0..<total).map {
                SyncLocal(contact: "\($0)", source: $0, link: RemoteEntry(href: "/\($0)", tag: "1"))
            }
            let entries = locals.dropFirst(count).compactMap(\.link)
            return try actions(locals, RemoteChanges(isComplete: true, entries: entries)).contains {
                if case .ask = $0 { true } else { false }
            }
        }
        #expect(try !gone(10, of: 20) && gone(11, of: 20) && !gone(25, of: 100) && gone(26, of: 100))
        #expect(throws: EmptiedBook.self) { _ = try gone(2, of: 2) }
    }

    @Test func `responses are handled, and attempts are limited`() throws {
        var engine = SyncEngine(locals: [local(true)])
        engine.list(full(entry))
        try engine.guardRemovals()
        for _ in 0..<2 {
            let update = engine.next()
            let isTheirs = update.map { engine.answer(.changedMeanwhile, to: $0) }
            #expect(isTheirs == false)
            let next = engine.next()
            #expect(next == .fetch(["/a"]))
            engine.settle("/a", as: .linked(contact: "a", tag: "2", sends: true))
        }
        let last = engine.next()
        let isTheirs = last.map { engine.answer(.changedMeanwhile, to: $0) }
        let rest = [engine.next(), engine.next()]
        #expect(isTheirs == false && rest == [.tell(SyncProblem(.busy, contact: "a", href: "/a")), nil])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `two sides that change at random end equal`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model = TwoSides()
        for step in 0..<120 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: model.addHere(step)
            case 1: model.addThere(step)
            case 2: model.changeHere(step, &random)
            case 3: model.changeThere(step, &random)
            case 4: model.removeHere(&random)
            case 5: model.removeThere(&random)
            default: try model.sync(stoppingAfter: Int.random(in: 0...30, using: &random))
            }
        }
        for _ in 0..<3 {
            try model.sync(stoppingAfter: .max)
            model.resolve(&random)
        }
        try model.sync(stoppingAfter: .max)
        let actions = try model.sync(stoppingAfter: .max)
        let (unequal, lost) = (model.unequal, model.lost)
        #expect(unequal == [] && lost == [] && actions == 0, "seed \(seed)")
    }
}
