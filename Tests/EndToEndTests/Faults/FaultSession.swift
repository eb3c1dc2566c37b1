import Glibc
import HubRuntimeTesting
import TestSupport
import Testing

/// A fixed session of commands, each of which can be run again with a fault at any of the calls by which it changes files.
struct FaultSession: Sendable {
    /// One command of the session.
    struct Step: Sendable {
        let arguments: [String]
        /// The calls that it makes when nothing fails.
        let log: DiskLog
        /// The visible state before and after it.
        let before: State
        let after: State
        fileprivate let snapshot: String
    }

    /// Everything that the session's commands change, as people and programs see it.
    struct State: Hashable, Sendable {
        var parts: [String: String] = [:]

        /// The parts that `readings` show, and those that no command is needed for.
        func shown(by readings: [FaultReading]) -> State {
            let hidden = Set(FaultReading.state.map(\.line)).subtracting(readings.map(\.line))
            return State(parts: parts.filter { !hidden.contains($0.key) })
        }
    }

    /// The fault that a command meets.
    enum Fault: String, CaseIterable, Sendable {
        case kill, tear, io, full, log
    }

    let sandbox: Sandbox
    private let snapshots: TemporaryFolder
    private(set) var steps: [Step] = []

    private static let cards = [
        Cards.card("Anna Lukasz", "UID:anna", "TEL:+49 171 2345678"), Cards.card("Jan Kowal", "UID:jan"),
    ].joined()

    /// A tenth of a second of sound, as a WAV file.
    private static let memo: [UInt8] = {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let samples = (0..<1600).flatMap { number(($0 * 37 % 200 - 100) * 80, 2) }
        let format = number(1, 2) + number(1, 2) + number(16_000, 4) + number(32_000, 4) + number(2, 2) + number(16, 2)
        let chunks = Array("WAVEfmt ".utf8) + number(16, 4) + format + Array("data".utf8) + number(samples.count, 4)
        return Array("RIFF".utf8) + number(chunks.count + samples.count, 4) + chunks + samples
    }()

    /// The commands of the whole session, for a sandbox in `folder`.
    static func commands(_ folder: String) -> [[String]] {
        [
            ["contacts", "new", "Ada Lovelace", "phone=+44 1", "note=first"],
            ["contacts", "set", "Ada", "note=second"],
            ["contacts", "import", folder + "/home/cards.vcf"],
            ["mintee", "new", "Water", "--on", "daily: 6 <= x <= 10", "--from", "2026-01-01"],
            ["mintee", "up", "Water", "4", "--date", FaultReading.day],
            ["contacts", "rm", "--yes", "Jan Kowal"],
            ["undo"],
            ["redo"],
            ["config", "set", "hub.region", "PL"],
            ["contacts", "export", "-o", folder + "/home/out.vcf"],
            ["contacts", "accounts", "add", "book", folder + "/home/book"],
            ["contacts", "sync"],
            ["contacts", "set", "Synced", "note=changed"],
            ["contacts", "sync"],
            ["notes", "new", "Tea", "-m", "Assam"],
            ["notes", "mirror", folder + "/home/notes"],
            ["notes", "append", "Tea", "Darjeeling"],
            ["dictofun", "import", folder + "/home/memo.wav", "--no-transcribe"],
            ["dictofun", "tag", "memo", "work"],
            ["market", "portfolio", "buy", "0.5", "btc", "--price", "42000", "--date", "2026-01-03"],
            ["market", "alerts", "new", "btc", "> 100000"],
            ["dictofun", "rm", "--yes", "memo"],
            ["backup", folder + "/home/backup.db"],
            ["restore", "--yes", folder + "/home/backup.db"],
            ["trash", "empty", "--yes"],
        ]
    }

    /// Runs the session once without a fault and remembers what each command did.
    init(_ commands: (_ folder: String) -> [[String]] = Self.commands) async throws {
        sandbox = try Sandbox(config: "[plugins]\nmarket.providers = [\"demo\"]\n")
        snapshots = try TemporaryFolder()
        for name in ["home", "home/book"] { mkdir("\(sandbox.folder)/\(name)", 0o700) }
        try sandbox.write(FaultSession.cards, to: "home/cards.vcf")
        try sandbox.write(FaultSession.cards, to: "home/out.vcf")
        try sandbox.write(FaultSession.memo, to: "home/memo.wav")
        try sandbox.write(Cards.card("Synced Person", "UID:synced"), to: "home/book/synced.vcf")
        var before = try await state()
        for (index, command) in commands(sandbox.folder).enumerated() {
            let snapshot = "\(snapshots.path)/\(index)"
            try FileTree.replace(snapshot, with: sandbox.folder)
            let logged = try await run(command, .log)
            try #require(logged.code == 0, "\(command): \(logged.all)")
            let log = try takeLog()
            let after = try await state()
            steps.append(
                Step(arguments: command, log: log, before: before, after: after, snapshot: snapshot))
            before = after
        }
    }

    /// The calls of the command that ran last.
    func takeLog() throws -> DiskLog {
        defer { unlink(logPath) }
        return try DiskLog(path: logPath)
    }

    /// The number of changing calls of a step.
    func callCount(_ step: Step) -> Int { step.log.entries.count }

    /// Brings the files back to where the step begins.
    func rewind(to step: Step) throws {
        unlink(logPath)
        try FileTree.replace(sandbox.folder, with: step.snapshot)
    }

    /// Makes the files what a disk holds.
    func replace(with disk: SimulatedDisk, _ loss: SimulatedDisk.Loss, _ generator: inout SeededGenerator) throws {
        try FileTree.clear(sandbox.folder)
        try disk.write(to: sandbox.folder, loss, &generator)
    }

    /// The disk as it is where the step begins.
    func disk(before step: Step) -> SimulatedDisk { SimulatedDisk(path: step.snapshot) }

    /// Runs a command with a fault at a call.
    func run(_ arguments: [String], _ fault: Fault, at call: Int = 0) async throws -> Sandbox.Finished {
        try await sandbox.run(
            arguments,
            extra: [
                "LD_PRELOAD": FaultSession.library, "HUB_FAULTS_ROOT": sandbox.folder,
                "HUB_FAULTS_MODE": fault.rawValue, "HUB_FAULTS_AT": "\(call)", "HUB_FAULTS_LOG": logPath,
            ])
    }

    /// Returns the visible state; it must be readable.
    func state() async throws -> State { try await sandbox.inProcess { try await state("", in: $0) } }

    /// Returns the visible state, of which all is read by `hub`; it must be readable.
    func state(_ place: String, in hub: HubSession) async throws -> State {
        try await state(place, FaultReading.state) { await hub.finished($0) }
    }

    /// Returns the visible state as `readings` show it on a full disk, each in a process of its own.
    func stateOnFullDisk(_ place: String, _ readings: [FaultReading]) async throws -> State {
        try await state(place, readings) { try await run($0, .full, at: 1) }
    }

    private func state(
        _ place: String, _ readings: [FaultReading], _ read: ([String]) async throws -> Sandbox.Finished
    ) async throws -> State {
        var state = State()
        for reading in readings {
            let finished = try await read(reading.words)
            try #require(
                reading.codes.contains(finished.code),
                "\(place): \(reading.line) ended with \(finished.code): \(finished.all)")
            if reading.isState { state.parts[reading.line] = FaultSession.settled(finished.output) }
        }
        state.parts["config"] = sandbox.read("config/hub/config.toml")
        state.parts["out.vcf"] = sandbox.read("home/out.vcf").map(FaultSession.settled)
        for name in fileNames(in: sandbox.folder + "/home/book") where name.hasSuffix(".vcf") {
            state.parts["book/\(name)"] = sandbox.read("home/book/\(name)").map(FaultSession.settled)
        }
        for name in fileNames(in: sandbox.folder + "/home/notes") where name.hasSuffix(".md") {
            state.parts["notes/\(name)"] = sandbox.read("home/notes/\(name)")
        }
        state.parts["backup"] = try await backedUp()
        return state
    }

    /// The text without what differs from run to run.
    private static func settled(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .filter { !$0.hasPrefix("UID:") && !$0.hasPrefix("REV:") && !$0.hasPrefix("PRODID:") }
            .map { line in
                // The last column of a trade is its id.
                guard line.contains(",buy,") || line.contains(",sell,") else { return String(line) }
                return line.split(separator: ",", omittingEmptySubsequences: false).dropLast().joined(separator: ",")
            }
            .joined(separator: "\n")
    }

    /// The contacts of the backup, when there is one: it holds all or is not there.
    private func backedUp() async throws -> String? {
        guard access(sandbox.folder + "/home/backup.db", F_OK) == 0 else { return nil }
        let other = try TemporaryFolder()
        defer { withExtendedLifetime(other) {} }
        let restored = try await sandbox.runInProcess(
            "--data", other.path, "restore", "--yes", sandbox.folder + "/home/backup.db")
        try #require(restored.code == 0, "the backup cannot be restored: \(restored.all)")
        return try await sandbox.inProcess { hub in
            var text = ""
            for reading in [
                "contacts export", "dictofun list --trash --json=name,length_ms", "market portfolio export",
            ] {
                let words = ["--data", other.path] + reading.split(separator: " ").map(String.init)
                text += FaultSession.settled(await hub.finished(words).output)
            }
            // The sounds are in the backup too.
            let doctor = await hub.finished(["--data", other.path, "doctor"])
            try #require(doctor.code == 0, "what was restored is not sound: \(doctor.all)")
            return text
        }
    }

    private var logPath: String { snapshots.path + "/log" }

    private static let library: String = {
        let folder = Sandbox.hub.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        return folder + "/libFaultInjection.so"
    }()
}
