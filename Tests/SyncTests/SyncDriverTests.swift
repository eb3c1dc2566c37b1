import Sync
import Synchronization
import TestSupport
import Testing

/// The driver with a toy collection on both sides: a folder of notes, and a server that names and rewrites them.
struct SyncDriverTests {
    private let notes = MemoryNotes()
    private let folder = MemoryFolder()

    @discardableResult
    private func sync(_ options: SyncOptions = SyncOptions(confirm: { _ in true })) async throws -> SyncLogEntry.Counts
    {
        var driver = SyncDriver(notes, over: folder, policy: SyncPolicy(), options: options)
        try await driver.run()
        return driver.sent
    }

    private func put(_ number: Int, _ lines: String..., at href: String? = nil) {
        folder.edit { $0.put(href ?? "/\(number)", Note(number, Set(lines)).text) }
    }

    private func expectEqual(_ comment: Comment? = nil) {
        #expect(notes.texts == folder.texts && folder.content.blind.isEmpty, comment)
    }

    @Test func `each side gets what it lacks, and then nothing is asked but the state`() async throws {
        notes.edit(1) { $0 = ["here"] }
        put(2, "there")
        #expect(try await sync() == SyncLogEntry.Counts(new: 1))
        expectEqual()
        #expect(notes.texts.count == 2)
        folder.edit { $0.calls = [] }
        try await sync()
        #expect(folder.content.calls == ["state", "changes"], "its own change")
        folder.edit { $0.calls = [] }
        try await sync()
        #expect(folder.content.calls == ["state"])
    }

    @Test func `changes of both sides are merged and sent`() async throws {
        put(1, "a", "b")
        try await sync()
        notes.edit(1) { $0.remove("a") }
        put(1, "a", "b", "c")
        #expect(try await sync() == SyncLogEntry.Counts(changed: 1))
        #expect(folder.texts == [Note(1, ["b", "c"]).text])
        expectEqual()
    }

    @Test func `removals go both ways, a change beats a removal`() async throws {
        for number in 1...4 { put(number, "a") }
        try await sync()
        notes.remove(1)
        folder.edit { $0.take("/2") }
        notes.remove(3)
        put(3, "a", "new")
        notes.edit(4) { $0.insert("new") }
        folder.edit { $0.take("/4") }
        #expect(try await sync() == SyncLogEntry.Counts(new: 1, removed: 1))
        #expect(folder.texts == [3, 4].map { Note($0, ["a", "new"]).text })
        expectEqual()
    }

    @Test func `many items are fetched in batches, stored, and sent`() async throws {
        for number in 0..<250 { put(number, "there") }
        let most = Mutex(SyncProgress())
        try await sync(SyncOptions(progress: { progress in most.withLock { $0 = progress } }))
        #expect(folder.content.calls == ["state", "list", "fetch 100", "fetch 100", "fetch 50"])
        #expect(most.withLock(\.received) == 250 && most.withLock(\.total) == 250)
        for number in 300..<420 { notes.edit(number) { $0 = ["here"] } }
        #expect(try await sync() == SyncLogEntry.Counts(new: 120))
        expectEqual()
    }

    @Test func `most of a collection is fetched at once where that is possible`() async throws {
        folder.behave { $0.givesAll = true }
        for number in 0..<250 { put(number, "there") }
        try await sync()
        // The first batch was planned before, and one item was missing in the whole.
        #expect(folder.content.calls == ["state", "list", "everything", "fetch 1"])
        expectEqual()
    }

    @Test func `an item that is refused or too large is reported, and the others are sent`() async throws {
        for number in 1...3 { notes.edit(number) { $0 = [String(repeating: "x", count: number == 3 ? 5000 : 1)] } }
        folder.behave { $0.refuses = { $0.hasPrefix("note 1") ? .invalid(reason: "no") : nil } }
        var policy = SyncPolicy()
        policy.maximumSize = 1000
        var driver = SyncDriver(notes, over: folder, policy: policy, options: SyncOptions())
        try await driver.run()
        #expect(driver.sent == SyncLogEntry.Counts(new: 1))
        let reasons = Set(notes.problems.map(\.reason))
        let large = ItemRefusal.tooLarge(reason: "5007 bytes, limit 1000")
        #expect(reasons == [.refused(.invalid(reason: "no")), .refused(large)])
    }

    @Test func `errors of the server with everything end the sync`() async throws {
        for number in 0..<20 { notes.edit(number) { $0 = ["x"] } }
        folder.behave { $0.refuses = { _ in .serverError(reason: "status 500") } }
        await #expect(throws: RemoteError.serverError(reason: "status 500")) { try await sync() }
        #expect(folder.content.calls.count { $0 == "create" } == ServerErrorStreak.limit)
        #expect(notes.problems.count == ServerErrorStreak.limit)
    }

    @Test func `an expired token lists everything`() async throws {
        put(1, "a")
        try await sync()
        folder.behave { $0.hasTokens = false }
        put(2, "b")
        try await sync()
        #expect(folder.content.calls.suffix(3) == ["changes", "list", "fetch 1"])
        expectEqual()
    }

    @Test func `a dry run changes nothing on either side`() async throws {
        for number in 1...2 { put(number, "a") }
        try await sync()
        notes.edit(1) { $0.insert("b") }
        notes.edit(5) { $0 = ["c"] }
        notes.remove(2)
        let texts = folder.texts
        let sent = try await sync(SyncOptions(isDryRun: true))
        #expect(sent == SyncLogEntry.Counts(new: 1, changed: 1, removed: 1))
        #expect(folder.texts == texts)
        #expect(try await sync() == sent)
        expectEqual()
    }

    @Test func `many removals wait for an answer, and are asked for again after a no`() async throws {
        for number in 0..<20 { put(number, "a") }
        try await sync()
        for number in 0..<11 { folder.edit { $0.take("/\(number)") } }
        for _ in 0..<2 {
            var driver = SyncDriver(notes, over: folder, policy: SyncPolicy(), options: SyncOptions())
            try await driver.run()
            #expect(driver.withheld == SyncQuestion(removedHere: 11, removedThere: 0, total: 20))
            #expect(notes.texts.count == 20)
        }
        try await sync()
        #expect(notes.texts.count == 9)
        expectEqual()
    }

    @Test func `an empty folder empties nothing here unless it is forced`() async throws {
        folder.behave { $0.hasTokens = false }
        for number in 0..<3 { put(number, "a") }
        try await sync()
        for number in 0..<3 { folder.edit { $0.take("/\(number)") } }
        await #expect(throws: EmptiedCollection.self) { try await sync() }
        #expect(notes.texts.count == 3)
        try await sync(SyncOptions(isForced: true, confirm: { _ in true }))
        #expect(notes.texts.isEmpty)
    }

    @Test func `a change right after a write is received`() async throws {
        folder.behave { $0.keepsBytes = false }
        put(1, "a")
        try await sync()
        notes.edit(1) { $0.insert("here") }
        folder.behave { $0.echo = { $0.put("/1", Note(1, ["a", "here", "quick"]).text) } }
        try await sync()
        #expect(notes.texts == [Note(1, ["a", "here", "quick"]).text])
        expectEqual()
    }

    @Test func `a new item that a server named itself is not sent twice, also while it is unreadable`() async throws {
        folder.behave { ($0.keepsBytes, $0.renames) = (false, true) }
        notes.edit(1) { $0 = ["here"] }
        folder.behave { $0.callsLeft = 3 }
        await #expect(throws: RemoteError.self) { try await sync() }
        folder.behave { $0.callsLeft = nil }
        let href = try #require(folder.content.items.keys.first)
        folder.edit { $0.put(href, "half-saved") }
        for _ in 0..<2 {
            try await sync()
            #expect(folder.texts == ["half-saved"])
            #expect(notes.problems == [SyncProblem(.unreadable, id: 1, href: href)])
        }
        put(1, "here", "there", at: href)
        try await sync()
        #expect(notes.texts == [Note(1, ["here", "there"]).text] && notes.problems.isEmpty)
        expectEqual()
    }

    @Test func `the links of sent items are stored when the connection breaks after them`() async throws {
        for number in 1...5 { notes.edit(number) { $0 = ["here"] } }
        // The state, the listing, and three items.
        folder.behave { $0.callsLeft = 5 }
        await #expect(throws: RemoteError.self) { try await sync() }
        #expect(notes.items.values.filter { $0.link != nil }.count == 2, "the response to the third was lost")
        #expect(folder.texts.count == 3)
        folder.behave { $0.callsLeft = nil }
        try await sync()
        expectEqual()
    }

    @Test func `a sync that breaks off while it receives goes on where it was`() async throws {
        for number in 0..<250 { put(number, "there") }
        // The state, the listing, and two batches.
        folder.behave { $0.callsLeft = 4 }
        await #expect(throws: RemoteError.self) { try await sync() }
        #expect(notes.items.count == 100, "the response with the second batch was lost")
        folder.behave { $0.callsLeft = nil }
        folder.edit { $0.calls = [] }
        try await sync()
        #expect(folder.content.calls == ["state", "list", "fetch 100", "fetch 50"])
        expectEqual()
    }

    @Test func `a listing that takes too long goes on with the next sync, and new items wait for its end`() async throws
    {
        for number in 0..<250 { put(number, "there") }
        notes.edit(7) { $0 = ["here"] }
        notes.edit(249) { $0 = ["here"] }
        notes.edit(1000) { $0 = ["new"] }
        folder.behave { $0.pageSize = 100 }
        try await sync()
        #expect(notes.items.values.count { $0.link != nil } == 100 && notes.items.count == 102)
        #expect(folder.content.items["/7"]?.text == Note(7, ["here", "there"]).text)
        #expect(folder.content.items.count == 250, "the rest of the listing may have what is new here")
        try await sync()
        try await sync()
        #expect(folder.content.calls.count { $0 == "list" } == 1 && folder.content.items.count == 251)
        folder.behave { $0.pageSize = nil }
        try await sync()
        expectEqual()
    }

    @Test func `what was removed is noticed at the end of a listing that took several syncs`() async throws {
        for number in 0..<30 { put(number, "there") }
        put(30, "held")
        folder.edit { $0.put("/30", "unreadable") }
        try await sync()
        #expect(notes.items.count == 30 && notes.held.count == 1)
        // The token has expired.
        notes.last = SyncPosition(token: nil, state: nil)
        folder.edit {
            $0.take("/2")
            $0.take("/25")
        }
        folder.behave { $0.pageSize = 10 }
        try await sync()
        folder.edit { $0.take("/3") }
        put(4, "there", "changed")
        try await sync()
        #expect(notes.items.count == 30, "the listing is not at its end")
        folder.edit { $0.take("/30") }
        for _ in 0..<2 { try await sync() }
        #expect(folder.content.calls.count { $0 == "list" } == 2)
        #expect(notes.held.isEmpty && notes.items.count == 27)
        expectEqual()
        // Changes since a token are given in parts too: a note that has another name in a later one is kept.
        let moved = Note(5, ["there"]).text
        folder.edit {
            $0.take("/5")
            for number in 40..<55 { $0.put("/\(number)", Note(number).text) }
            $0.put("/other", moved)
        }
        notes.edit(5) { $0.insert("mine") }
        for _ in 0..<4 { try await sync() }
        #expect(notes.items[5]?.note.lines == ["mine", "there"])
        expectEqual()
    }

    @Test func `an item that was only prepared when a sync broke off does not wait`() async throws {
        folder.behave { ($0.keepsBytes, $0.renames) = (false, true) }
        for number in 1...5 { notes.edit(number) { $0 = ["here"] } }
        folder.edit { $0.put("/junk", "junk") }
        folder.behave { $0.callsLeft = 4 }
        await #expect(throws: RemoteError.self) { try await sync() }
        folder.behave { $0.callsLeft = nil }
        #expect(notes.items.values.filter(\.wasSent).count == 1, "only the one whose response was lost")
        folder.edit { $0.take("/junk") }
        try await sync()
        expectEqual()
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `two sides that change at random, over a connection that breaks, end equal`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        folder.behave {
            ($0.keepsBytes, $0.hasTokens) = (Bool.random(using: &random), Bool.random(using: &random))
            $0.renames = !$0.keepsBytes && Bool.random(using: &random)
            $0.pageSize = Bool.random(using: &random) ? Int.random(in: 1...12, using: &random) : nil
        }
        var added: [Int: Set<String>] = [:]
        var removed: Set<Int> = []
        for step in 0..<100 {
            let there = folder.content.items.keys.sorted().randomElement(using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: notes.edit(1000 + step) { $0 = ["new"] }
            case 1: put(step, "new")
            case 2, 3:
                let live = notes.items.filter(\.value.isHere).keys.sorted()
                guard let id = live.randomElement(using: &random) else { continue }
                notes.edit(id) { $0.insert("h\(step)") }
                added[id, default: []].insert("h\(step)")
            case 4:
                guard let there, var note = folder.content.items[there].flatMap({ Note($0.text) }) else { continue }
                note.lines.insert("t\(step)")
                added[note.number, default: []].insert("t\(step)")
                folder.edit { $0.put(there, note.text) }
            case 5:
                let live = notes.items.filter(\.value.isHere).keys.sorted()
                guard let id = live.randomElement(using: &random) else { continue }
                notes.remove(id)
                removed.insert(id)
            case 6:
                guard let there, let note = folder.content.items[there].flatMap({ Note($0.text) }) else { continue }
                folder.edit { $0.take(there) }
                removed.insert(note.number)
            default:
                folder.behave {
                    $0.callsLeft = Bool.random(using: &random) ? Int.random(in: 1...12, using: &random) : nil
                }
                _ = try? await sync(SyncOptions(isForced: true, confirm: { _ in true }))
                folder.behave { $0.callsLeft = nil }
            }
        }
        folder.behave { $0.pageSize = nil }
        for _ in 0..<3 { try await sync(SyncOptions(isForced: true, confirm: { _ in true })) }
        expectEqual("seed \(seed)")
        let numbers = folder.texts.compactMap { Note($0)?.number }
        #expect(numbers.count == Set(numbers).count, "seed \(seed)")
        for (id, lines) in added where !removed.contains(id) {
            #expect(lines.subtracting(notes.items[id]?.note.lines ?? []) == [], "seed \(seed), note \(id)")
        }
    }
}
