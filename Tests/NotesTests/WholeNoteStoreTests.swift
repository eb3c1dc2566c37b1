import Hashing
import HubKit
import NotesDomain
import System
import TestSupport
import Testing
import TextCRDT

@testable import Notes

/// What every store of a notes server promises: requests for access, whole notes and attachments.
@Suite(.timeLimit(.minutes(20)))
struct WholeNoteStoreTests {
    typealias Implementation = ServerStoreImplementation

    private func caller(_ name: String?, legacy: LegacyMode? = .off, over connection: UInt64? = nil) -> NoteAppCaller {
        let client = name ?? "10.0.0.1"
        return NoteAppCaller(
            actor: name.map { .account($0) } ?? .anonymous, client: client, reader: client, connection: connection,
            legacy: legacy)
    }

    private func draft(_ content: String, _ members: [String] = ["ada", "bob"]) -> NoteAppDraft {
        NoteAppDraft(title: "Plan", content: content, access: members, owner: "ada")
    }

    private func refuses(_ status: Int, _ body: () async throws -> Void) async {
        let error = await #expect(throws: NoteAppError.self) { try await body() }
        #expect(error?.status == status)
    }

    @Test(arguments: Implementation.allCases)
    func `a whole note is made, read, merged and deleted`(_ implementation: Implementation) async throws {
        let fixture = try await implementation.make()
        let (store, other) = (fixture.store, fixture.other)
        let (ada, bob) = (caller("ada"), caller("bob"))
        let id = try await store.create(draft("milk\n"), by: ada)
        #expect(try await store.noteCount() == 1)
        #expect(try await other.read(nil, by: bob).notes.map(\.content) == ["milk\n"])
        #expect(try await !store.read(id, by: caller("bob")).notes.isEmpty)
        // What is read again needs no record.
        #expect(try await store.read(id, by: bob).isRepeatable)
        // Both write over what they have read.
        try await store.write(WholeNotePut(draft("milk\noat\n"), of: id, as: id.text, by: ada))
        try await other.write(WholeNotePut(draft("bread\nmilk\n"), of: id, as: id.text, by: bob))
        #expect(try await store.read(id, by: ada).notes.map(\.content) == ["bread\nmilk\noat\n"])
        let before = try await store.position()
        _ = try await store.read(id, by: bob)
        try await store.write(WholeNotePut(draft("bread\nmilk\noat\n"), of: id, as: id.text, by: bob))
        #expect(try await store.position() == before, "the same text is no change")
        try await store.delete(id, by: ada)
        #expect(try await other.read(nil, by: bob).notes.isEmpty)
        #expect(try await other.noteCount() == 0)
        await refuses(404) { _ = try await store.read(id, by: ada) }
        await refuses(404) { try await store.write(WholeNotePut(draft("x"), of: id, as: id.text, by: ada)) }
        await refuses(404) { try await store.delete(id, by: ada) }
    }

    @Test(arguments: Implementation.allCases)
    func `a client deletes what it has surely read, and nothing that it may not have got`(
        _ implementation: Implementation
    ) async throws {
        let store = try await implementation.make().store
        let id = try await store.create(draft("milk\n"), by: caller("bob"))
        func put(_ content: String, by caller: NoteAppCaller) async throws -> String {
            try await store.write(WholeNotePut(draft(content), of: id, as: id.text, by: caller))
            return try await store.read(id, by: self.caller("bob")).notes[0].content
        }
        let third = caller("bob", over: 3)
        _ = try await store.read(id, by: third)
        _ = try await put("milk\noat\n", by: caller("ada"))
        _ = try await store.read(id, by: third)
        #expect(try await put("milk\n", by: third) == "milk\n", "just what came last is deleted")
        let (first, second) = (caller("ada", over: 1), caller("ada", over: 2))
        for text in ["milk\noat\n", "xmilk\n"] {
            // It has written before, so it may be one of several that look the same.
            _ = try await store.read(id, by: first)
            _ = try await put("milk\n", by: first)
            #expect(try await put(text, by: caller("bob")) == text)
            _ = try await store.read(id, by: first)
            #expect(try await put("milk\n", by: second) == text, "the answer may have got lost with its connection")
            _ = try await store.read(id, by: first)
            #expect(try await put("milk\n", by: first) == "milk\n")
        }
    }

    @Test(arguments: Implementation.allCases)
    func `what a client may not do leaves nothing`(_ implementation: Implementation) async throws {
        let fixture = try await implementation.make()
        let store = fixture.store
        let id = try await store.create(draft("milk"), by: caller("ada"))
        _ = try await store.read(id, by: caller("bob"))
        let before = try await store.position()
        let (eve, anyone) = (caller("eve"), caller(nil))
        await refuses(403) { _ = try await store.read(id, by: eve) }
        await refuses(401) { _ = try await store.read(nil, by: anyone) }
        await refuses(401) { _ = try await store.create(draft("x"), by: anyone) }
        await refuses(403) { _ = try await store.create(draft("x"), by: caller(nil, legacy: .readonly)) }
        await refuses(403) { try await store.write(WholeNotePut(draft("x"), of: id, as: id.text, by: eve)) }
        // The text comes with a member that only the owner adds.
        await refuses(403) {
            try await store.write(
                WholeNotePut(draft("x", ["ada", "bob", "eve"]), of: id, as: id.text, by: caller("bob")))
        }
        await refuses(403) { try await store.delete(id, by: caller("bob")) }
        await #expect(throws: HubError.self) {
            var long = draft("milk")
            long.title = String(repeating: "x", count: NoteLimits.title + 1)
            try await store.write(WholeNotePut(long, of: id, as: id.text, by: caller("ada")))
        }
        #expect(try await store.read(nil, by: eve).notes.isEmpty)
        #expect(try await store.position() == before)
        #expect(try await store.read(id, by: caller("ada")).notes.map(\.content) == ["milk"])
    }

    @Test(arguments: Implementation.allCases)
    func `a write over what the owner may have is refused, one that does not grow is not`(
        _ implementation: Implementation
    ) async throws {
        let store = try await implementation.make().store
        let id = try await store.create(draft("milk"), by: caller("ada"))
        let operation = Operation("notes limits", who: .person)
        try await store.setLimits(AccountLimits(texts: 1000), of: "ada", operation: operation)
        let (ada, bob) = (caller("ada"), caller("bob"))
        for caller in [ada, bob] {
            let long = draft(String(repeating: "x", count: 2000))
            let error = await #expect(throws: HubError.self) {
                try await store.write(WholeNotePut(long, of: id, as: id.text, by: caller))
            }
            #expect(error?.code == AccountMeter.refusalCode)
        }
        #expect(try await store.read(id, by: ada).notes.map(\.content) == ["milk"])
        try await store.write(WholeNotePut(draft("oat"), of: id, as: id.text, by: ada))
        #expect(try await store.read(id, by: bob).notes.map(\.content) == ["oat"])
    }

    @Test(arguments: Implementation.allCases)
    func `writes of many clients at the same time lose no word`(_ implementation: Implementation) async throws {
        let fixture = try await implementation.make()
        let id = try await fixture.store.create(draft("0\n"), by: caller("ada"))
        let names = (1...6).map { "device\($0)" }
        try await withThrowingTaskGroup { group in
            for name in names {
                group.addTask {
                    let store = name.last == "1" ? fixture.other : fixture.store
                    let me = NoteAppCaller(
                        actor: .account("ada"), client: name, reader: name, connection: nil, legacy: .off)
                    for number in 0..<4 {
                        let text = try await store.read(id, by: me).notes.map(\.content).joined()
                        try await store.write(
                            WholeNotePut(self.draft("\(text)\(name)-\(number)\n"), of: id, as: id.text, by: me))
                    }
                }
            }
            try await group.waitForAll()
        }
        let text = try await fixture.store.read(id, by: caller("ada")).notes.map(\.content).joined()
        let lines = text.split(separator: "\n")
        #expect(Set(lines).count == 25 && lines.count == 25)
    }

    @Test(arguments: Implementation.allCases)
    func `a request for access waits for its answer`(_ implementation: Implementation) async throws {
        let fixture = try await implementation.make()
        let (store, other) = (fixture.store, fixture.other)
        let id = try await store.create(draft("secret", ["ada"]), by: caller("ada"))
        let news = NewRequests()
        #expect(try await news.found(at: store.position(), in: store).isEmpty)
        for reason in ["", "please"] {
            let note = try await store.requestAccess(to: id, by: "eve", reason: reason, caller: caller("eve"))
            #expect(try await store.wireID(of: note) == id)
        }
        let pending = try await other.pendingRequests()
        #expect(pending.map(\.request.requester) == ["eve"] && pending.map(\.request.reason) == ["please"])
        #expect(pending.map(\.owner) == ["ada"] && pending.first?.event?.id == id.text)
        // Whoever has found it does not hear of it again from who has made it. With SQLite there are no other servers.
        let found = try await news.found(at: store.position(), in: store)
        #expect(found.map(\.request.requester) == (implementation == .postgres ? ["eve"] : []))
        #expect(news.told(pending[0].request) == found.isEmpty && news.told(pending[0].request))
        await refuses(409) {
            _ = try await store.requestAccess(to: id, by: "ada", reason: "", caller: caller("ada"))
        }
        await refuses(404) {
            let unknown = NoteAppID([1])
            _ = try await store.requestAccess(to: unknown, by: "eve", reason: "", caller: caller("eve"))
        }
        let note = try #require(pending.first?.request.note)
        let answer = NoteRequest.Kind.answer(requester: "eve", allow: true)
        #expect(try await StoreClient("eve", of: store).perform(answer, note).code == .locked)
        for _ in 0..<2 { #expect(try await StoreClient("ada", of: store).perform(answer, note) == .done) }
        #expect(try await other.access(of: note)?.members == ["ada", "eve"])
        #expect(try await store.pendingRequests().isEmpty)
    }

    @Test(arguments: Implementation.allCases)
    func `content belongs to who sent it, and then to the readers of a note`(
        _ implementation: Implementation
    ) async throws {
        let fixture = try await implementation.make()
        let store = fixture.store
        let ada = StoreClient("ada", of: store)
        let note = try await ada.make("text", with: ["bob"])
        let hash = try SHA256.hexadecimal("bytes".utf8)
        let change = NoteRequest.Kind.set(
            NoteChange(attached: [AttachmentReference(path: "a.png", hash: hash, size: 5)]))
        // In pieces, which may come to different servers where these have one place for them.
        let others = fixture.other.contents is PostgresContents ? fixture.other.contents : store.contents
        #expect(try await store.contents.add(Array("byt".utf8), to: hash, at: 0, from: "bob") == 3)
        #expect(try await others.received(hash, from: "bob") == 3)
        let gap = await #expect(throws: HubError.self) {
            _ = try await others.add(Array("s".utf8), to: hash, at: 4, from: "bob")
        }
        #expect(gap?.code == "upload-gap")
        #expect(try await store.contents.size(of: hash) == nil)
        #expect(try await store.contents.received(hash, from: "ada") == 0)
        #expect(try await others.add(Array("es".utf8), to: hash, at: 3, from: "bob") == 5)
        let kept = try await store.contents.complete(hash, from: "bob")
        #expect(kept != nil)
        #expect(try await others.size(of: hash) == 5)
        #expect(try await others.received(hash, from: "bob") == 0)
        #expect(try await others.piece(of: hash, at: 0, limit: 2) == Array("by".utf8))
        #expect(try await others.piece(of: hash, at: 4, limit: 9) == Array("s".utf8))
        // The same by another sender, and other content under this hash.
        #expect(try await others.add(Array("bytes".utf8), to: hash, at: 0, from: "eve") == 5)
        #expect(try await others.complete(hash, from: "eve") != nil)
        let wrong = String(repeating: "ab", count: 32)
        #expect(try await store.contents.add(Array("bytes".utf8), to: wrong, at: 0, from: "eve") == 5)
        #expect(try await store.contents.complete(wrong, from: "eve") == nil)
        #expect(try await store.contents.size(of: wrong) == nil)
        #expect(try await store.contents.received(wrong, from: "eve") == 0)
        let empty = try SHA256.hexadecimal([])
        #expect(try await store.contents.add([], to: empty, at: 0, from: "eve") == 0)
        #expect(try await store.contents.complete(empty, from: "eve") != nil)
        #expect(try await store.contents.size(of: empty) == 0)
        try await store.addUpload(hash, size: 5, by: "bob")
        #expect(try await store.uploadSize(hash, by: "bob") == 5)
        #expect(try await store.uploadSize(hash, by: "ada") == nil)
        #expect(try await ada.perform(change, note).code == .unavailable, "the hash alone gives no access")
        #expect(try await StoreClient("bob", of: fixture.other).perform(change, note) == .done)
        #expect(try await store.uploadedBytes(by: "bob") == 0)
        for name in ["ada", "bob"] { #expect(try await store.attachmentSize(hash, readableBy: name) == 5) }
        #expect(try await store.attachmentSize(hash, readableBy: "eve") == nil)
        #expect(try await store.attachmentSize("no hash", readableBy: "ada") == nil)
    }

    @Test(arguments: Implementation.allCases)
    func `what is published again is no change`(_ implementation: Implementation) async throws {
        let store = try await implementation.make().store
        let note = try await StoreClient("ada", of: store).make("text")
        let before = try await store.position()
        try await store.publish(changesOf: [note, Identifier.make()])
        #expect(try await store.position() == before)
    }
}
