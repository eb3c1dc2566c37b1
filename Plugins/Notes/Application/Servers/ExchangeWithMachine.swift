import HubKit
import NotesDomain
import Storage
import Sync

extension NotesPlugin {
    /// What machines of the person exchange of notes: by the protocol of notes servers, with all that the person has of a note.
    static let exchange = MachineExchange(
        noun: ("note", "notes"),
        serve: { (notes: NotesPlugin, peer, machine) in try await notes.serve(peer, as: .machine, machine: machine) },
        run: { (notes: NotesPlugin, connection) in try await notes.exchange(over: connection) },
        count: { (notes: NotesPlugin, machine) in try await notes.countNotes(for: machine) },
        explain: { (notes: NotesPlugin, id, machine) in try await notes.explainNotes(id, at: machine) },
        forget: { (notes: NotesPlugin, machine) in
            try await notes.store.write(NoteServers.kind.operation) {
                try $0.forgetMachine(NoteMachine.server(machine))
            }
        })

    /// Exchanges notes with the machine that this one has joined.
    private func exchange(over connection: MachineConnection) async throws -> MachineExchangeReport {
        let server = NoteMachine.server(connection.machine)
        let account = Account(name: server, address: .identifier(server))
        try await store.write(NoteServers.kind.operation) { try $0.useServer(server, at: server, configured: [server]) }
        await indexed.catchUp()
        let sync = SyncHub(
            store: store, account: account, others: SyncNoteApp.Others(names: [], folders: [], takesNewNotes: true),
            operation: connection.operation, clock: clock, bus: accounts.registry.bus, blobs: blobs,
            transfers: MachineTransfers(files: connection.files, blobs: blobs),
            lifetime: connection.isLasting ? .open : .untilUpToDate, cursors: connection.isLasting ? cursors : nil,
            onUpToDate: { await connection.onUpToDate(MachineExchangeReport($0)) })
        let socket = NoteSocket(connection.channel)
        let counts = try await socket.whileAnswering(connection.isLasting ? .first : .each, clock: clock) {
            try await sync.run(socket)
        }
        return MachineExchangeReport(counts)
    }

    /// Says what is known of notes whose ids begin so, at a machine.
    private func explainNotes(_ prefix: String, at machine: String) async throws -> [ItemExplanation] {
        let server = NoteMachine.server(machine)
        return try await store.read { transaction in
            try transaction.noteIDs(beginning: prefix, limit: 50).map { id in
                func state(_ base: String, here: String, next: String, why: String) -> ItemExplanation {
                    ItemExplanation(
                        place: machine, item: "notes/\(id)", base: base, here: here, there: "told over its connection",
                        next: next, why: why)
                }
                guard let note = try transaction.note(id) else {
                    return state("-", here: "gone", next: "nothing", why: "it is not here")
                }
                guard let remote = try transaction.hubRemote(of: id, on: server) else {
                    return state(
                        "never exchanged", here: "there", next: "is sent",
                        why: "\(machine) does not have it")
                }
                let changes = try transaction.changes(of: note, since: remote)
                return state(
                    "as \(machine) had it",
                    here: changes.isEmpty ? "as it was" : changes.joined(separator: ", "),
                    next: changes.isEmpty
                        ? "nothing from here" : "is sent, and joined with what \(machine) has changed",
                    why: changes.isEmpty ? "it is as it was" : "texts are joined letter by letter")
            }
        }
    }

    /// Counts the notes of this store, and those whose changes a machine lacks.
    private func countNotes(for machine: String?) async throws -> (all: Int, waiting: Int) {
        try await store.read { transaction in
            let counts = try transaction.machineCounts(of: machine.map { NoteMachine.server($0) } ?? "")
            return (counts.all, machine == nil ? 0 : counts.waiting)
        }
    }
}

extension MachineExchangeReport {
    fileprivate init(_ counts: SyncHub.Counts) {
        self.init()
        received = counts.received.total
        sent = counts.sent.total
        if counts.joined > 0 {
            notes.append(
                counts.joined == 1
                    ? "1 note was the same on both machines, and is one now"
                    : "\(counts.joined) notes were the same on both machines, and are one each now")
        }
        notes += counts.broughtBack.sorted().map { "\"\($0)\" was changed there, and is back from the trash" }
        notes += counts.refused.sorted { $0.key < $1.key }.map { "the note \($0.key) was not taken: \($0.value)" }
        notes += counts.failed.sorted { $0.key < $1.key }.map { note, reason in
            note.isEmpty ? reason : "the note \(note) was not exchanged: \(reason)"
        }
    }
}
