import Commands
import Glibc
import HubRuntimeTesting
import TestSupport
import Testing
import hub

/// Every call by which a session of commands changes files fails once, ends the process, finds a full disk, or is the last
/// before the power fails. Nothing acknowledged is lost, nothing is there by halves, and the store opens for reading.
///
/// `HUB_TEST_FAULTS=1` tries each call, `HUB_TEST_FAULTS=restore,market` each call of the commands with one of these words and no
/// others; without it some of each step are tried, drawn from a fixed seed. `HUB_TEST_SEED` draws others; a failure names the seed.
@Suite(.serialized, .timeLimit(.minutes(180)), .recordedSession)
struct FaultTests {
    private static let thorough = getenv("HUB_TEST_FAULTS").map { String(cString: $0) }
    private static let seed = 2_042_745_708 as UInt64
    private static let callsPerStep = 4
    /// The readings on a full disk after each call: so many of those that show the state, and one of the others.
    private static let stateReadingsPerCall = 3

    @Test(.seeded, arguments: [FaultSession.Fault.kill, .tear, .io, .full])
    func `a fault at any call loses nothing`(fault: FaultSession.Fault) async throws {
        var generator = SeededGenerator(seed: Self.seed)
        let session = try #require(RecordedSession.current)
        var tried = 0
        for step in session.steps where Self.isTried(step) {
            for call in Self.calls(of: session.callCount(step), &generator) {
                try session.rewind(to: step)
                let place = "\(fault) at call \(call) of \(step.arguments)"
                let ended = try await session.run(step.arguments, fault, at: call)
                tried += 1
                if fault == .full {
                    try #require([0, 2, 75].contains(ended.code), "\(place) ended with \(ended.code): \(ended.all)")
                    // While its tables are not all made a store holds nothing, and there is no room to make them.
                    if step.arguments != session.steps.first?.arguments {
                        let readings = Self.readings(&generator)
                        let state = try await session.stateOnFullDisk(place, readings)
                        Self.expect(state, [step.before, step.after].map { $0.shown(by: readings) }, place)
                    }
                } else {
                    try #require(ended.code < 128 || ended.code == 137, "\(place): \(ended.code) \(ended.all)")
                }
                try await Self.expectWhole(session, step, ended.code == 0, place)
            }
        }
        print("\(fault): \(tried) faults in \(session.steps.count) commands")
        #expect(tried >= session.steps.count(where: Self.isTried))
    }

    @Test(.seeded) func `a power failure at any call loses nothing acknowledged`() async throws {
        var generator = SeededGenerator(seed: Self.seed)
        let session = try #require(RecordedSession.current)
        var tried = 0
        for step in session.steps where Self.isTried(step) {
            var disk = session.disk(before: step)
            let calls = Set(Self.calls(of: session.callCount(step), &generator))
            for (index, entry) in step.log.entries.enumerated() {
                disk.apply(entry)
                let isLast = index + 1 == step.log.entries.count
                guard isLast || calls.contains(index + 1) else { continue }
                for loss in SimulatedDisk.Loss.allCases {
                    try session.replace(with: disk, loss, &generator)
                    let place =
                        "power lost (\(loss)) after call \(index + 1) of \(step.arguments)"
                    try await Self.expectWhole(session, step, isLast, place)
                    tried += 1
                }
            }
        }
        print("power loss: \(tried) states in \(session.steps.count) commands")
        #expect(tried >= session.steps.count(where: Self.isTried) * SimulatedDisk.Loss.allCases.count)
    }

    @Test func `a command that only reads changes no file but those beside the database, and needs no room`()
        async throws
    {
        let session = try #require(RecordedSession.current)
        let step = try #require(session.steps.last)
        try session.rewind(to: step)
        // The copy of the mirrored folder has other inodes. A look at it records them, once no file may change without a new time.
        try await Task.sleep(for: .seconds(3))
        try #require(try await session.sandbox.run("notes", "list").code == 0)
        for reading in FaultReading.state + FaultReading.others {
            let logged = try await session.run(reading.words, .log)
            #expect(reading.codes.contains(logged.code), "\(reading.line): \(logged.code) \(logged.all)")
            let changed = try session.takeLog().entries.map(\.path).filter {
                // The check of a search table is a write for SQLite, which takes the writer's lock.
                // A command of notes looks at the mirrored folder, which one process does at a time.
                !["/hub.db-wal", "/hub.db-shm", "/locks/writer", "/locks/notes/mirror"].contains(where: $0.hasSuffix)
            }
            // Who was looked up is noted, so that it is found first the next time.
            if !reading.notesUse { #expect(changed.isEmpty, "\(reading.line) changed \(changed)") }
            let full = try await session.run(reading.words, .full, at: 1)
            #expect(reading.codes.contains(full.code), "full disk, \(reading.line): \(full.code) \(full.all)")
        }
    }

    @Test func `each command is known to read or to change`() {
        let lines = (FaultReading.state + FaultReading.others).map(\.line)
        var count = 0
        func check(_ command: Command, _ path: String) {
            guard !command.isHidden else { return }
            if command.run != nil {
                count += 1
                let isRead = lines.contains { $0 == path || $0.hasPrefix(path + " ") }
                let isKnown = command.changes || isRead || FaultReading.changing.contains(path)
                #expect(isKnown, "\(path) is read by no test")
            }
            for next in command.subcommands { check(next, path.isEmpty ? next.name : "\(path) \(next.name)") }
        }
        check(TestHub.root(builtInPlugins), "")
        #expect(count > 100)
    }

    private static func isTried(_ step: FaultSession.Step) -> Bool {
        guard let thorough, thorough != "1" else { return true }
        return thorough.split(separator: ",").contains { step.arguments.contains(String($0)) }
    }

    /// The calls that are tried, of so many.
    private static func calls(of count: Int, _ generator: inout SeededGenerator) -> [Int] {
        guard count > 0 else { return [] }
        if thorough != nil { return Array(1...count) }
        return (1...count).shuffled(using: &generator).prefix(callsPerStep).sorted()
    }

    /// What is read on a full disk after a call.
    private static func readings(_ generator: inout SeededGenerator) -> [FaultReading] {
        if thorough != nil { return FaultReading.state + FaultReading.others }
        return Array(FaultReading.state.shuffled(using: &generator).prefix(stateReadingsPerCall))
            + FaultReading.others.shuffled(using: &generator).prefix(1)
    }

    /// The state is that before or after the step, after it when that was said, and the store is sound and can be written.
    static func expectWhole(
        _ session: FaultSession, _ step: FaultSession.Step, _ isAcknowledged: Bool, _ place: String
    ) async throws {
        // A commit whose process died before it was announced becomes visible with the next write.
        let next = try await session.sandbox.runInProcess("events", "publish", "app.user/next", "{}")
        try #require(next.code == 0, "after \(place) nothing can be written: \(next.all)")
        try await session.sandbox.inProcess { hub in
            let state = try await session.state(place, in: hub)
            expect(state, isAcknowledged ? [step.after] : [step.before, step.after], place)
            let doctor = await hub.finished(["doctor"])
            #expect(doctor.code == 0, "after \(place): \(doctor.all)")
        }
    }

    /// Each part of the state is that of one of `states`.
    private static func expect(_ state: FaultSession.State, _ states: [FaultSession.State], _ place: String) {
        for part in Set(state.parts.keys).union(states.flatMap(\.parts.keys)).sorted() {
            let allowed = states.map { $0.parts[part] }
            #expect(
                allowed.contains(state.parts[part]),
                "after \(place), \(part) is \(state.parts[part] ?? "none"), not \(allowed.last ?? nil ?? "none")")
        }
    }
}
