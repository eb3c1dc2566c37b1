import NotesDomain
import TestSupport
import Testing
import TextCRDT
import Time

/// Hubs in sync through a server of whole notes, where the last PUT wins and requests may be lost with or without effect.
@Suite(.timeLimit(.minutes(20)))
struct ServerBasesTests {
    /// The whole text of a note on the server.
    private struct Whole: Hashable {
        var title = ""
        var content = ""
    }

    /// A hub that takes one step at a time and may be killed after each.
    private final class Hub {
        private enum Step {
            case idle
            case read(Whole)
            case toSend(Whole)
            case sent
        }

        let agent: String
        private let first: UInt32
        private var count: UInt32 = 0
        private var step = Step.idle
        // What survives a kill.
        private(set) var document = NoteDocument()
        private var bases = ServerBases()

        init(_ number: Int) {
            agent = "hub\(number)"
            first = 0x4E00 + UInt32(number) * 0x1000
        }

        /// The signs that were typed here.
        var typed: Set<Unicode.Scalar> { Set((0..<count).compactMap { Unicode.Scalar(first + $0) }) }

        /// Types new signs, or deletes one, which is returned.
        func edit(_ generator: inout SeededGenerator) throws -> Unicode.Scalar? {
            let field: NoteField = Int.random(in: 0..<4, using: &generator) == 0 ? .title : .content
            let scalars = Array(document[field].text.unicodeScalars)
            if Int.random(in: 0..<4, using: &generator) == 0,
                let place = scalars.indices.randomElement(using: &generator)
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

        /// Whether something was read that is to be merged and written.
        var isWriting: Bool {
            switch step {
            case .read, .toSend: true
            case .idle, .sent: false
            }
        }

        /// Takes the next step. `isLost` loses the request, with its effect if `hasEffect` is false.
        func advance(_ server: inout Whole, isLost: Bool, hasEffect: Bool, at now: Instant) throws {
            switch step {
            case .idle, .sent: step = isLost ? .idle : .read(server)
            case .read(let whole):
                try document.merge(
                    serverTitle: whole.title, content: whole.content, bases: &bases, at: now, by: agent + ".server")
                let mine = Whole(title: document.title.text, content: document.content.text)
                step = .idle
                guard mine != whole else { return bases.settle(document.version) }
                bases.willSend(document.version)
                step = .toSend(mine)
            case .toSend(let whole):
                if !isLost || hasEffect { server = whole }
                step = isLost ? .idle : .sent
            }
        }

        /// Whether the server is known to have what is here.
        func isSynced(with server: Whole) -> Bool {
            bases.sent.isEmpty && server == Whole(title: document.title.text, content: document.content.text)
        }
    }

    @Test(arguments: 0..<60)
    func `every typed sign stands once on a server where the last PUT wins`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let hubs = (0..<3).map { Hub($0) }
        var server = Whole()
        var deleted: Set<Unicode.Scalar> = []
        var now = Instant(milliseconds: 0)
        func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &generator) == 0 }
        for _ in 0..<600 {
            now = now + .milliseconds(Int64.random(in: 0..<50, using: &generator))
            let hub = hubs[Int.random(in: 0..<3, using: &generator)]
            switch Int.random(in: 0..<10, using: &generator) {
            case 0, 1: if let sign = try hub.edit(&generator) { deleted.insert(sign) }
            case 2: hub.kill()
            default:
                // A hub reads and writes at once, or is killed between; it sees what it has written at any time later.
                try hub.advance(&server, isLost: chance(6), hasEffect: true, at: now)
                if hub.isWriting { try hub.advance(&server, isLost: false, hasEffect: true, at: now) }
                if chance(8) { hub.kill() }
                if hub.isWriting { try hub.advance(&server, isLost: chance(6), hasEffect: chance(2), at: now) }
            }
        }
        for _ in 0..<100 where !hubs.allSatisfy({ $0.isSynced(with: server) }) {
            for hub in hubs {
                for _ in 0..<3 { try hub.advance(&server, isLost: false, hasEffect: true, at: now) }
            }
        }
        #expect(hubs.allSatisfy { $0.isSynced(with: server) })
        let signs = Array((server.title + server.content).unicodeScalars)
        #expect(Set(signs).count == signs.count, "doubled")
        let typed = hubs.reduce(into: Set<Unicode.Scalar>()) { $0.formUnion($1.typed) }
        #expect(typed.subtracting(deleted).subtracting(signs).isEmpty, "lost")
        #expect(Set(signs).subtracting(typed).isEmpty)
    }

    private static let start = Instant(milliseconds: 0)

    private func document(_ texts: String...) throws -> (document: NoteDocument, versions: [NoteVersion]) {
        var document = NoteDocument()
        let versions = try texts.map { text in
            try document.set(content: text, by: "here")
            return document.version
        }
        return (document, versions)
    }

    @Test func `a PUT without an answer counts as stored when the server has it`() throws {
        var (document, versions) = try document("milk", "milk, bread")
        var bases = ServerBases(seen: versions[0])
        bases.willSend(versions[1])
        try document.merge(serverTitle: "", content: "milk, bread", bases: &bases, at: Self.start, by: "server")
        #expect(document.content.text == "milk, bread")
        #expect(bases.seen == versions[1] && bases.sent.isEmpty)
    }

    @Test func `a text that replaced what was sent is merged at what it had read`() throws {
        var (document, versions) = try document("milk", "milk, bread")
        var bases = ServerBases(seen: versions[0])
        bases.willSend(versions[1])
        try document.merge(serverTitle: "", content: "eggs, milk", bases: &bases, at: Self.start, by: "server")
        #expect(document.content.text == "eggs, milk, bread")
        #expect(bases.sent == [versions[1]])
    }

    @Test func `a race is noticed after what was sent had been seen`() throws {
        var (document, versions) = try document("milk", "milk, bread")
        var bases = ServerBases(seen: versions[0])
        bases.willSend(versions[1])
        try document.merge(serverTitle: "", content: "milk, bread", bases: &bases, at: Self.start, by: "server")
        try document.merge(serverTitle: "", content: "eggs, milk", bases: &bases, at: Self.start, by: "server")
        #expect(document.content.text == "eggs, milk, bread")
    }

    @Test func `a deletion of what was sent is taken in`() throws {
        var (document, versions) = try document("milk", "milk, bread")
        var bases = ServerBases(seen: versions[0])
        bases.willSend(versions[1])
        try document.merge(serverTitle: "", content: "milk, bread", bases: &bases, at: Self.start, by: "server")
        try document.merge(serverTitle: "", content: "milk", bases: &bases, at: Self.start, by: "server")
        #expect(document.content.text == "milk")
    }

    @Test func `after a minute a text is based on what was seen last`() throws {
        var (document, versions) = try document("milk", "milk, bread")
        var bases = ServerBases(seen: versions[0])
        bases.willSend(versions[1])
        try document.merge(serverTitle: "", content: "milk, bread", bases: &bases, at: Self.start, by: "server")
        let later = Self.start + ServerBases.raceTime
        try document.merge(serverTitle: "", content: "eggs, milk", bases: &bases, at: later, by: "server")
        #expect(document.content.text == "eggs, milk")
    }
}
