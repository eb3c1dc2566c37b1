import NotesDomain
import Storage
import Sync
import Testing

@testable import Notes

/// What is sent to a server of hub over one connection.
struct OutgoingQueueTests {
    private let fixture: NotesFixture
    private let account = Account(name: "home", address: .server("https://home.example"))
    private let others = SyncNoteApp.Others(names: ["home"], folders: [], takesNewNotes: true)

    init() throws { fixture = try NotesFixture() }

    /// The ids of the notes that are sent, and whether these are all.
    private func send(
        _ queue: inout OutgoingQueue, limit: Int = 10, excluding: Set<String> = [], confirmed: Bool = true
    ) async throws -> (notes: [String], isComplete: Bool) {
        let result = try await fixture.store.write(fixture.operation("notes sync")) { [queue, account, others] tx in
            var (queue, contents) = (queue, OutgoingContents())
            let (notes, isComplete, _) = try tx.outgoing(
                &queue, to: account, others, limit: limit, excluding: excluding, contents: &contents)
            for note in notes where confirmed { try tx.confirm(note, on: account.name) }
            return (queue: queue, notes: notes.map(\.note), isComplete: isComplete)
        }
        queue = result.queue
        return (result.notes, result.isComplete)
    }

    @Test func `all notes are sent once, a few at a time, then those that change`() async throws {
        var ids: [String] = []
        for number in 1...5 { ids.append(try await fixture.make("Note \(number)", "text").id) }
        var queue = OutgoingQueue()
        var sent: [String] = []
        for isLast in [false, false, true] {
            let (notes, isComplete) = try await send(&queue, limit: 2)
            sent += notes
            #expect(isComplete == isLast)
        }
        #expect(sent == ids)
        #expect(try await send(&queue).notes.isEmpty)
        try await fixture.write("other", to: ids[1])
        let new = try await fixture.make("New").id
        #expect(try await send(&queue).notes == [ids[1], new])
        #expect(try await send(&queue).notes.isEmpty)
    }

    @Test func `a note that is busy is sent when it no longer is`() async throws {
        let (first, second) = (try await fixture.make("First").id, try await fixture.make("Second").id)
        var queue = OutgoingQueue()
        #expect(try await send(&queue, excluding: [first]) == ([second], true))
        #expect(try await send(&queue, excluding: [first]) == ([], true))
        #expect(try await send(&queue).notes == [first])
    }

    @Test func `what a server has refused stays unsent until it is looked at again`() async throws {
        let note = try await fixture.make("First").id
        var queue = OutgoingQueue()
        #expect(try await send(&queue, confirmed: false).notes == [note])
        #expect(try await send(&queue).notes.isEmpty)
        queue.add([note])
        #expect(try await send(&queue).notes == [note])
        var next = OutgoingQueue()
        #expect(try await send(&next).notes.isEmpty)
    }

    @Test func `in a store that a backup has replaced, all notes are looked at`() async throws {
        for number in 1...3 { try await fixture.make("Note \(number)") }
        var queue = OutgoingQueue()
        _ = try await send(&queue)
        let restored = try OutgoingQueueTests()
        let note = try await restored.fixture.make("Restored").id
        #expect(try await restored.send(&queue).notes == [note])
    }

    @Test func `a note that was deleted for good is told to the server that had it`() async throws {
        let account = Account(name: "home", address: .server("https://home.example"), user: "ada")
        let note = try await fixture.make("First").id
        var queue = OutgoingQueue()
        _ = try await send(&queue)
        try await fixture.store.write(fixture.operation("notes rm")) { tx in
            var remote = try #require(try tx.hubRemote(of: note, on: "home"))
            remote.access.owner = "ada"
            try tx.setHubRemote(remote, on: "home")
            try tx.destroyNote(note)
        }
        let outgoing = try await fixture.store.write(fixture.operation("notes sync")) { [queue, others] tx in
            var (queue, contents) = (queue, OutgoingContents())
            return try tx.outgoing(
                &queue, to: account, others, limit: 10, excluding: [], contents: &contents
            ).notes
        }
        #expect(outgoing.map(\.change?.isDeleted) == [true])
    }
}
