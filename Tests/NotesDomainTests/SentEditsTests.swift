import NotesDomain
import TestSupport
import Testing
import TextCRDT
import Time

/// Hubs in sync through a server of whole notes, whose GETs and PUTs interleave in any order, may be lost with or without
/// effect, and are cut off by the end of a process.
@Suite(.timeLimit(.minutes(20)))
struct SentEditsTests {
    /// The whole text of a note on a server.
    private struct Whole: Hashable {
        var title = ""
        var content = ""
    }

    /// A server, as the hubs see it.
    private protocol Server {
        mutating func get(by client: String) -> Whole
        mutating func put(_ whole: Whole, by client: String) throws
    }

    /// NoteApp: the last PUT wins.
    private struct NoteApp: Server {
        private var whole = Whole()
        func get(by client: String) -> Whole { whole }
        mutating func put(_ whole: Whole, by client: String) { self.whole = whole }
    }

    /// The REST interface of hub, which merges a PUT at what its client has read last.
    private struct HubServer: Server {
        private var document = NoteDocument()
        private var access = NoteAccess(owner: "ada", members: ["ada"])
        private var reads: [String: NoteRead] = [:]

        mutating func get(by client: String) -> Whole {
            reads[client] = NoteRead(version: document.version, members: access.members)
            return Whole(title: document.title.text, content: document.content.text)
        }

        mutating func put(_ whole: Whole, by client: String) throws {
            let write = WholeNoteWrite(
                title: whole.title, content: whole.content, members: access.members, owner: access.owner)
            let outcome = try write.merged(
                into: document, access, read: reads[client], by: .anonymous, legacy: .open, agent: "server")
            (document, access, reads[client]) = (outcome.document, outcome.access, outcome.read)
        }
    }

    /// A hub that takes one step at a time and may be killed after each.
    private final class Hub {
        private enum Step {
            case idle
            case read(Whole)
            case toSend(Whole)
        }

        /// The longest time from a GET to the effect of its PUT.
        private static let maximumAge = Duration.seconds(15)

        let agent: String
        private let first: UInt32
        private var count: UInt32 = 0
        private var step = Step.idle
        private var readAt = Instant(milliseconds: 0)
        // What survives a kill.
        private(set) var document = NoteDocument()
        private var sent = SentEdits()

        init(_ number: Int) {
            agent = "hub\(number)"
            first = 0x4E00 + UInt32(number) * 0x1000
        }

        var whole: Whole { Whole(title: document.title.text, content: document.content.text) }

        /// The signs that were typed here.
        var typed: Set<Unicode.Scalar> { Set((0..<count).compactMap { Unicode.Scalar(first + $0) }) }

        /// The signs that are on the server for good.
        var settled: Set<Unicode.Scalar> {
            get throws {
                Set(
                    try document.title.text(at: sent.settled.title).unicodeScalars
                        + document.content.text(at: sent.settled.content).unicodeScalars)
            }
        }

        /// Types new signs, or deletes one that is its own or one of `others`, which is returned.
        func edit(_ generator: inout SeededGenerator, _ others: Set<Unicode.Scalar>) throws -> Unicode.Scalar? {
            let field: NoteField = Int.random(in: 0..<4, using: &generator) == 0 ? .title : .content
            let scalars = Array(document[field].text.unicodeScalars)
            if Int.random(in: 0..<4, using: &generator) == 0,
                let place = scalars.indices.randomElement(using: &generator),
                typed.contains(scalars[place]) || others.contains(scalars[place])
            {
                try document.apply(
                    [TextEdit(position: place, deletedCount: 1)], to: field, by: agent, at: document[field].version)
                return scalars[place]
            }
            var signs = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                if let sign = Unicode.Scalar(first + count) { signs.append(sign) }
                count += 1
            }
            let edit = TextEdit(position: Int.random(in: 0...scalars.count, using: &generator), inserted: String(signs))
            try document.apply([edit], to: field, by: agent, at: document[field].version)
            return nil
        }

        func kill() { step = .idle }

        /// Takes the next step. `isLost` loses the request, with its effect if `hasEffect` is false.
        func advance(
            _ server: inout some Server, isLost: Bool = false, hasEffect: Bool = true, at now: Instant
        ) throws {
            switch step {
            case .idle:
                let whole = server.get(by: agent)
                if !isLost { (step, readAt) = (.read(whole), now) }
            case .read(let whole):
                try document.merge(
                    serverTitle: whole.title, content: whole.content, sent: &sent, at: now, by: agent,
                    server: agent + "@server")
                step = self.whole == whole ? .idle : .toSend(self.whole)
            case .toSend(let whole):
                step = .idle
                if now - readAt <= Self.maximumAge, !isLost || hasEffect { try server.put(whole, by: agent) }
            }
        }
    }

    /// Runs a history of three hubs. `deletesAll` is whether they also delete what others have just written: a part of it then may
    /// be there twice.
    private func run(_ seed: UInt64, _ server: some Server, deletesAll: Bool = false) throws {
        var (server, generator) = (server, SeededGenerator(seed: seed))
        let hubs = (0..<3).map { Hub($0) }
        var deleted: Set<Unicode.Scalar> = []
        var now = Instant(milliseconds: 0)
        func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &generator) == 0 }
        for _ in 0..<300 {
            now = now + .milliseconds(Int64.random(in: 0..<2000, using: &generator))
            let hub = hubs[Int.random(in: 0..<3, using: &generator)]
            switch Int.random(in: 0..<20, using: &generator) {
            case 0, 1:
                let others = try hubs.reduce(into: Set<Unicode.Scalar>()) { others, other in
                    others.formUnion(deletesAll ? other.typed : try other.settled.intersection(other.typed))
                }
                if let sign = try hub.edit(&generator, others) { deleted.insert(sign) }
            case 2: if chance(2) { hub.kill() }
            default: try hub.advance(&server, isLost: chance(10), hasEffect: chance(2), at: now)
            }
        }
        // Then each syncs undisturbed.
        for hub in hubs { hub.kill() }
        var equalRounds = 0
        for _ in 0..<10 where equalRounds < 2 {
            for hub in hubs { for _ in 0..<8 { try hub.advance(&server, at: now) } }
            let final = server.get(by: "test")
            equalRounds = hubs.allSatisfy { $0.whole == final } ? equalRounds + 1 : 0
        }
        #expect(equalRounds == 2, "all are equal, and stay so")
        let final = server.get(by: "test")
        let signs = (final.title + final.content).unicodeScalars.filter { $0 != " " && $0 != "\n" }
        #expect(deletesAll || Set(signs).count == signs.count, "doubled")
        let typed = hubs.reduce(into: Set<Unicode.Scalar>()) { $0.formUnion($1.typed) }
        #expect(typed.subtracting(deleted).subtracting(signs).isEmpty, "lost")
        #expect(Set(signs).subtracting(typed).isEmpty)
        #expect(typed.count > 20)
    }

    @Test(.seeded, arguments: 0..<25)
    func `PUTs that race on a server of NoteApp lose and double nothing`(seed: UInt64) throws {
        try run(seed, NoteApp())
    }

    @Test(.seeded, arguments: 0..<8)
    func `what others delete while PUTs race takes nothing else away`(seed: UInt64) throws {
        try run(seed, NoteApp(), deletesAll: true)
    }

    @Test(.seeded, arguments: 0..<25)
    func `PUTs that race on a server of hub lose and double nothing`(seed: UInt64) throws {
        try run(seed, HubServer())
    }

    private static let start = Instant(milliseconds: 0)
    private static let later = start + SentEdits.raceTime

    /// A note here on a server that has had the text `milk`, and then `milk, bread` by an edit that was made here.
    private struct Fixture {
        var document = NoteDocument()
        var sent = SentEdits()

        init() throws {
            try merge("milk")
            try document.set(content: "milk, bread", by: "here")
            try merge("milk")
        }

        /// Merges the text that the server has.
        mutating func merge(_ content: String, at now: Instant = start) throws {
            try document.merge(
                serverTitle: "", content: content, sent: &sent, at: now, by: "here", server: "here@server")
        }

        var text: String { document.content.text }
    }

    @Test func `a PUT without an answer counts as stored when the server has it`() throws {
        var note = try Fixture()
        #expect(note.sent.seen != note.document.version)
        try note.merge("milk, bread")
        #expect(note.text == "milk, bread")
        #expect(note.sent.seen == note.document.version)
    }

    @Test(arguments: [false, true])
    func `what a PUT has replaced is sent again`(isSeenFirst: Bool) throws {
        var note = try Fixture()
        if isSeenFirst { try note.merge("milk, bread") }
        try note.merge("eggs, milk")
        #expect(note.text == "eggs, milk, bread")
        #expect(note.sent.seen != note.document.version)
    }

    @Test func `what nobody can have replaced is deleted on purpose`() throws {
        var note = try Fixture()
        try note.merge("milk, bread")
        #expect(!note.sent.isDue(at: Self.start) && note.sent.isDue(at: Self.later))
        try note.merge("milk, bread", at: Self.later)
        try note.merge("eggs, milk", at: Self.later)
        #expect(note.text == "eggs, milk")
    }

    @Test func `a text that has a later edit was written by someone who has read the earlier ones`() throws {
        var note = try Fixture()
        try note.merge("milk, bread")
        try note.document.set(content: "milk, bread and a dozen eggs", by: "here")
        try note.merge("milk, bread")
        try note.merge("milk and a dozen eggs")
        #expect(note.text == "milk and a dozen eggs")
    }

    @Test func `a word of a line that someone deletes at once is there again, once`() throws {
        var note = try Fixture()
        try note.merge("milk, bread")
        try note.merge("milk, ")
        #expect(note.text == "milk, bread")
    }

    @Test func `letters that are the same by chance are not a part of what is missing`() throws {
        var note = try Fixture()
        try note.merge("milk, oats")
        #expect(note.text == "milk, oats, bread")
    }

    @Test func `a deletion that a PUT has replaced is made again, one that was seen is not`() throws {
        var note = try Fixture()
        try note.merge("milk, bread", at: Self.start)
        try note.merge("milk, bread", at: Self.later)
        try note.document.set(content: "milk", by: "here")
        try note.merge("milk, bread", at: Self.later)
        try note.merge("eggs, milk, bread", at: Self.later)
        #expect(note.text == "eggs, milk")
        try note.merge("eggs, milk", at: Self.later)
        try note.merge("eggs, milk, bread", at: Self.later)
        #expect(note.text == "eggs, milk, bread")
    }

    @Test func `what is found at another place stands once`() throws {
        var note = try Fixture()
        try note.merge("milk, bread")
        try note.document.set(content: "milk, bread\n- and a dozen eggs", by: "here")
        try note.merge("milk, bread")
        try note.merge("- and a dozen eggs\nmilk, bread")
        #expect(note.text == "- and a dozen eggs\nmilk, bread")
    }

    @Test func `more versions than are kept apart lose nothing`() throws {
        var note = try Fixture()
        for number in 0..<2 * SentEdits.maximumCount {
            try note.document.set(content: note.text + " item-\(number)", by: "here")
            try note.merge("milk")
        }
        let all = note.text
        #expect(note.sent.sent.count == SentEdits.maximumCount)
        try note.merge("milk")
        #expect(note.text == all)
        try note.merge(all)
        #expect(note.text == all && note.sent.seen == note.document.version)
    }
}
