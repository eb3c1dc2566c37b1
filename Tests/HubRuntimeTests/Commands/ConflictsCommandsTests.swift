import ContactsDomain
import HubKitTesting
import HubRuntimeTesting
import Storage
import Sync
import Synchronization
import TestSupport
import Testing

@testable import Contacts
@testable import HubRuntime

/// The output of the conflict commands.
struct ConflictsCommandsTests {
    private static let card = """
        BEGIN:VCARD\r
        VERSION:3.0\r
        UID:lukasz\r
        FN:Łukasz Nowak\r
        N:Nowak;Łukasz;;;\r
        TEL;TYPE=CELL:+48 601 111 111\r
        NOTE:chess\r
        REV:20261119T080000Z\r
        END:VCARD\r

        """

    /// A hub in which a number was changed, and a book in which it was changed to another one.
    private func clashed() async throws -> (hub: TestHub, there: OneCardBook) {
        let hub = try TestHub(ContactsPlugin.self)
        let there = OneCardBook(Self.card)
        try await sync(hub, there)
        let set = "contacts set lukasz phone.mobile=\"+48 601 234 567\" note=\"met in Gdańsk\""
        #expect(await hub.run(set).exit == 0)
        hub.clock.advance(by: .seconds(7200))
        there.put(
            Self.card.replacing("111 111", with: "999 000").replacing("REV", with: "EMAIL:lukasz@nowak.pl\r\nREV"))
        try await sync(hub, there)
        return (hub, there)
    }

    /// Syncs as `hub contacts sync` does.
    private func sync(_ fixture: TestHub, _ there: OneCardBook) async throws {
        let hub = fixture.hub()
        let contacts = try hub.plugin(ContactsPlugin.self)
        let store = try hub.database().store(for: "contacts")
        let book = try await store.write(System.Operation("contacts accounts add", kind: .cache)) {
            try $0.saveBook(RemoteBook(href: "/book/", name: "Friends", versions: ["3.0"]), account: "posteo")
        }
        let done = try await SyncBooks(contacts.contacts, clock: hub.clock).sync(
            [SyncBooks.Target(book, over: there)], operation: System.Operation("contacts sync"))
        #expect(done.failure == nil && done.outcomes.allSatisfy { $0.failure == nil })
        await hub.openedDatabase?.close()
    }

    @Test func `a conflict from the sync that finds it to its undoing`() async throws {
        let (hub, there) = try await clashed()
        var shown = await hub.transcript("contacts conflicts", "contacts conflicts show lukasz")
        shown += await hub.transcript("contacts conflicts resolve lukasz")
        shown += await hub.transcript(
            "contacts conflicts resolve lukasz", console: ScriptedConsole(answers: ["x", "b"]))
        shown += await hub.transcript("contacts conflicts", "contacts conflicts show lukasz", "undo")
        shown += await hub.transcript("contacts conflicts show lukasz --json", "redo", "contacts show lukasz")
        Golden.expect(shown, is: "conflict-life.txt")
        try await sync(hub, there)
        let theirs = there.text
        #expect(theirs.contains("234 567") && theirs.contains("999 000") && theirs.contains("Gdańsk"))
    }

    @Test(arguments: [("1", "234 567"), ("2", "999 000")])
    func `one of both versions is taken`(answer: String, number: String) async throws {
        let (hub, there) = try await clashed()
        let run = await hub.run(
            "contacts conflicts resolve lukasz", console: ScriptedConsole(answers: [answer]))
        #expect(run.exit == 0 && run.output.contains("phone mobile +48 601 \(number), sent with the next sync"))
        try await sync(hub, there)
        #expect(there.text.contains("TEL;TYPE=CELL:+48 601 \(number)\r\n") && there.text.contains("Gdańsk"))
    }

    @Test func `all conflicts are resolved alike in one step`() async throws {
        let (hub, there) = try await clashed()
        #expect(await hub.run("contacts conflicts resolve --take there").exit == 64)
        #expect(await hub.run("contacts conflicts resolve lukasz --all --take there").exit == 64)
        let run = await hub.run("contacts conflicts resolve --all --take there")
        #expect(run.exit == 0 && run.output.contains("phone mobile +48 601 999 000"))
        #expect(await hub.run("contacts conflicts resolve --all --take there").exit == 1, "none is left")
        await hub.run("undo")
        #expect(await hub.run("contacts conflicts --plain=id").output.split(separator: "\n").count == 1)
        try await sync(hub, there)
    }

    @Test func `skipping leaves both, editing decides`() async throws {
        let (hub, there) = try await clashed()
        let skipped = await hub.run(
            "contacts conflicts resolve lukasz", console: ScriptedConsole(answers: ["s"]))
        #expect(skipped.exit == 0 && skipped.output.contains("both versions kept"))
        let editor = ScriptedConsole(answers: ["e"]) { $0.replacing("234 567", with: "555 555") }
        let edited = await hub.run("contacts conflicts resolve lukasz", console: editor)
        #expect(edited.exit == 0 && edited.output.contains("sent with the next sync"))
        #expect(await hub.run("contacts conflicts show lukasz").exit == 1)
        try await sync(hub, there)
        #expect(there.text.contains("555 555"))
    }
}

/// A keeper of one card.
private final class OneCardBook: CollectionClient {
    private let card: Mutex<(text: String, version: Int)>

    init(_ text: String) { card = Mutex((text, 1)) }

    var text: String { card.withLock(\.text) }

    private var entry: RemoteEntry { card.withLock { RemoteEntry(href: "/a", etag: "\($0.version)") } }

    func put(_ text: String) { card.withLock { $0 = (text, $0.version + 1) } }

    func state() async throws(RemoteError) -> String? { entry.etag }

    func changes(since token: String?) async throws(RemoteError) -> RemoteChanges {
        RemoteChanges(isComplete: true, entries: [entry])
    }

    func fetch(_ hrefs: [String]) async throws(RemoteError) -> [RemoteCard] {
        [RemoteCard(href: "/a", etag: entry.etag, bytes: Array(text.utf8))]
    }

    func create(_ card: [UInt8], name: String) async throws(RemoteError) -> PutResult { .nameTaken(href: "/a") }

    func update(_ href: String, to card: [UInt8], ifMatch etag: String) async throws(RemoteError) -> PutResult {
        put(String(decoding: card, as: UTF8.self))
        return .stored(href: href, etag: entry.etag)
    }

    func remove(_ href: String, ifMatch etag: String) async throws(RemoteError) -> DeleteResult { .gone }
}
