import NotesDomain
import Testing
import TextCRDT
import Time

/// Changes of other servers that were read once for all clients of a server.
struct PassedChangesTests {
    private struct Texts: NoteTextReader {
        private struct Missing: Error {}

        var version: Version?

        func patch(_ note: String, afterChange change: Int?) throws -> (patch: NotePatch, version: NoteVersion) {
            throw Missing()
        }

        func edits(_ note: String, _ field: NoteField, since known: Version?) throws -> (
            from: Version?, to: Version, edits: [TextEdit]
        ) {
            guard let version else { throw Missing() }
            return (known, version, [TextEdit(position: 0, inserted: "x")])
        }

        func nextSequence(_ note: String, _ field: NoteField, of agent: String) throws -> Int { 0 }
    }

    /// A client of mode `edits` that has everything up to change 5 and has a note open.
    private func session() -> ServerSession {
        var session = ServerSession(actor: .account("bob"), epoch: "e", latest: 5)
        _ = session.receive(ClientFrame.hello(agent: "bob", mode: .edits, cursor: nil).text)
        let request = NoteRequest(1, "1a", .open(nil))
        _ = session.finished(request, .texts([]))
        return session
    }

    private func page(_ owner: String, note: String = "1a", to end: Int, revoked: Set<String> = []) -> ChangePage {
        let metadata = NoteMetadata(access: NoteAccess(owner: owner), changedAt: Instant(milliseconds: 0))
        let note = ChangedNote(
            note, metadata, change: end, accessChange: 1, isMetadataChanged: false, agents: [AgentName("ada")],
            revoked: revoked)
        return ChangePage(notes: [note], end: end, hasMore: false)
    }

    private func reads(_ actions: [ServerSession.Action]) -> [Int] {
        actions.compactMap { if case .readChanges(let after, _) = $0 { after } else { nil } }
    }

    private func kinds(_ actions: [ServerSession.Action]) throws -> [String] {
        try actions.compactMap { action in
            guard case .send(let text) = action else { return nil }
            switch try ServerFrame(text) {
            case .note: return "note"
            case .text: return "text"
            case .gone: return "gone"
            case .cursor: return "cursor"
            default: return "?"
            }
        }
    }

    @Test func `an open note gets the edits, and another one its news`() throws {
        var session = session()
        let texts = Texts(version: Version([EventID(agent: "ada", sequence: 3)]))
        let edits = session.passed(page("bob", to: 7), after: 5, texts: texts)
        #expect(reads(edits).isEmpty)
        #expect(try kinds(edits) == ["text", "text", "cursor"])
        #expect(session.passed(page("bob", to: 7), after: 5, texts: texts).isEmpty, "once")
        let other = session.passed(page("bob", note: "1b", to: 8), after: 7, texts: Texts())
        #expect(try kinds(other) == ["note"])
        #expect(reads(session.changed(9)) == [8])
    }

    @Test func `what is for others moves the place alone, and a lost note is told`() throws {
        var session = session()
        #expect(try kinds(session.passed(page("ada", to: 7), after: 5, texts: Texts())) == ["cursor"])
        #expect(try kinds(session.skipped(after: 7, upTo: 8)) == ["cursor"])
        #expect(session.skipped(after: 7, upTo: 8).isEmpty, "once")
        let lost = session.passed(page("ada", to: 9, revoked: ["bob"]), after: 8, texts: Texts())
        #expect(try kinds(lost) == ["gone"])
    }

    @Test func `a client reads by itself what was not passed to it, or has no texts with it`() {
        var late = session()
        #expect(reads(late.passed(page("bob", to: 9), after: 7, texts: Texts(version: Version([])))) == [5])
        #expect(late.passed(page("bob", to: 10), after: 9, texts: Texts()).isEmpty, "while it reads, nothing passes")
        #expect(reads(late.changes(ChangePage(notes: [], end: 9, hasMore: false))) == [9])
        var unread = session()
        #expect(reads(unread.passed(page("bob", to: 7), after: 5, texts: Texts())) == [5])
        var gap = session()
        #expect(reads(gap.skipped(after: 6, upTo: 7)) == [5])
        var new = ServerSession(actor: .account("bob"), epoch: "e", latest: 5)
        #expect(new.passed(page("bob", to: 7), after: 5, texts: Texts()).isEmpty, "before it has said who it is")
    }

    @Test func `a frame that many clients get is encoded once`() {
        let frames = SharedFrames()
        let frame = ServerFrame.cursor("e:1")
        #expect(frames.text(of: frame) == frame.text)
        for number in 0..<200 {
            #expect(frames.text(of: .cursor("e:\(number)")) == ServerFrame.cursor("e:\(number)").text)
        }
        #expect(frames.text(of: frame) == frame.text)
    }
}
