import NotesDomain
import Storage
import System
import Testing

@testable import Notes

/// A note that is open in an editor.
struct EditTests {
    @Test func `each save is merged at once and changes of others reach the file`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Shopping", "milk\nbread\n")
        let edited = try await fixture.notes.open(note.id, operation: fixture.operation("notes edit"))
        var file = await edited.text
        #expect(file == "Shopping\n\nmilk\nbread\n")
        file = try await edited.exchange(file.replacing("milk", with: "oat milk"))
        #expect(try await fixture.get(note.id).content == "oat milk\nbread\n")
        try await fixture.write("oat milk\nbread\neggs\n", to: note.id, who: .service("maria"))
        file = try await edited.exchange(file)
        #expect(file == "Shopping\n\noat milk\nbread\neggs\n")
        file = try await edited.exchange(file.replacing("bread", with: "rye bread"))
        #expect(try await fixture.get(note.id).content == "oat milk\nrye bread\neggs\n")
    }

    @Test func `an editor that still shows an older text takes nothing back`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Log", "one\ntwo\nthree\nfour\n")
        let edited = try await fixture.notes.open(note.id, operation: fixture.operation("notes edit"))
        let opened = await edited.text
        try await fixture.write("one\ntwo\nthree\nfour\nfive\n", to: note.id, who: .service("maria"))
        let file = try await edited.exchange(opened.replacing("one", with: "1"))
        #expect(file == "Log\n\n1\ntwo\nthree\nfour\nfive\n")
        // The editor has not read the file again, and saves what it has.
        let again = try await edited.exchange(opened.replacing("one", with: "1").replacing("two", with: "2"))
        #expect(again == "Log\n\n1\n2\nthree\nfour\nfive\n")
        #expect(try await fixture.get(note.id).content == "1\n2\nthree\nfour\nfive\n")
    }

    @Test func `all saves of one session are undone together`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Log", "one")
        let edited = try await fixture.notes.open(note.id, operation: fixture.operation("notes edit"))
        _ = try await edited.exchange("Log\n\none two\n")
        _ = try await edited.exchange("Diary\n\none two three\n")
        #expect(try await fixture.get(note.id).title == "Diary")
        try await fixture.undo()
        let undone = try await fixture.get(note.id)
        #expect(undone.title == "Log" && undone.content == "one")
    }

    @Test func `a text that is saved as it was changes nothing`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Log", "one")
        let edited = try await fixture.notes.open(note.id, operation: fixture.operation("notes edit"))
        // Editors end a file with a line end.
        _ = try await edited.exchange("Log\n\none\n")
        #expect(try await fixture.get(note.id).revision == note.revision)
        #expect(await edited.isChanged == false)
    }

    @Test func `front matter that is typed on top becomes the properties of the note`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Log", "one", tags: ["old"])
        let edited = try await fixture.notes.open(note.id, operation: fixture.operation("notes edit"))
        let saved = "---\ntags: [work, plan]\npinned: true\nsource: https://example.org\n---\nLog\n\none two\n"
        #expect(try await edited.exchange(saved) == "Log\n\none two")
        var now = try await fixture.get(note.id)
        #expect(now.title == "Log" && now.content == "one two" && now.tags == ["old", "work", "plan"] && now.isPinned)
        #expect(
            try await fixture.store.read { try $0.frontMatter(of: note.id) }?.contains("source: https://example.org")
                == true)
        // An editor that does not read the file again saves it once more.
        let revision = now.revision
        _ = try await edited.exchange(saved)
        #expect(try await fixture.get(note.id).revision == revision)
        // A title in it counts as one.
        _ = try await edited.exchange("---\ntitle: Diary\n---\nLog\n\none two three\n")
        now = try await fixture.get(note.id)
        #expect(now.title == "Diary" && now.content == "one two three")
        try await fixture.undo()
        now = try await fixture.get(note.id)
        #expect(now.title == "Log" && now.content == "one" && now.tags == ["old"] && !now.isPinned)
        let empty = NoteForm(title: "", content: "")
        let new = NoteForm(saved: "---\ntitle: A\n---\n\nfirst\nsecond\n", opened: empty)
        #expect(new.title == "A" && new.content == "first\nsecond")
        let ruler = NoteForm(saved: "---\n\nno front matter\n", opened: empty)
        #expect(ruler.title == "---" && ruler.frontMatter == nil)
    }

    @Test func `the form is read as it is shown`() {
        for form in [
            NoteForm(title: "A", content: "b"), NoteForm(title: "", content: "b\n"),
            NoteForm(title: "A", content: "\n\nb"), NoteForm(title: "A", content: ""),
        ] { #expect(NoteForm(saved: form.text, opened: form) == form) }
        let empty = NoteForm(title: "", content: "")
        #expect(NoteForm(saved: "Title\r\ntext\n", opened: empty) == NoteForm(title: "Title", content: "text"))
        let marked = NoteForm(saved: "\u{FEFF}Title\n\ntext\n", opened: empty).title
        #expect(marked.unicodeScalars.elementsEqual("Title".unicodeScalars), "a byte order mark is no letter")
        #expect(NoteForm(title: "two\nlines", content: "").title == "two lines")
    }
}
