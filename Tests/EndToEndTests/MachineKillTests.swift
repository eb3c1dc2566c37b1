import Glibc
import TestSupport
import Testing

/// Two machines and a phone, of which a process is killed in the middle of each exchange: what was acknowledged is on both at the end, once.
/// `HUB_TEST_ROUNDS` asks for more rounds, `HUB_TEST_SEED` for others.
@Suite(.timeLimit(.minutes(15)))
struct MachineKillTests {
    private static let rounds = max(30, getenv("HUB_TEST_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 0)
    private static let seed = 20_261_128 as UInt64

    @Test(.seeded) func `machines that are killed while they exchange end equal, with nothing lost or doubled`()
        async throws
    {
        var machines = try await KilledMachines(seed: Self.seed, rounds: Self.rounds)
        for round in 0..<Self.rounds { try await machines.play(round) }
        print("kill -9: \(machines.killed.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", "))")
        // Else it was no test. How many of them hit an exchange depends on the speed of the machine.
        #expect(machines.killed.count == KilledMachines.Victim.allCases.count)
        try await machines.expectEqual()
    }
}

/// A home, a machine that has joined it, and a phone of the home, with all that was said to be done.
private struct KilledMachines {
    /// What is killed.
    enum Victim: CaseIterable {
        /// `hub sync` on the second machine.
        case exchange
        /// `hub serve` on the first one, while the second exchanges with it.
        case home
        /// `hub serve` on the second one, which exchanges when it starts.
        case spoke
    }

    private let both: MachinePair
    private var home: Daemon
    private var random: SeededGenerator
    /// The time that an exchange takes.
    private var duration = Duration.zero
    /// The contacts that each machine has made and that are still there.
    private var own: [[String]] = [[], []]
    /// The days of the task without a value.
    private var days: [String]
    private var done: [(change: Change, isSure: Bool)] = []
    private var serial = 0
    private(set) var killed: [Victim: Int] = [:]

    init(seed: UInt64, rounds: Int) async throws {
        random = SeededGenerator(seed: seed)
        both = try MachinePair()
        days = (0..<rounds * 3).map { "\(2019 + $0 / 336)-\(two(1 + $0 / 28 % 12))-\(two(1 + $0 % 28))" }
            .shuffled(using: &random)
        for number in 0..<MachinePair.people {
            _ = try await both.run(["contacts", "new", "Person \(number)"], on: 0)
        }
        _ = try await both.run(["mintee", "new", "Read", "--on", "daily: x >= 5", "--from", "2019-01-01"], on: 0)
        for number in 0..<MachinePair.notes {
            _ = try await both.run(["notes", "new", "Page \(number)", "-m", "begin"], on: 0)
        }
        home = try await both.serve()
        try await both.join()
        // A process, as those that are killed.
        _ = try await both.run(["contacts", "new", "First"], on: 1)
        let begin = ContinuousClock.now
        let first = try await both.laptop.run("sync")
        #expect(first.code == 0, "\(first.all)")
        duration = ContinuousClock.now - begin
    }

    /// Changes things on all sides while they exchange and one of them is killed.
    mutating func play(_ round: Int) async throws {
        let victim = Victim.allCases[round % Victim.allCases.count]
        // Now and then all goes well.
        let isKilled = Int.random(in: 0..<8, using: &random) > 0
        let changes = (0..<3).map { _ in plan() }
        let point = duration * Double.random(in: 0..<0.8, using: &random)
        let both = both
        async let outcomes = both.perform(changes)
        switch victim {
        case .exchange, .home:
            let child = try Child(["sync"], in: both.laptop)
            if isKilled {
                try await Task.sleep(for: point)
                if victim == .home { await home.end(SIGKILL) } else { child.signal(SIGKILL) }
            }
            let code = await child.wait()
            if isKilled, victim == .home || code == 128 + SIGKILL { killed[victim, default: 0] += 1 }
        case .spoke:
            let daemon = try await Daemon(in: both.laptop, ["--only", "machines"])
            try await Task.sleep(for: point)
            await daemon.end(isKilled ? SIGKILL : SIGTERM)
            if isKilled { killed[victim, default: 0] += 1 }
        }
        let isDone = try await outcomes
        if victim == .home, isKilled { home = try await both.serve() }
        for (change, isDone) in zip(changes, isDone) {
            // A phone whose home is killed does not know.
            if !isDone { #expect(victim == .home && change.deed.isOfPhone, "\(change) failed") }
            done.append((change, isDone))
            if change.deed == .contact { own[change.machine].append(change.word) }
        }
    }

    /// A change that is possible whatever the other machine has done.
    private mutating func plan() -> Change {
        serial += 1
        let machine = Int.random(in: 0...1, using: &random)
        var deed = Change.Deed.allCases.randomElement(using: &random) ?? .contact
        var target = ""
        switch deed {
        case .email, .phoneEmail: target = "\(Int.random(in: 0..<MachinePair.people, using: &random))"
        case .append: target = "\(Int.random(in: 0..<MachinePair.notes, using: &random))"
        case .value: target = days.popLast() ?? ""
        case .remove:
            if own[machine].isEmpty { deed = .contact } else { target = own[machine].removeFirst() }
        case .contact, .note, .record, .undone, .phoneCard: break
        }
        return Change(deed: deed, word: "w\(serial)z", target: target, machine: machine)
    }

    /// Both have the same, all that was acknowledged, and nothing twice.
    func expectEqual() async throws {
        for _ in 0..<3 { _ = try await both.run(["sync"], on: 1) }
        let last = try await both.run(["sync"], on: 1)
        #expect(last.all.contains("in step") && !last.all.contains("wait"), "\(last.all)")
        let replaced = try await both.run(["machines", "refused", "--plain"], on: 1)
        #expect(replaced.output.isEmpty, "\(replaced.all)")
        var exports: [MachineExport] = []
        for machine in 0...1 {
            let doctor = try await both.run(["doctor"], on: machine)
            #expect(doctor.code == 0, "\(doctor.all)")
            exports.append(try await both.export(machine))
        }
        let differences = Set(exports[0].files).symmetricDifference(exports[1].files).sorted()
        #expect(differences.isEmpty, "\(differences.prefix(20))")
        let removed = Set(done.filter { $0.change.deed == .remove }.map(\.change.target))
        for (change, isSure) in done where !removed.contains(change.word) {
            let count = exports[0].count(of: change)
            switch change.deed {
            case .remove, .undone: #expect(count == 0, "\(change)")
            default: #expect(count == 1 || count == 0 && !isSure, "\(change), \(isSure), is there \(count) times")
            }
        }
        #expect(await home.end() == 0)
    }
}

/// A change on one of the machines.
private struct Change: Sendable {
    enum Deed: CaseIterable {
        case contact, email, note, append, value, record, remove, undone, phoneCard, phoneEmail

        var isOfPhone: Bool { self == .phoneCard || self == .phoneEmail }
    }

    let deed: Deed
    /// The word by which it is found.
    let word: String
    /// What is changed.
    let target: String
    let machine: Int
}

/// What `hub export` has written.
private struct MachineExport {
    /// The files with their hashes, and the rows that are in no such file, but for what each machine has for itself.
    let files: [String]
    /// The contents of the files of contacts, notes and days, without the trash.
    let text: String

    /// The number of times that something is there.
    func count(of change: Change) -> Int {
        let text = text.utf8
        switch change.deed {
        case .contact, .undone, .phoneCard: return text.ranges(of: Array("FN:\(change.word)".utf8)).count
        case .remove: return text.ranges(of: Array("FN:\(change.target)".utf8)).count
        case .value: return text.ranges(of: Array("\(change.target),\(MachinePair.value(of: change))".utf8)).count
        case .record: return files.count { $0.contains(change.word) && $0.hasSuffix(".wav") }
        case .email, .note, .append, .phoneEmail: return text.ranges(of: Array(change.word.utf8)).count
        }
    }
}

/// The folders of both machines, and what is done there.
private struct MachinePair: Sendable {
    static let people = 5
    static let notes = 3

    let desk: Sandbox
    let laptop: Sandbox
    private let address: String

    init() throws {
        address = "127.0.0.1:\(try FreePort.next())"
        let records = "[plugins.dictofun]\ntranscribe = false\n"
        desk = try Sandbox(config: "[hub]\ndav.listen = \"\(address)\"\n" + records)
        laptop = try Sandbox(config: records)
    }

    /// The services that exchange.
    func serve() async throws -> Daemon {
        try await Daemon(in: desk, ["--only", "devices", "--only", "events"])
    }

    /// Joins the first machine, and gives the phone its password and the cards of everyone.
    func join() async throws {
        let added = try await run(["devices", "add", "laptop", "--hub"], on: 0)
        let line = try #require(added.all.firstMatch(of: /hub join '([^']+)'/)).1
        _ = try await run(["join", String(line), "--yes"], on: 1)
        let phone = try await run(["devices", "add", "phone"], on: 0).all.split(separator: "\n")
        let password = try #require(phone.first { $0.hasPrefix("  password ") }).split(separator: " ")[1]
        try desk.write(
            "user = \"phone:\(password)\"\nsilent\nfail\nheader = \"Content-Type: text/vcard\"\n", to: "phone.curl")
        let ids = try await run(["contacts", "list", "--plain=name,id"], on: 0).output.split(separator: "\n")
        for id in ids where id.hasPrefix("Person ") {
            let words = id.split(separator: "\t")
            try desk.write(String(words[1]), to: String(words[0].replacing(" ", with: "")))
        }
    }

    func run(_ words: [String], on machine: Int) async throws -> Sandbox.Finished {
        let finished = try await (machine == 0 ? desk : laptop).runInProcess(words)
        #expect(finished.code == 0, "\(words): \(finished.all)")
        return finished
    }

    static func value(of change: Change) -> Int { 1 + change.word.utf8.reduce(0) { $0 + Int($1) } % 9 }

    /// Makes changes one after the other, and says which were acknowledged.
    func perform(_ changes: [Change]) async throws -> [Bool] {
        var done: [Bool] = []
        for change in changes { done.append(try await perform(change)) }
        return done
    }

    private func perform(_ change: Change) async throws -> Bool {
        let (word, target) = (change.word, change.target)
        let words: [String]
        switch change.deed {
        case .contact: words = ["contacts", "new", word]
        case .email: words = ["contacts", "set", "name:Person \(target)", "email+=\(word)@example.org"]
        case .note: words = ["notes", "new", "Note of \(word.dropLast())", "-m", word]
        case .append: words = ["notes", "append", "Page \(target)", word]
        case .value: words = ["mintee", "set", "Read", "\(Self.value(of: change))", "--date", target]
        case .record:
            let path = try (change.machine == 0 ? desk : laptop).write(Self.sound(word), to: word + ".wav")
            words = ["dictofun", "import", path]
        case .remove: words = ["contacts", "rm", "--yes", "name:\(target)"]
        case .undone:
            _ = try await run(["contacts", "new", word], on: change.machine)
            words = ["undo"]
        case .phoneCard:
            try desk.write(Self.card(word), to: word + ".vcf")
            return try await isStored("curl -K phone.curl -T \(word).vcf http://\(address)/contacts/all/\(word).vcf")
        case .phoneEmail:
            // It sends no condition, as Thunderbird does.
            return try await isStored(
                """
                url=http://\(address)/contacts/all/$(cat Person\(target)).vcf
                curl -K phone.curl "$url" -o \(word).vcf && sed -i 's/^END:VCARD/EMAIL:\(word)@example.org\\r\\nEND:VCARD/' \(word).vcf &&
                    curl -K phone.curl -T \(word).vcf "$url"
                """)
        }
        return try await run(words, on: change.machine).code == 0
    }

    private func isStored(_ line: String) async throws -> Bool { try await desk.shell(line).code == 0 }

    private static func card(_ word: String) -> String {
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(word)\r\nFN:\(word)\r\nN:;\(word);;;\r\nEND:VCARD\r\n"
    }

    /// A sound of 100 kB, another one for each word.
    private static func sound(_ word: String) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        var random = SeededGenerator(seed: word.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        let samples = (0..<12_500).flatMap { _ in little(Int(truncatingIfNeeded: random.next()), 8) }
        return Array("RIFF".utf8) + little(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
            + little(1, 2) + little(1, 2) + little(8000, 4) + little(16_000, 4) + little(2, 2) + little(16, 2)
            + Array("data".utf8) + little(samples.count, 4) + samples
    }

    /// Writes all that a machine has to files.
    func export(_ machine: Int) async throws -> MachineExport {
        let sandbox = machine == 0 ? desk : laptop
        _ = try await run(["export", sandbox.folder + "/out"], on: machine)
        // Each machine numbers the versions of its things for itself, and notes have a second id for NoteApp.
        let files = try await sandbox.shell(
            """
            cd out && grep -Ev ' (hub-export.json|config.toml|README.md|.*[.]jsonl)$' manifest.sha256
            rm notes/notes.jsonl && cat */*.jsonl | sed -E 's/"revision":[0-9]+/"revision":0/g'
            """)
        let text = try await sandbox.shell("cd out && cat contacts/local/*.vcf notes/*.md mintee/days.csv")
        #expect(files.code == 0 && text.code == 0, "\(files.errors)\(text.errors)")
        return MachineExport(files: files.output.split(separator: "\n").map(String.init), text: text.output)
    }
}

private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
