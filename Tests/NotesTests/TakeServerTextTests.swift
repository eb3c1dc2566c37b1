import HubKit
import NotesDomain
import Storage
import Synchronization
import Testing

@testable import Notes

/// What a server of whole notes has is merged before the write that stores it.
struct TakeServerTextTests {
    private let fixture: NotesFixture
    private let remote = NoteAppID("0123456789abcdef01234567")

    init() throws { fixture = try NotesFixture() }

    private func link(_ id: String) async throws {
        try await fixture.store.write(fixture.operation()) { transaction in
            let link = NoteAppLink(
                note: id, remote: remote, edits: SentEdits(settled: try transaction.version(of: id)),
                access: NoteAccess(owner: "bob"))
            try transaction.setLink(link, on: "home")
        }
    }

    @Test func `a note that is changed while its texts are merged is merged again`() async throws {
        let id = try await fixture.make("List", "milk").id
        try await link(id)
        let note = NoteAppNote(
            id: try #require(remote), title: "List", content: "milk\nbread", access: ["bob"], owner: "bob")
        let words = Mutex(["eggs", "oats"])
        let taken = try await fixture.store.take(note, into: id, from: "home", as: fixture.operation()) {
            guard let word = words.withLock({ $0.popLast() }) else { return }
            try await fixture.write(word + "\n" + fixture.get(id).content, to: id)
        }
        #expect(try await fixture.get(id).content == "eggs\noats\nmilk\nbread")
        #expect(taken.draft?.content == "eggs\noats\nmilk\nbread" && taken.isMerged)
    }

    @Test func `a note that is changed all the time is left to the next sync`() async throws {
        let id = try await fixture.make("List", "milk").id
        try await link(id)
        let note = NoteAppNote(
            id: try #require(remote), title: "List", content: "milk\nbread", access: ["bob"], owner: "bob")
        await #expect(throws: NoteAppError.self) {
            try await fixture.store.take(note, into: id, from: "home", as: fixture.operation()) {
                try await fixture.write(fixture.get(id).content + "!", to: id)
            }
        }
        #expect(try await fixture.get(id).content == "milk!!!!!")
    }

    @Test func `a text of which only the Unicode form has changed is sent`() async throws {
        let id = try await fixture.make("List", "caf\u{E9}").id
        try await link(id)
        try await fixture.write("cafe\u{301}", to: id)
        let note = NoteAppNote(
            id: try #require(remote), title: "List", content: "caf\u{E9}", access: [], owner: "bob")
        let taken = try await fixture.store.take(note, into: id, from: "home", as: fixture.operation())
        #expect(taken.draft?.content.unicodeScalars.count == 5)
    }
}
