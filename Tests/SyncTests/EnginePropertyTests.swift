import Sync
import TestSupport
import Testing

/// Any local state, any listing and any answers: the engine comes to its end, forgets no item, and never changes what it
/// has not read.
struct EnginePropertyTests {
    @Test(arguments: 0..<400 as Range<UInt64>)
    func `whatever is answered, no item is lost and nothing unread is changed`(seed: UInt64) throws {
        var world = RandomWorld(seed: seed)
        let steps = try world.run()
        #expect(world.violations == [], "seed \(seed)")
        #expect(steps <= world.stepLimit, "seed \(seed)")
    }

    /// The number of actions for a collection, where every answer is the worst.
    private func steps(_ count: Int) throws -> Int {
        let items = (0..<count).map {
            SyncItem($0, isChanged: true, identity: $0, link: RemoteEntry(href: "/\($0)", etag: "1"))
        }
        var engine = SyncEngine(items: items)
        engine.list(RemoteChanges(isComplete: false, entries: []))
        try engine.guardRemovals()
        var steps = 0
        while let action = engine.next() {
            steps += 1
            switch action {
            case .fetch(let hrefs):
                steps += hrefs.count
                for href in hrefs {
                    engine.apply(.linked(Int(href.dropFirst()) ?? 0, etag: "2", sends: true), at: href)
                }
            case .send(let send): _ = engine.answer(.changedMeanwhile, to: send)
            case .confirm: engine.confirm(true)
            default: break
            }
        }
        return steps
    }

    @Test func `eight times the items take eight times the steps`() throws {
        let (small, large) = (try steps(200), try steps(1600))
        #expect(small > 200 && large <= 8 * small + 8)
    }

    @Test func `the cost grows linearly with the collection`() {
        Scaling.expectLinear("a sync", size: 400) { count in
            (0..<count).map { number in
                SyncItem(
                    number, isHere: number % 5 != 0, isChanged: number % 2 == 0, wasSent: number % 7 == 0,
                    identity: number, link: number % 3 == 0 ? nil : RemoteEntry(href: "/\(number)", etag: "1"))
            }
        } _: { items in
            var policy = SyncPolicy()
            policy.isForced = true
            let held = items.map { RemoteEntry(href: "/held/\($0.id)", etag: "1") }
            var engine = SyncEngine(items: items, held: held, policy: policy)
            engine.list(RemoteChanges(isComplete: false, entries: [], removed: items.map { "/\($0.id)" }))
            try? engine.guardRemovals()
            while let action = engine.next() {
                switch action {
                case .fetch(let hrefs):
                    for href in hrefs { engine.apply(.skipped(SyncProblem(.unreadable, href: href)), at: href) }
                case .send(let send): _ = engine.answer(.nameTaken(href: "/held/\(send.id)"), to: send)
                case .confirm: engine.confirm(true)
                default: break
                }
            }
        }
    }
}

/// A random state of both sides, with random answers to every action.
private struct RandomWorld {
    private var random: SeededGenerator
    private let items: [Int: SyncItem<Int>]
    private let changes: RemoteChanges
    private let held: [RemoteEntry]
    private var policy = SyncPolicy()
    /// The tags that may be used as conditions, by href.
    private var read: [String: Set<String>] = [:]
    /// The items about which something was decided.
    private var settled: Set<Int> = []
    private(set) var violations: [String] = []

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func flip() -> Bool { Bool.random(using: &random) }
        func etag() -> String { "\(Int.random(in: 1...3, using: &random))" }
        let count = Int.random(in: 0...30, using: &random)
        var items: [Int: SyncItem<Int>] = [:]
        for id in 0..<count {
            let link = flip() ? RemoteEntry(href: "/\(id)", etag: flip() ? etag() : "") : nil
            items[id] = SyncItem(
                id, isHere: link == nil || flip(), isChanged: flip(), isHeld: flip() && flip(),
                wasSent: flip() && flip(), identity: flip() ? Int.random(in: 0...count, using: &random) : nil,
                link: link, unread: link != nil && flip() && flip() ? (flip() ? etag() : "") : nil)
        }
        let hrefs = (0..<count + 10).map { "/\($0)" }
        let entries = hrefs.filter { _ in flip() }.map { RemoteEntry(href: $0, etag: etag()) }
        changes = RemoteChanges(isComplete: flip(), entries: entries, removed: hrefs.filter { _ in flip() && flip() })
        held = (count..<count + 10).filter { _ in flip() }.map {
            RemoteEntry(href: "/\($0)", etag: flip() ? etag() : "")
        }
        policy.remoteDeletion = flip() ? .removesHere : .createsAgain
        policy.isReadOnly = flip() && flip()
        policy.fetchesBeforeUpdate = flip()
        policy.confirmsRemovals = flip()
        policy.isForced = flip()
        policy.hasOldVersion = flip()
        policy.mayRename = flip()
        self.items = items
        self.random = random
        for item in items.values {
            if let link = item.link, !link.etag.isEmpty { read[link.href, default: []].insert(link.etag) }
        }
    }

    /// More steps than this are not linear.
    var stepLimit: Int { 40 * (items.count + changes.entries.count + held.count) + 40 }

    private mutating func expect(_ condition: Bool, _ words: String) {
        if !condition { violations.append(words) }
    }

    /// Runs one sync; returns the number of actions and fetched items.
    mutating func run() throws -> Int {
        var engine = SyncEngine(items: Array(items.values), held: held, policy: policy)
        engine.list(changes)
        do {
            try engine.guardRemovals()
        } catch {
            expect(
                policy.confirmsRemovals && !policy.isForced && changes.isComplete && changes.entries.isEmpty, "guard")
            return 0
        }
        var (steps, isWithheld) = (0, false)
        while let action = engine.next(), steps <= stepLimit {
            steps += 1
            switch action {
            case .confirm(let question):
                expect(policy.confirmsRemovals && question.removedHere + question.removedThere > 0, "question")
                isWithheld = Bool.random(using: &random)
                engine.confirm(!isWithheld)
            case .fetch(let hrefs):
                steps += hrefs.count
                expect(!hrefs.isEmpty && hrefs.count <= SyncLimits.fetchBatch, "batch of \(hrefs.count)")
                expect(Set(hrefs).count == hrefs.count, "an item is fetched twice at once")
                for href in hrefs {
                    // Its outcome is a decision, whatever it is.
                    for (id, item) in items where item.link?.href == href { settled.insert(id) }
                    engine.apply(outcome(href), at: href, identity: Bool.random(using: &random) ? 1 : nil)
                }
            case .send(let send): self.send(send, &engine)
            case .remove(let id, let entry):
                expect(!policy.isReadOnly && !isWithheld, "a removal of \(id) that is not allowed")
                expect(read[entry.href]?.contains(entry.etag) == true, "\(entry) is removed unread")
                settled.insert(id)
                let result = [DeleteResult.gone, .changedMeanwhile, .refused(.failed(reason: "x"))]
                    .randomElement(using: &random)
                if let result { _ = engine.answer(result, toRemoving: id, entry) }
            case .removeHere(let gone):
                expect(policy.remoteDeletion == .removesHere && !isWithheld, "a removal here")
                for id in gone.keys {
                    let item = items[id]
                    expect(item?.isHere == true && item?.isChanged == false, "\(id) is removed here")
                    settled.insert(id)
                }
            case .dropLinks(let hrefs):
                for (id, item) in items where item.link.map({ hrefs.contains($0.href) }) ?? false {
                    expect(!item.isHere, "the link of \(id) is dropped")
                    settled.insert(id)
                }
            case .report(let problem): if let id = problem.id { settled.insert(id) }
            }
        }
        expect(engine.isComplete || isWithheld, "the listing counts as incomplete")
        if isWithheld { return steps }
        for item in items.values where needsDecision(item) { expect(settled.contains(item.id), "\(item) is lost") }
        return steps
    }

    private mutating func send(_ send: SyncSend<Int>, _ engine: inout SyncEngine<Int>) {
        expect(!policy.isReadOnly, "a request for \(send.id), read-only")
        if let entry = send.replaced {
            expect(read[entry.href]?.contains(entry.etag) == true, "\(entry) is updated unread")
        }
        let href = "/\(Int.random(in: 0..<items.count + 10, using: &random))"
        let results: [PutResult] = [
            .stored(href: href, etag: nil), .stored(href: href, etag: "9"), .changedMeanwhile, .nameTaken(href: href),
            .gone, .uidTaken(href: href), .uidTaken(href: nil), .refused(.version(reason: "x")),
            .refused(.invalid(reason: "x")), .refused(.serverError(reason: "x")),
        ]
        guard let result = results.randomElement(using: &random) else { return }
        let isStored = engine.answer(result, to: send)
        expect(isStored == result.isStored, "the answer to \(send)")
        if isStored { settled.insert(send.id) }
    }

    private mutating func outcome(_ href: String) -> FetchOutcome<Int> {
        let own = items.values.first { $0.link?.href == href }?.id
        let id = own ?? Int.random(in: 0...max(items.count, 1), using: &random)
        let etag = "\(Int.random(in: 10...20, using: &random))"
        let problems: [SyncProblem<Int>] = [
            SyncProblem(.unreadable, id: own, href: href), SyncProblem(.unfetchable("x"), id: own, href: href),
            SyncProblem(.sameUID, id: id, href: href), SyncProblem(.changedHere, id: id, href: href),
        ]
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return .vanished
        case 1: return .changedAgain
        case 2: return .ignored(isReadable: Bool.random(using: &random))
        case 3: return problems.randomElement(using: &random).map { .skipped($0) } ?? .vanished
        case 4 where items[id]?.isHere != true:
            read[href, default: []].insert(etag)
            settled.insert(id)
            return .unwanted(id, etag: etag)
        default:
            read[href, default: []].insert(etag)
            settled.insert(id)
            return .linked(id, etag: etag, sends: Bool.random(using: &random))
        }
    }

    /// Whether a sync has to do or to report something about an item.
    private func needsDecision(_ item: SyncItem<Int>) -> Bool {
        guard let link = item.link else { return item.isHere }
        let listed = changes.entries.last { $0.href == link.href }
        let isGone = listed == nil && (changes.isComplete || changes.removed.contains(link.href))
        if isGone || item.unread != nil || link.etag.isEmpty || !item.isHere { return true }
        return listed.map { $0.etag != link.etag } ?? false || item.isChanged && !item.isHeld
    }
}
