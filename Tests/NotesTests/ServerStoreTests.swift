import Hashing
import HubKit
import NotesDomain
import Synchronization
import System
import TestSupport
import Testing
import TextCRDT

@testable import Notes

/// What every store of a notes server promises: accounts, requests of hub's protocol, and the changes that its clients follow.
@Suite(.timeLimit(.minutes(20)))
struct ServerStoreTests {
    typealias Implementation = ServerStoreImplementation

    private func insert(_ text: String, at position: Int = 0, _ sequence: Int = 0, base: Version) -> NoteRequest.Kind {
        .edit(
            EditRequest(
                field: .content, sequence: sequence, base: base, edits: [TextEdit(position: position, inserted: text)]))
    }

    // MARK: Accounts

    @Test(arguments: Implementation.allCases)
    func `an account is its tokens`(_ implementation: Implementation) async throws {
        let fixture = try await implementation.make()
        let (store, operation) = (fixture.store, Operation("notes server users invite"))
        let hash = [UInt8](repeating: 7, count: 32)
        #expect(try await store.legacyMode(nil) == .open)
        #expect(try await store.account(ofToken: hash) == nil)
        try await store.addToken(hash, of: "ada", operation: operation)
        try await store.addToken([UInt8](repeating: 8, count: 32), of: "ada", operation: operation)
        await #expect(throws: (any Error).self, "a token is one person's") {
            try await store.addToken(hash, of: "eve", operation: operation)
        }
        #expect(try await store.legacyMode(nil) == .off)
        #expect(try await store.legacyMode(.readonly) == .readonly)
        let account = try await fixture.other.account(ofToken: hash)
        #expect(account?.person == "ada" && account?.usedAt == nil)
        fixture.clock.advance(by: .seconds(60))
        try await store.recordUse(ofToken: hash)
        #expect(try await store.account(ofToken: hash)?.usedAt == fixture.clock.now)
        let accounts = try await store.accounts()
        #expect(accounts.map(\.name) == ["ada"] && accounts.map(\.tokens) == [2])
        #expect(try await fixture.other.position().accounts == ["ada"])
        #expect(try await store.removeAccount("ada", operation: operation))
        #expect(try await !store.removeAccount("ada", operation: operation))
        #expect(try await fixture.other.account(ofToken: hash) == nil)
    }

    @Test(arguments: Implementation.allCases)
    func `who did what is recorded with it`(_ implementation: Implementation) async throws {
        let fixture = try await implementation.make()
        let (store, operation) = (fixture.store, Operation("notes server users invite"))
        let hash = [UInt8](repeating: 7, count: 32)
        try await store.addToken(hash, of: "ada", operation: operation)
        try await store.recordUse(ofToken: hash)
        let ada = StoreClient("ada", of: store)
        let note = try await ada.make("text", with: ["bob"])
        let readers = AccessChange(granted: ["eve"], readers: ["bob"])
        #expect(try await ada.perform(.set(NoteChange(addedTags: ["a"], access: readers)), note) == .done)
        #expect(try await StoreClient("rex", of: fixture.other).perform(.unlock(reason: "please"), note) == .done)
        #expect(try await ada.perform(.answer(requester: "rex", allow: true), note) == .done)
        // What is refused, or changes neither access nor the place of a note, leaves nothing.
        #expect(
            try await StoreClient("zoe", of: store).perform(.set(NoteChange(isDeleted: true)), note).code == .locked)
        #expect(try await ada.perform(.set(NoteChange(addedTags: ["b"])), note) == .done)
        for isDeleted in [true, false] {
            #expect(try await ada.perform(.set(NoteChange(isDeleted: isDeleted)), note) == .done)
        }
        try await store.record(
            AuditEntry(at: fixture.clock.now, person: "127.0.0.1", .refused, detail: "unknown token"))
        #expect(try await store.removeAccount("ada", operation: operation))
        #expect(try await !store.removeAccount("ada", operation: operation))
        let entries = try await fixture.other.audit(of: nil, limit: 100)
        #expect(
            entries.reversed().map {
                "\($0.person) \($0.action) \($0.subject == note ? "note" : $0.subject) \($0.detail)"
            } == [
                " token ada ", "ada login ada ", "ada access note +bob", "ada access note ~bob +eve",
                "rex request note ",
                "ada access note +rex", "ada deletion note ", "ada restoration note ",
                "127.0.0.1 refused  unknown token",
                " removal ada ",
            ])
        #expect(try await store.audit(of: "rex", limit: 100).map(\.action) == [.request])
        #expect(try await store.audit(of: note, limit: 2).map(\.action) == [.restoration, .deletion])
        fixture.clock.advance(by: .seconds((AuditEntry.days + 1) * 86_400))
        if implementation == .sqlite {
            try await store.record(AuditEntry(at: fixture.clock.now, person: "", .limits, "bob"))
            #expect(try await store.audit(of: nil, limit: 100).map(\.action) == [.limits])
        }
    }

    @Test(arguments: Implementation.allCases)
    func `an account at its limit keeps what it has, and can delete`(_ implementation: Implementation) async throws {
        let fixture = try await implementation.make()
        let (store, operation) = (fixture.store, Operation("notes server users limit"))
        try await store.addToken([UInt8](repeating: 7, count: 32), of: "ada", operation: operation)
        let ada = StoreClient("ada", .edits, agent: "page", of: store)
        let note = try await ada.make("text", with: ["bob"])
        #expect(try await store.limitedAccount("ada") == nil)
        func limit(_ limits: AccountLimits?) async throws {
            for store in [store, fixture.other] { try await store.setLimits(limits, of: "ada", operation: operation) }
        }
        func push(_ client: StoreClient, _ id: String) async throws -> RefusalCode? {
            var document = NoteDocument()
            _ = try document.set(title: "", content: "more", by: "\(client.name)2")
            return try await client.perform(.push(document.patch(since: NoteVersion())), id).code
        }
        // Notes.
        try await limit(AccountLimits(notes: 1))
        let error = await #expect(throws: HubError.self) { _ = try await push(ada, Identifier.make()) }
        #expect(error?.kind == .invalid && error?.code == "account-limit")
        #expect(try await push(StoreClient("bob", of: fixture.other), Identifier.make()) == nil, "others have no limit")
        try await limit(AccountLimits(notes: 2))
        #expect(try await push(ada, Identifier.make()) == nil)
        // Texts, whoever writes them.
        let used = try #require(try await store.limitedAccount("ada")).usage
        #expect(used.notes == 2 && used.texts > 0 && used.attachments == 0)
        try await limit(AccountLimits(texts: used.texts))
        let base = try await ada.content(note).version
        await #expect(throws: HubError.self) { _ = try await ada.perform(insert("x", base: base), note) }
        let bob = StoreClient("bob", .edits, agent: "bobs", of: fixture.other)
        await #expect(throws: HubError.self) { _ = try await bob.perform(insert("x", base: base), note) }
        let deletion = EditRequest(
            field: .content, sequence: 0, base: base, edits: [TextEdit(position: 0, deletedCount: 2)])
        #expect(try await ada.perform(.edit(deletion), note).code == nil)
        #expect(try await ada.content(note).text == "xt")
        #expect(try await StoreClient("eve", .edits, of: store).perform(insert("x", base: base), note).code == .locked)
        // Attachments.
        try await limit(AccountLimits(attachments: 6))
        for (name, isTaken) in [("four", true), ("five", false), ("if", true)] {
            let hash = try SHA256.hexadecimal(name.utf8)
            _ = try await store.contents.add(Array(name.utf8), to: hash, at: 0, from: "bob")
            let kept = try await store.contents.complete(hash, from: "bob")
            try await store.addUpload(hash, size: name.utf8.count, by: "bob")
            withExtendedLifetime(kept) {}
            let file = AttachmentReference(path: ByteString(name), hash: hash, size: name.utf8.count)
            if isTaken {
                #expect(try await bob.perform(.set(NoteChange(attached: [file])), note) == .done)
            } else {
                await #expect(throws: HubError.self) {
                    _ = try await bob.perform(.set(NoteChange(attached: [file])), note)
                }
            }
        }
        let account = try #require(try await fixture.other.accounts().first)
        #expect(account.usage.notes == 2 && account.usage.attachments == 6)
        #expect(account.limits == AccountLimits(attachments: 6))
        try await limit(nil)
        #expect(try await store.accounts().first?.limits == nil)
        #expect(try await store.limitedAccount("ada") == nil)
    }

    // MARK: Requests

    @Test(arguments: Implementation.allCases)
    func `what is refused leaves nothing`(_ implementation: Implementation) async throws {
        let fixture = try await implementation.make()
        let ada = StoreClient("ada", .edits, agent: "page", of: fixture.store)
        let note = try await ada.make("text", with: ["bob"])
        let (before, base) = (try await fixture.store.position(), try await ada.content(note).version)
        func refuses(
            _ code: RefusalCode, _ kind: NoteRequest.Kind, by client: StoreClient, _ id: String? = nil,
            at location: SourceLocation = #_sourceLocation
        ) async throws {
            #expect(try await client.perform(kind, id ?? note).code == code, sourceLocation: location)
            #expect(try await fixture.store.position() == before, sourceLocation: location)
        }
        let (bob, eve) = (StoreClient("bob", of: fixture.store), StoreClient("eve", .edits, of: fixture.store))
        try await refuses(.locked, .open(nil), by: eve)
        try await refuses(.locked, insert("x", base: base), by: eve)
        try await refuses(.ownerOnly, .set(NoteChange(access: AccessChange(granted: ["eve"]))), by: bob)
        try await refuses(.notFound, insert("x", base: base), by: ada, Identifier.make())
        try await refuses(.invalid, insert("x", at: 9, base: base), by: ada)
        let names = (0...NoteLimits.members).map { "name\($0)" }
        try await refuses(
            .tooLarge, .set(NoteChange(addedTags: ["new"], access: AccessChange(granted: names))), by: ada)
        // The tag comes with content that nobody has sent.
        let missing = AttachmentReference(path: "a.png", hash: String(repeating: "a", count: 64), size: 1)
        try await refuses(.unavailable, .set(NoteChange(addedTags: ["new"], attached: [missing])), by: ada)
        // An agent belongs to who used it first.
        try await refuses(
            .agentTaken, insert("x", base: base), by: StoreClient("bob", .edits, agent: "ada", of: fixture.store))
        var alone = NoteDocument()
        _ = try alone.set(title: "", content: "x", by: "ada")
        try await refuses(.agentTaken, .push(alone.patch(since: NoteVersion())), by: bob, Identifier.make())
        await #expect(throws: HubError.self) {
            let long = [TextEdit(position: 0, inserted: String(repeating: "x", count: NoteLimits.title))]
            let title = EditRequest(
                field: .title, sequence: 0, base: Version([EventID(agent: "ada", sequence: 3)]), edits: long)
            _ = try await ada.perform(.edit(title), note)
        }
        #expect(try await fixture.store.position() == before)
        #expect(try await ada.content(note).text == "text")
    }

    @Test(arguments: Implementation.allCases)
    func `a request that is made again changes nothing`(_ implementation: Implementation) async throws {
        let fixture = try await implementation.make()
        let ada = StoreClient("ada", .edits, agent: "page", of: fixture.store)
        let note = try await ada.make("milk")
        let edit = insert("oat ", base: try await ada.content(note).version)
        guard case .edited(nil, let own) = try await ada.perform(edit, note) else { throw Failure() }
        let after = try await fixture.store.position()
        // At the other server, as after a connection was lost.
        guard
            case .edited(_, let again) = try await StoreClient("ada", .edits, agent: "page", of: fixture.other)
                .perform(edit, note)
        else { throw Failure() }
        #expect(own.acknowledged == 4 && again.acknowledged == 4 && again.from == again.to)
        var document = NoteDocument()
        guard case .note(let delta) = try await StoreClient("ada", of: fixture.store).perform(.open(nil), note) else {
            throw Failure()
        }
        _ = try document.merge(delta.patch)
        #expect(try await ada.perform(.push(document.patch(since: NoteVersion())), note) == .done)
        #expect(try await fixture.store.position() == after)
        #expect(document.content.text == "oat milk")
    }

    private struct Failure: Error {}

    private final class Flag: Sendable {
        private let value = Mutex(false)
        var isSet: Bool { value.withLock(\.self) }
        func set() { value.withLock { $0 = true } }
    }

    @Test(arguments: Implementation.allCases)
    func `edits at the same time are all stored, once, and told in their order`(
        _ implementation: Implementation
    ) async throws {
        let fixture = try await implementation.make()
        let told = Mutex<[StoredEdits]>([])
        fixture.store.receiveStored { edits in told.withLock { $0.append(edits) } }
        let owner = StoreClient("ada", of: fixture.store)
        let (note, count) = (try await owner.make("."), 8)
        let (start, base) = (try await fixture.store.position().latest, try await owner.content(note).version)
        try await withThrowingTaskGroup { group in
            for writer in 0..<6 {
                group.addTask {
                    // Two of them use the other server.
                    let page = StoreClient(
                        "ada", .edits, agent: "page\(writer)", of: writer < 4 ? fixture.store : fixture.other)
                    for number in 0..<count {
                        let edit = self.insert(
                            String(Unicode.Scalar(UInt8(97 + writer))), at: number, number, base: known(before: number))
                        let outcome = try await page.perform(edit, note)
                        guard case .edited(_, let own) = outcome, own.acknowledged == number + 1 else {
                            throw Failure()
                        }
                    }
                    /// The version that the page knows: what it began with, and its own edits.
                    func known(before number: Int) -> Version {
                        number == 0 ? base : Version([EventID(agent: "page\(writer)", sequence: number - 1)])
                    }
                }
            }
            try await group.waitForAll()
        }
        let text = try await owner.content(note).text
        for writer in 0..<6 {
            #expect(text.unicodeScalars.count { $0.value == UInt32(97 + writer) } == count)
        }
        #expect(try await fixture.store.position().latest == start + 6 * count)
        let changes = told.withLock { $0.map(\.change) }
        #expect(changes == changes.sorted() && Set(changes).count == 4 * count)
        #expect(try await fixture.other.access(of: note)?.owner == "ada")
    }

    // MARK: Changes

    @Test(arguments: Implementation.allCases)
    func `who follows the changes misses none, in pages of any size`(_ implementation: Implementation) async throws {
        let fixture = try await implementation.make()
        let stores = [fixture.store, fixture.other]
        var notes: [String] = []
        for number in 0..<5 { notes.append(try await StoreClient("ada", of: stores[number % 2]).make("\(number)")) }
        let reader = StoreClient("ada", agent: "reader", of: fixture.store)
        let written = notes
        let isDone = Flag()
        try await withThrowingTaskGroup { group in
            group.addTask {
                defer { isDone.set() }
                var random = SeededGenerator(seed: 5)
                for number in 0..<40 {
                    let note = written[Int.random(in: 0..<5, using: &random)]
                    let writer = StoreClient("ada", .edits, agent: "writer\(number)", of: stores[number % 2])
                    let edit = self.insert("x", base: try await writer.content(note).version)
                    _ = try await writer.perform(edit, note)
                }
            }
            var (position, texts) = (0, [String: NoteDocument]())
            while true {
                let isLast = isDone.isSet
                let page = try await fixture.store.changes(after: position, limit: 2, for: reader.client)
                #expect(page.notes.map(\.change) == page.notes.map(\.change).sorted())
                for note in page.notes {
                    guard case .events(let patch, let version)? = note.texts else { throw Failure() }
                    _ = try texts[note.note, default: NoteDocument()].merge(patch)
                    #expect(texts[note.note]?.version == version)
                }
                #expect(page.end >= position && page.notes.last.map { $0.change == page.end } ?? true)
                position = page.end
                if isLast, page.notes.isEmpty { break }
            }
            #expect(position == (try await fixture.store.position().latest))
            for note in notes { #expect(texts[note]?.content.text == (try await reader.content(note).text)) }
        }
    }

    @Test(arguments: Implementation.allCases)
    func `a page that ends between two changes of a note leaves none of them out`(
        _ implementation: Implementation
    ) async throws {
        let fixture = try await implementation.make()
        let ada = StoreClient("ada", of: fixture.store)
        var notes: [String] = []
        for number in 0..<4 { notes.append(try await ada.make("\(number)")) }
        let reader = StoreClient("ada", agent: "reader", of: fixture.store)
        var (position, texts, tags) = (0, [String: NoteDocument](), [String: [String]]())
        func follow() async throws {
            while true {
                let page = try await fixture.store.changes(after: position, limit: 1, for: reader.client)
                for note in page.notes {
                    if note.isMetadataChanged { tags[note.note] = note.metadata.tags }
                    guard case .events(let patch, _)? = note.texts else { continue }
                    _ = try texts[note.note, default: NoteDocument()].merge(patch)
                }
                #expect(page.notes.last.map { $0.change == page.end } ?? true)
                position = page.end
                if !page.hasMore { return }
            }
        }
        try await follow()
        // The first note changes before and after others: its text, and what is beside the text of the last one.
        for (number, note) in [notes[0], notes[3], notes[1], notes[2], notes[0], notes[3]].enumerated() {
            if number == 1 {
                let change = NoteChange(addedTags: ["early"])
                #expect(try await ada.perform(.set(change), note) == .done)
                continue
            }
            let writer = StoreClient("ada", .edits, agent: "writer\(number)", of: fixture.other)
            _ = try await writer.perform(insert("x", base: try await writer.content(note).version), note)
        }
        try await follow()
        #expect(position == (try await fixture.store.position().latest))
        for note in notes { #expect(texts[note]?.content.text == (try await reader.content(note).text)) }
        #expect(tags[notes[3]] == ["early"])
    }

    @Test(arguments: Implementation.allCases)
    func `a damaged note keeps no other one from its clients`(_ implementation: Implementation) async throws {
        let fixture = try await implementation.make()
        let ada = StoreClient("ada", of: fixture.store)
        let notes = [try await ada.make("first"), try await ada.make("second"), try await ada.make("third")]
        try await fixture.damage(notes[1])
        // The second server has none of them in memory.
        for limit in [1, 9] {
            var found: [String] = []
            var unreadable: [String] = []
            var position = 0
            var isMore = true
            while isMore {
                let page = try await fixture.other.changes(after: position, limit: limit, for: ada.client)
                found += page.notes.filter { $0.texts != nil }.map(\.note)
                unreadable += page.unreadable.map { "\($0)" }
                (position, isMore) = (page.end, page.hasMore)
            }
            #expect(found == [notes[0], notes[2]])
            #expect(unreadable.count == 1 && unreadable.first?.contains(notes[1]) == true, "\(unreadable)")
            #expect(position == (try await fixture.store.position().latest))
        }
        // A list without it would look like a deletion. SQLite has the newest text beside the history.
        let caller = NoteAppCaller(
            actor: .account("ada"), client: "ada", reader: "ada", connection: nil, legacy: nil)
        let listed = try? await fixture.other.read(nil, by: caller).notes.map(\.content)
        #expect(listed == (implementation == .sqlite ? ["first", "second", "third"] : nil))
    }

    @Test(arguments: Implementation.allCases)
    func `who may no longer read a damaged note is told so`(_ implementation: Implementation) async throws {
        let fixture = try await implementation.make()
        let ada = StoreClient("ada", of: fixture.store)
        let note = try await ada.make("text", with: ["bob"])
        let head = HeadChange(base: nil, head: FileHead("---\ndate: 1\n---\n"))
        #expect(try await ada.perform(.set(NoteChange(head: head)), note) == .done)
        let before = try await fixture.store.position().latest
        #expect(try await ada.perform(.set(NoteChange(access: AccessChange(revoked: ["bob"]))), note) == .done)
        try await fixture.damage(note)
        let page = try await fixture.other.changes(
            after: before, limit: 9, for: StoreClient("bob", of: fixture.other).client)
        #expect(page.notes.map(\.revoked) == [["bob"]] && page.unreadable.isEmpty)
    }

    @Test(arguments: Implementation.allCases)
    func `a revocation holds for what comes after it`(_ implementation: Implementation) async throws {
        let fixture = try await implementation.make()
        let ada = StoreClient("ada", of: fixture.store)
        let note = try await ada.make("text", with: ["bob"])
        let bob = StoreClient("bob", .edits, of: fixture.other)
        guard case .texts = try await bob.perform(.open(nil), note) else { throw Failure() }
        let (before, base) = (try await fixture.store.position().latest, try await ada.content(note).version)
        _ = try await ada.perform(.set(NoteChange(access: AccessChange(revoked: ["bob"]))), note)
        #expect(try await bob.perform(insert("x", base: base), note).code == .locked)
        _ = try await StoreClient("ada", .edits, agent: "page", of: fixture.store).perform(
            insert("secret ", base: base), note)
        let page = try await fixture.other.changes(after: before, limit: 9, for: bob.client)
        #expect(page.notes.map(\.revoked) == [["bob"]] && page.notes.map(\.texts) == [nil])
        #expect(page.notes.first?.wireID == (try await fixture.other.wireID(of: note)))
    }

    @Test(arguments: Implementation.allCases)
    func `a cursor is placed in the newest text, with the way to it`(_ implementation: Implementation) async throws {
        let fixture = try await implementation.make()
        var ada = StoreClient("ada", .edits, agent: "page", of: fixture.store)
        let note = try await ada.make("milk")
        let opened = try await ada.open(note)
        let base = try await ada.content(note).version
        _ = try await StoreClient("ada", .edits, agent: "other", of: fixture.other).perform(
            insert("oat ", base: base), note)
        let cursor = Presence(note: note, field: .content, selection: 1..<2, version: base)
        let placed = try #require(try await fixture.store.place(cursor, for: ada.client))
        #expect(opened && placed.access.owner == "ada")
        #expect(placed.presence?.selection == 5..<6 && placed.way?.from == base && placed.way?.edits.count == 1)
        #expect(placed.presence?.version == placed.way?.to)
        #expect(try await fixture.store.place(cursor, for: nil)?.way == nil)
        let unknown = Presence(
            note: note, field: .content, selection: 1..<2, version: Version([EventID(agent: "new", sequence: 0)]))
        #expect(try await fixture.store.place(unknown, for: nil)?.presence == nil)
        let gone = Presence(note: Identifier.make(), field: .content, selection: nil, version: nil)
        #expect(try await fixture.store.place(gone, for: nil) == nil)
    }
}
