import NotesDomain
import TestSupport
import Testing
import TextCRDT

/// Replicas, pages and clients of NoteApp on one server, over connections that break at any point, with restarts of all.
@Suite(.timeLimit(.minutes(20)))
struct SimulationTests {
    private static let note = "1ab"

    /// Signs that one client types, none twice.
    private struct Alphabet {
        let first: UInt32
        var count: UInt32 = 0
        var deleted: Set<Unicode.Scalar> = []

        var typed: Set<Unicode.Scalar> { Set((0..<count).compactMap { Unicode.Scalar(first + $0) }) }

        /// A random edit of a text: new signs, or one of the own ones deleted.
        mutating func edit(_ text: String, _ generator: inout SeededGenerator) -> TextEdit {
            let scalars = Array(text.unicodeScalars)
            let own = scalars.indices.filter { (first..<first + 0x800).contains(scalars[$0].value) }
            if Int.random(in: 0..<4, using: &generator) == 0, let place = own.randomElement(using: &generator) {
                deleted.insert(scalars[place])
                return TextEdit(position: place, deletedCount: 1)
            }
            var signs = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                if let sign = Unicode.Scalar(first + count) { signs.append(sign) }
                count += 1
            }
            return TextEdit(position: Int.random(in: 0...scalars.count, using: &generator), inserted: String(signs))
        }
    }

    /// A hub with a store of its own.
    private final class Replica {
        let id: Int
        var alphabet: Alphabet
        var document = NoteDocument()
        var cursor: String?
        var serverVersion = NoteVersion()
        var session: ClientSession
        var toServer: [String] = []
        var isUpToDate = false
        var agent: String { "hub\(id)" }

        init(id: Int, alphabet: Alphabet) {
            (self.id, self.alphabet) = (id, alphabet)
            session = ClientSession(agent: "hub\(id)")
        }

        private func merge(_ delta: NoteDelta, _ cursor: String?) throws {
            guard (try? document.merge(delta.patch)) != nil else {
                return try run(session.missing(note, have: document.version))
            }
            self.cursor = cursor ?? self.cursor
            guard let version = delta.version else { return }
            serverVersion = document.joined(serverVersion, version)
        }

        func run(_ actions: [ClientSession.Action]) throws {
            for action in actions {
                switch action {
                case .send(let frame): toServer.append(frame)
                case .readOutgoing(_, let excluding):
                    var notes: [OutgoingNote] = []
                    if document.version != serverVersion, !excluding.contains(note) {
                        notes.append(
                            OutgoingNote(
                                note: note, version: document.version, patch: document.patch(since: serverVersion)))
                    }
                    try run(session.outgoing(notes, isComplete: true))
                case .merge(let delta, let cursor): try merge(delta, cursor)
                case .keepCursor(let cursor): self.cursor = cursor
                case .forgetServerState, .forgetNoteState: serverVersion = NoteVersion()
                case .confirmed(let outgoing):
                    serverVersion = document.joined(serverVersion, outgoing.version)
                case .upToDate: isUpToDate = true
                case .close, .refused, .lost, .unreadable: Issue.record("\(action)")
                case .presence, .accessRequested, .serverKnowsFiles: break
                }
            }
        }
    }

    /// A page with one open editor.
    private final class Page {
        let id: Int
        var alphabet: Alphabet
        var editor = EditClient(note: note)
        var toServer: [String] = []
        var number = 0
        var isOpened = false
        var agent: String { "page\(id)" }

        init(id: Int, alphabet: Alphabet) { (self.id, self.alphabet) = (id, alphabet) }

        func next() -> Int {
            number += 1
            return number
        }

        func open() {
            isOpened = false
            toServer = [
                ClientFrame.hello(agent: agent, mode: .edits, cursor: nil).text,
                ClientFrame.request(editor.opening(number: next())).text,
            ]
        }

        func flush() {
            if let request = editor.request(number: next()) { toServer.append(ClientFrame.request(request).text) }
        }

        func receive(_ frame: String) throws {
            switch try ServerFrame(frame) {
            case .text(let delta) where delta.field == .content:
                let shown = editor.text
                guard let edits = editor.receive(delta) else { return open() }
                #expect(TextChange(edits).applied(to: shown) == editor.text)
                if !isOpened {
                    isOpened = true
                    if let again = editor.opened(acknowledged: delta.acknowledged, number: next()) {
                        toServer.append(ClientFrame.request(again).text)
                    }
                }
                flush()
            case .refused(_, let code, let message): Issue.record("\(code) \(message)")
            default: break
            }
        }
    }

    private struct World {
        let server = SimulatedServer()
        var replicas: [Replica] = []
        var pages: [Page] = []
        var legacy = Alphabet(first: 0x7000)
        var legacyText = ""
        var legacyBase = NoteVersion()
        var isLegacyDirty = false
        var toClient: [Int: [String]] = [:]

        mutating func connect(_ id: Int) throws {
            server.disconnect(id)
            toClient[id] = []
            server.connect(id, as: .account("ada"))
            if id < replicas.count {
                replicas[id].toServer = []
                replicas[id].isUpToDate = false
                try replicas[id].run(replicas[id].session.connected(cursor: replicas[id].cursor))
            } else {
                pages[id - replicas.count].open()
            }
        }

        mutating func drop(_ id: Int) {
            server.disconnect(id)
            toClient[id] = []
            if id < replicas.count {
                replicas[id].session.disconnected()
                replicas[id].toServer = []
            } else {
                pages[id - replicas.count].editor.disconnected()
                pages[id - replicas.count].toServer = []
            }
        }

        /// The process ends and starts again: what is not stored is gone.
        mutating func restart(_ id: Int) throws {
            drop(id)
            if id < replicas.count {
                replicas[id].session = ClientSession(agent: replicas[id].agent)
            } else {
                let page = pages[id - replicas.count]
                page.editor = EditClient(note: SimulationTests.note, page.editor.snapshot)
            }
            try connect(id)
        }

        /// Delivers one frame in a random direction; false when there was none.
        mutating func deliver(_ id: Int, _ generator: inout SeededGenerator, isHostile: Bool) throws -> Bool {
            toClient[id, default: []] += server.take(id)
            let isReplica = id < replicas.count
            var out = isReplica ? replicas[id].toServer : pages[id - replicas.count].toServer
            if !out.isEmpty, Bool.random(using: &generator) || toClient[id]?.isEmpty != false {
                // Pushes may come twice and in another order.
                let isPush = out.count > 2 && isReplica
                if isHostile, isPush, Int.random(in: 0..<3, using: &generator) == 0 { out.swapAt(1, 2) }
                let frame = out.removeFirst()
                if isReplica { replicas[id].toServer = out } else { pages[id - replicas.count].toServer = out }
                server.receive(frame, from: id)
                if isHostile, isReplica, frame.contains("\"push\""), Bool.random(using: &generator) {
                    server.receive(frame, from: id)
                }
                return true
            }
            guard var queue = toClient[id], !queue.isEmpty else { return false }
            let frame = queue.removeFirst()
            toClient[id] = queue
            if isReplica {
                try replicas[id].run(replicas[id].session.receive(frame))
            } else {
                try pages[id - replicas.count].receive(frame)
            }
            return true
        }
    }

    @Test(arguments: 0..<60)
    func `all converge and no sign is lost or doubled`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 7000 + seed)
        var world = World()
        world.server.notes[Self.note] = SimulatedServer.StoredNote(access: NoteAccess(owner: "ada", members: ["ada"]))
        world.server.change = 1
        world.server.handsOver = seed % 2 == 1
        world.server.notes[Self.note]?.change = 1
        world.replicas = (0..<2).map { Replica(id: $0, alphabet: Alphabet(first: 0x4E00 + UInt32($0) * 0x800)) }
        world.pages = (2..<4).map { Page(id: $0, alphabet: Alphabet(first: 0x4E00 + UInt32($0) * 0x800)) }
        for id in 0..<4 { try world.connect(id) }
        for _ in 0..<400 {
            let id = Int.random(in: 0..<4, using: &generator)
            switch Int.random(in: 0..<40, using: &generator) {
            case 0: world.drop(id)
            case 1: try world.restart(id)
            case 2:  // The server restarts: its store stays, each connection ends.
                for id in 0..<4 { world.drop(id) }
            case 3...6: if world.server.connections[id] == nil { try world.connect(id) }
            case 7...9:
                if !world.isLegacyDirty, let document = world.server.notes[Self.note]?.document {
                    (world.legacyText, world.legacyBase) = (document.content.text, document.version)
                }
                let edit = world.legacy.edit(world.legacyText, &generator)
                world.legacyText = TextChange([edit]).applied(to: world.legacyText)
                world.isLegacyDirty = true
            case 10, 11: try put(&world)
            case 12...20:
                if id < 2 {
                    let replica = world.replicas[id]
                    let edit = replica.alphabet.edit(replica.document.content.text, &generator)
                    try replica.document.apply(
                        [edit], to: .content, by: replica.agent, at: replica.document.version.content)
                    try replica.run(replica.session.changed())
                } else {
                    let page = world.pages[id - 2]
                    page.editor.type([page.alphabet.edit(page.editor.text, &generator)])
                    page.flush()
                }
            default: _ = try world.deliver(id, &generator, isHostile: true)
            }
        }
        try put(&world)
        for id in 0..<4 { try world.restart(id) }
        var isBusy = true
        while isBusy {
            isBusy = false
            for id in 0..<4 { while try world.deliver(id, &generator, isHostile: false) { isBusy = true } }
        }
        let final = try #require(world.server.notes[Self.note]?.document.content.text)
        for replica in world.replicas {
            #expect(replica.document.content.text == final)
            #expect(replica.isUpToDate)
        }
        for page in world.pages {
            #expect(page.editor.text == final)
            #expect(page.editor.isSaved)
        }
        let alphabets = world.replicas.map(\.alphabet) + world.pages.map(\.alphabet) + [world.legacy]
        let expected = alphabets.reduce(into: Set<Unicode.Scalar>()) { $0.formUnion($1.typed.subtracting($1.deleted)) }
        let isComplete = Set(final.unicodeScalars) == expected
        #expect(isComplete, "\(expected.count) signs expected, \(final.unicodeScalars.count) there")
        #expect(final.unicodeScalars.count == Set(final.unicodeScalars).count)
        #expect(expected.count > 50)
    }

    private func put(_ world: inout World) throws {
        guard world.isLegacyDirty else { return }
        world.legacyBase = try world.server.put(
            Self.note, content: world.legacyText, base: world.legacyBase, agent: "legacy")
        world.isLegacyDirty = false
    }
}
