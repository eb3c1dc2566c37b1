import HubKit
import NotesDomain
import Storage
import Sync
import TestSupport
import Testing
import Text

@testable import Notes

/// The names under which devices see notes: what is kept in memory is what a look at all notes would find.
@Suite(.timeLimit(.minutes(5)))
struct ServedNamesTests {
    private static let titles = ["Tea", "tea", "Tea 2", "Tea 2 2", "Caf\u{e9}", "Cafe\u{301}", "", "a/b", "Untitled"]
    private static let folders = ["", "x", "x/y", "Caf\u{e9}", "Cafe\u{301}"]

    /// What a device sees of all folders, as `documents` remember it.
    private func seen(_ documents: NoteDocuments) async throws -> [[ServedFile]] {
        var seen: [[ServedFile]] = []
        for folder in Self.folders {
            seen.append(try await documents.documents(in: folder.split(separator: "/").map(String.init)).files)
        }
        return seen
    }

    @Test(.seeded, arguments: 0..<3 as Range<UInt64>)
    func `after any changes the names are those of a fresh look`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let fixture = try NotesFixture()
        let documents = NoteDocuments(notes: fixture.notes)
        var ids: [String] = []
        for step in 0..<60 {
            let title = Self.titles.randomElement(using: &random) ?? ""
            let folder = Self.folders.randomElement(using: &random) ?? ""
            let id = ids.randomElement(using: &random)
            switch (Int.random(in: 0..<10, using: &random), id) {
            case (0..<4, _), (_, nil): ids.append(try await fixture.make(title, "\(step)", folder: folder).id)
            case (4, let id?): _ = try? await fixture.notes.rename(id, to: title, operation: fixture.operation())
            case (5, let id?): _ = try? await fixture.notes.move([id], to: folder, operation: fixture.operation())
            case (6, let id?): _ = try? await fixture.notes.notes.delete([id], operation: fixture.operation())
            case (7, let id?): _ = try? await fixture.notes.notes.restore([id], operation: fixture.operation())
            case (8, let id?): _ = try? await fixture.notes.append("more", to: id, operation: fixture.operation())
            default:
                if Bool.random(using: &random) {
                    _ = try? await fixture.undo()
                } else {
                    _ = try await fixture.notes.notes.emptyTrash(
                        before: fixture.clock.now, operation: fixture.operation())
                }
            }
            fixture.clock.advance(by: .seconds(1))
            // Not after each step, so that several changes come at once.
            guard step % 3 == 0 else { continue }
            let fresh = NoteDocuments(notes: fixture.notes)
            let (kept, wanted) = (try await seen(documents), try await seen(fresh))
            #expect(kept == wanted, "step \(step)")
            for (folder, files) in zip(Self.folders, wanted) {
                #expect(Set(files.map { NoteFileName.key(ByteString($0.name)) }).count == files.count)
                let start = folder.split(separator: "/").map(String.init)
                for file in files {
                    #expect(try await documents.document(at: start + [file.name]) == file, "step \(step)")
                }
                #expect(try await documents.hasDocuments(in: start) == fresh.hasDocuments(in: start))
            }
        }
    }

    @Test func `a note is found by the bytes of its name, then by an equal name, then by its title`() async throws {
        let fixture = try NotesFixture()
        let documents = NoteDocuments(notes: fixture.notes)
        let first = try await fixture.make("Caf\u{e9}").id
        let second = try await fixture.make("Cafe\u{301}").id
        let third = try await fixture.make("a/b").id
        #expect(try await documents.document(at: ["Caf\u{e9}.md"])?.id == first)
        #expect(try await documents.document(at: ["Cafe\u{301}.md"])?.id == first)
        #expect(try await documents.document(at: ["Cafe\u{301} 2.md"])?.id == second)
        #expect(try await documents.document(at: ["a-b.md"])?.id == third)
        #expect(try await documents.document(at: ["a/b.md"])?.id == third)
        #expect(try await documents.document(at: ["a.md"]) == nil)
    }

    @Test func `what a transaction writes that fails is not remembered`() async throws {
        struct Stopped: Error {}
        let fixture = try NotesFixture()
        let documents = NoteDocuments(notes: fixture.notes)
        let id = try await fixture.make("Tea").id
        let before = try await documents.documents(in: []).files
        await #expect(throws: Stopped.self) {
            try await fixture.store.write(fixture.operation()) { transaction in
                #expect(try documents.names.place(at: ["Tea.md"], transaction)?.id == id)
                let made = try transaction.createNote(NoteDraft(title: "Tea", content: ""))
                // As another write sees it that is committed with this one.
                #expect(try documents.names.name(of: made.id, transaction) == "Tea 2.md")
                #expect(try documents.names.place(at: ["Tea 2.md"], transaction)?.id == made.id)
                throw Stopped()
            }
        }
        #expect(try await documents.documents(in: []).files == before)
        #expect(try await documents.document(at: ["Tea 2.md"]) == nil)
        // It gets the number of the change that did not last.
        let other = try await fixture.make("Coffee").id
        #expect(try await documents.document(at: ["Coffee.md"])?.id == other)
        #expect(try await documents.documents(in: []).files.count == 2)
    }

    @Test func `files of one name get the first free numbers`() {
        var sequence = FileNameSequence()
        #expect(sequence.next("Tea 3") == "Tea 3.md")
        #expect(
            ["Tea", "tea", "TEA", "Tea"].map { sequence.next(ByteString($0)) } == [
                "Tea.md", "tea 2.md", "TEA 4.md", "Tea 5.md",
            ])
        #expect(sequence.next("tea") == "tea 6.md")
    }

    @Test func `ten thousand files of one name take one look each`() {
        var sequence = FileNameSequence()
        var last = ""
        for _ in 0..<10_000 { last = sequence.next("Untitled") }
        #expect(last == "Untitled 10000.md")
    }
}
