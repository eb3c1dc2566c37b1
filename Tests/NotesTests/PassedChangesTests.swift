import NotesDomain
import System
import Testing

@testable import Notes

/// Changes of other servers that are read once for all clients.
struct PassedChangesTests {
    /// A client that has everything up to change 5.
    private func session() -> ServerSession {
        var session = ServerSession(actor: .account("bob"), epoch: "e", latest: 5)
        _ = session.receive(ClientFrame.hello(agent: "bob", mode: .log, cursor: nil).text)
        _ = session.changes(ChangePage(notes: [], end: 5, hasMore: false))
        return session
    }

    private func page(_ access: NoteAccess, to end: Int, revoked: Set<String> = []) -> ChangePage {
        let metadata = NoteMetadata(access: access, changedAt: Instant(milliseconds: 0))
        let note = ChangedNote(
            "1a", metadata, change: end, accessChange: end, isMetadataChanged: true, agents: [], revoked: revoked)
        return ChangePage(notes: [note], end: end, hasMore: false)
    }

    private func reads(_ actions: [ServerSession.Action]) -> [Int] {
        actions.compactMap { if case .readChanges(let after, _) = $0 { after } else { nil } }
    }

    @Test func `what is for others moves the place of a client alone`() {
        var session = session()
        let actions = session.passed(page(NoteAccess(owner: "ada"), to: 7), after: 5)
        #expect(reads(actions).isEmpty && actions.count == 1, "it gets its cursor")
        #expect(session.passed(page(NoteAccess(owner: "ada"), to: 7), after: 5).isEmpty, "once")
        #expect(session.changed(7).isEmpty)
        #expect(reads(session.changed(8)) == [7])
    }

    @Test func `what is for a client is read, and so is what was not passed`() {
        var shared = session()
        #expect(reads(shared.passed(page(NoteAccess(owner: "ada", members: ["bob"]), to: 7), after: 5)) == [5])
        #expect(
            shared.passed(page(NoteAccess(owner: "ada"), to: 8), after: 7).isEmpty, "while it reads, nothing passes")
        #expect(reads(shared.changes(ChangePage(notes: [], end: 7, hasMore: false))) == [7])
        var revoked = session()
        #expect(reads(revoked.passed(page(NoteAccess(owner: "ada"), to: 7, revoked: ["bob"]), after: 5)) == [5])
        var late = session()
        #expect(reads(late.passed(page(NoteAccess(owner: "ada"), to: 9), after: 7)) == [5], "changes lie between")
        var new = ServerSession(actor: .account("bob"), epoch: "e", latest: 5)
        #expect(new.passed(page(NoteAccess(owner: "ada"), to: 7), after: 5).isEmpty, "before it has said who it is")
    }
}
