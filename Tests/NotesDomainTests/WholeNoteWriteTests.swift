import NotesDomain
import Testing
import TextCRDT

/// Whole notes written over stored ones: what each client may change, and that a stale write undoes nothing.
struct WholeNoteWriteTests {
    private let access = NoteAccess(owner: "ada", members: ["ada", "bob"])

    private func note() throws -> NoteDocument {
        var note = NoteDocument()
        try note.set(title: "T", content: "one\n", by: "seed")
        return note
    }

    private func write(
        _ content: String, _ members: [String] = ["ada", "bob"], owner: String = "ada", into note: NoteDocument,
        read: NoteRead?, earlier: [NoteRead] = [], others: [NoteRead] = [], by actor: Actor = .anonymous,
        legacy: LegacyMode = .open
    ) throws(WholeNoteWrite.Refusal) -> WholeNoteWrite.Outcome {
        try WholeNoteWrite(title: "T", content: content, members: members, owner: owner).merged(
            into: note, access, read: read, earlier: earlier, others: others, by: actor, legacy: legacy, agent: "put")
    }

    @Test func `a write of what was read changes nothing, even after others have changed it`() throws {
        var note = try note()
        let read = NoteRead(version: note.version, members: access.members)
        try note.set(content: "one\ntwo\n", by: "other")
        let same = try write("one\n", into: note, read: read)
        #expect(!same.isChanged)
        #expect(same.document.content.text == "one\ntwo\n")
        #expect(same.read == read)
    }

    @Test func `a client that did not get the last answer takes nothing back`() throws {
        var note = try note()
        let first = NoteRead(version: note.version, members: access.members)
        try note.set(content: "one\ntwo\n", by: "other")
        let second = NoteRead(version: note.version, members: access.members)
        let stale = try write("one\n3", into: note, read: second, earlier: [first])
        #expect(stale.document.content.text == "one\n3two\n" || stale.document.content.text == "one\ntwo\n3")
        // Nor with the text that it has, be it one letter less or a line, and even if clients that look the same have read that too.
        for others in [[], [first]] {
            #expect(try !write("one\n", into: note, read: second, earlier: [first], others: others).isChanged)
            try note.set(content: "aone\ntwo\n", by: "other")
            let third = NoteRead(version: note.version, members: access.members)
            let old = try write("one\ntwo\n", into: note, read: third, earlier: [second, first], others: others)
            #expect(!old.isChanged)
            try note.set(content: "one\ntwo\n", by: "other")
        }
        // Who has surely read it may delete it.
        #expect(try write("one\n", into: note, read: second).document.content.text == "one\n")
        // Who has read it may delete a part of it.
        let read = try write("one\nto\n", into: note, read: second, earlier: [first])
        #expect(read.document.content.text == "one\nto\n")
    }

    @Test func `two writes in a row from one client each count once`() throws {
        var note = try note()
        let read = NoteRead(version: note.version, members: access.members)
        try note.set(content: "zero\none\n", by: "other")
        let first = try write("one\na", into: note, read: read)
        #expect(first.document.content.text == "zero\none\na")
        // It has not read the note since, and goes on from its own text.
        let second = try write("one\nab", into: first.document, read: first.read)
        #expect(second.document.content.text == "zero\none\nab")
        #expect(second.isChanged)
    }

    @Test func `a stale list of members undoes no grant, and a grant undoes no edit`() throws {
        var note = try note()
        let read = NoteRead(version: note.version, members: ["ada"])
        try note.set(content: "one\ntwo\n", by: "other")
        let grant = try write("one\n", ["ada", "eve"], into: note, read: read)
        #expect(grant.access.members == ["ada", "bob", "eve"])
        #expect(grant.document.content.text == "one\ntwo\n")
        let unknown = try write("one\ntwo\n", [], into: note, read: nil)
        #expect(unknown.access == access, "a client that read nothing removes nobody")
        #expect(!unknown.isChanged)
    }

    @Test func `each part needs its own right`() throws {
        let note = try note()
        let read = NoteRead(version: note.version, members: access.members)
        func refusal(_ actor: Actor, _ legacy: LegacyMode, _ members: [String] = ["ada", "bob"]) -> AccessRefusal? {
            do throws(WholeNoteWrite.Refusal) {
                _ = try write("x", members, into: note, read: read, by: actor, legacy: legacy)
                return nil
            } catch {
                if case .access(let refusal) = error { return refusal }
                return nil
            }
        }
        #expect(refusal(.account("eve"), .open) == .locked)
        #expect(refusal(.account("bob"), .open) == nil)
        #expect(refusal(.account("bob"), .open, ["ada", "bob", "eve"]) == .ownerOnly)
        #expect(refusal(.account("ada"), .open, ["ada", "bob", "eve"]) == nil)
        #expect(refusal(.anonymous, .readonly) == .readOnly)
        #expect(refusal(.anonymous, .off) == .authenticationRequired)
        #expect(refusal(.anonymous, .open, ["ada", "bob", "eve"]) == nil)
        let kept = try write("x", owner: "eve", into: note, read: read, by: .account("bob"))
        #expect(kept.access.owner == "ada")
        let given = try write("x", owner: "bob", into: note, read: read, by: .account("ada"))
        #expect(given.access.owner == "bob")
    }

    @Test func `without a known base the most similar version is taken`() throws {
        var note = try note()
        let old = note.version
        try note.set(content: "one\ntwo and some more\n", by: "other")
        let recent = [
            MergeBase.Candidate(version: note.version, title: "T", content: "one\ntwo and some more\n"),
            MergeBase.Candidate(version: old, title: "T", content: "one\n"),
        ]
        let outcome = try WholeNoteWrite(title: "T", content: "one!\n", members: [], owner: "").merged(
            into: note, access, read: nil, recent: recent, by: .anonymous, legacy: .open, agent: "put")
        #expect(outcome.base == .similar(old))
        #expect(outcome.document.content.text == "one!\ntwo and some more\n")
    }
}
