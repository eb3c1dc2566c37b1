import Glibc
import TestSupport
import Testing

/// `kill -9` at random points while the daemon runs: what was acknowledged stays, nothing is there by halves, and
/// nothing needs repair. `HUB_TEST_ROUNDS` asks for more rounds, `HUB_TEST_SEED` for others.
@Suite(.timeLimit(.minutes(15)))
struct KillTests {
    /// Many short ones: what is read after each round grows with the session.
    private static let sessions = 6
    private static let rounds = max(300, getenv("HUB_TEST_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 0)
    private static let seed = 20_261_126 as UInt64

    @Test(.seeded) func `nothing acknowledged is lost and nothing is there by halves`() async throws {
        var (killed, abandoned) = (0, 0)
        try await withThrowingTaskGroup { group in
            for session in 0..<Self.sessions { group.addTask { try await Self.play(session) } }
            for try await counts in group {
                killed += counts.killed
                abandoned += counts.abandoned
            }
        }
        print("kill -9: \(killed) commands, \(abandoned) of them between two chunks")
        // Else the rounds were no test: commands must have been hit while they were at work, imports between two chunks.
        #expect(killed > Self.rounds / 4)
        #expect(abandoned > 0)
    }

    private static func play(_ number: Int) async throws -> (killed: Int, abandoned: Int) {
        var session = try await KillSession(seed: seed + UInt64(number))
        for _ in KillSession.Deed.allCases { try await session.playRound(isKilled: false) }
        let count = rounds / sessions
        for round in 1...count {
            try await session.playRound(isKilled: true)
            if round.isMultiple(of: 25) || round == count { try await session.expectSound() }
        }
        return (session.killedCount, try await session.abandonedCount())
    }
}

/// One store, its daemon, and the state that it must be in.
private struct KillSession {
    /// The actions that are killed.
    enum Deed: CaseIterable {
        case importChanges, importNew, new, set, remove, undo
    }

    /// The notes of the contacts, by name.
    typealias Book = [String: String]

    private let sandbox: Sandbox
    private var daemon: Daemon
    private var generator: SeededGenerator
    private var book: Book = [:]
    /// The book that `hub undo` would restore; nil when there is nothing to undo.
    private var undoable: Book?
    private var durations: [Deed: Duration] = [:]
    private var serial = 0
    /// Rounds in which the command was killed before its end.
    private(set) var killedCount = 0

    private static let crowd = (0..<300).map { "Crowd \($0)" }

    init(seed: UInt64) async throws {
        sandbox = try Sandbox()
        generator = SeededGenerator(seed: seed)
        daemon = try await Daemon(in: sandbox, Self.services)
    }

    /// All but the page, which has no part in this.
    private static let services = ["--only", "events", "--only", "housekeeping", "--only", "contacts"]

    mutating func playRound(isKilled: Bool) async throws {
        serial += 1
        let (deed, arguments, after) = try isKilled ? nextDeed() : firstDeed()
        let begin = ContinuousClock.now
        let child = try Child(arguments, in: sandbox)
        var killsDaemon = false
        if isKilled, let duration = durations[deed] {
            let point = Double.random(in: 0..<1, using: &generator)
            killsDaemon = Int.random(in: 0..<10, using: &generator) == 0
            try await Task.sleep(for: duration * point)
            child.signal(SIGKILL)
            if killsDaemon { await daemon.end(SIGKILL) }
        }
        let ended = await child.wait()
        if ended == 0 { durations[deed] = ContinuousClock.now - begin }
        if killsDaemon { daemon = try await Daemon(in: sandbox, Self.services) }
        try await check(arguments, ended, after)
    }

    /// The store is as it was or as it was to become, and nothing else; what was said to be done is.
    private mutating func check(_ arguments: [String], _ code: Int32, _ after: Book) async throws {
        // A commit that was killed before SQLite announced it may still become visible when the log is read again.
        // The next write decides: after it, either all of it is visible or nothing.
        if code != 0 { try await settle() }
        let found = try await readBook()
        let isDone = found == after
        if code != 0 {
            try #require(code == 128 + SIGKILL, "\(arguments): \(code)\n\(sandbox.read("child.log") ?? "")")
            killedCount += 1
            try #require(isDone || found == book, "\(arguments) is there by halves: \(difference(found, after))")
        } else {
            try #require(isDone, "\(arguments) was acknowledged and is lost: \(difference(found, after))")
        }
        undoable = isDone && arguments != ["undo"] ? book : nil
        book = found
    }

    /// Writes something that has nothing to do with contacts.
    private func settle() async throws {
        let told = try await sandbox.runInProcess("events", "publish", "app.user/round", "{}")
        try #require(told.code == 0, "\(told.all)")
    }

    func expectSound() async throws {
        let doctor = try await sandbox.runInProcess("doctor")
        #expect(doctor.code == 0, "\(doctor.all)")
    }

    /// A deed that is possible now.
    private mutating func nextDeed() throws -> (Deed, arguments: [String], after: Book) {
        while true {
            let deed = Deed.allCases.randomElement(using: &generator) ?? .new
            if let (arguments, after) = try plan(deed) { return (deed, arguments, after) }
        }
    }

    /// The deeds one after the other, to see how long each takes.
    private mutating func firstDeed() throws -> (Deed, arguments: [String], after: Book) {
        let deed = Deed.allCases[serial - 1]
        let (arguments, after) = try #require(try plan(deed))
        return (deed, arguments, after)
    }

    /// Returns the number of imports that ended between two chunks and were rolled back.
    func abandonedCount() async throws -> Int {
        try await sandbox.operations().count { $0.state == "abandoned" }
    }

    /// The command line of a deed and what it makes of the book; nil when it is not possible now.
    private mutating func plan(_ deed: Deed) throws -> (arguments: [String], after: Book)? {
        let note = "note \(serial)"
        var after = book
        switch deed {
        case .importChanges:
            for name in Self.crowd { after[name] = note }
            return (try importFile(of: Self.crowd, note), after)
        case .importNew:
            let names = (0..<280).map { "Guest \(serial)-\($0)" }
            for name in names { after[name] = note }
            return (try importFile(of: names, note), after)
        case .set:
            // An import does not change what was edited here, so the two change different contacts.
            let names = book.keys.filter { $0.hasPrefix("Single") }.sorted()
            guard let name = names.randomElement(using: &generator) else { return nil }
            after[name] = note
            return (["contacts", "set", name, "note=\(note)"], after)
        case .new:
            after["Single\(serial)"] = note
            return (["contacts", "new", "Single\(serial)", "note=\(note)"], after)
        case .remove:
            guard let name = book.keys.filter({ $0.hasPrefix("Single") }).sorted().first else { return nil }
            after[name] = nil
            return (["contacts", "rm", "--yes", name], after)
        case .undo:
            guard let undoable else { return nil }
            return (["undo"], undoable)
        }
    }

    private func importFile(of names: [String], _ note: String) throws -> [String] {
        let cards = names.map { Cards.card($0, "UID:\($0)", "NOTE:\(note)", "X-NUMBER:\($0.count)") }
        return ["contacts", "import", try sandbox.write(cards.joined(), to: "cards.vcf")]
    }

    /// The store as the next command sees it.
    private func readBook() async throws -> Book {
        let export = try await sandbox.runInProcess("contacts", "export")
        try #require(export.code == 0, "\(export.all)")
        var book: Book = [:]
        var name = ""
        // By bytes: to look at each character takes longer than the export.
        for bytes in export.output.utf8.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
        {
            let line = Substring(bytes)
            if line.hasPrefix("FN:") { name = String(line.dropFirst(3)) }
            if line.hasPrefix("NOTE:") { book[name] = String(line.dropFirst(5)) }
        }
        return book
    }

    private func difference(_ found: Book, _ expected: Book) -> String {
        let names = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }.sorted()
        let some = names.prefix(5).map { "\($0): \(found[$0] ?? "gone"), not \(expected[$0] ?? "gone")" }
        return "\(names.count) differ, \(some.joined(separator: "; "))"
    }
}
