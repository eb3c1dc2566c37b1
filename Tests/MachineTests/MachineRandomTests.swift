import FoundationEssentials
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Storage
import TestSupport
import Testing

@testable import HubRuntime

/// Random changes on three machines and two phones, with lost and cancelled exchanges, a machine that is set back, and clocks years apart:
/// all are equal at the end, and what was made is there once. `HUB_CHANGES` is the number of changes of each seed.
@MainActor
@Suite(.serialized)
struct MachineRandomTests {
    private static let changes = ProcessInfo.processInfo.environment["HUB_CHANGES"].flatMap { Int($0) } ?? 24

    /// What was made and has to be there at the end.
    private struct Ledger {
        /// The words that were written into notes, the people and the tasks, each with the machine and the step.
        var made: [(word: String, machine: Int, step: Int)] = []
        /// The step up to which each machine has exchanged everything.
        var exchanged = [0, 0, 0]

        /// The words that may be gone: a machine that was set back to `step` has lost what it had not exchanged.
        mutating func setBack(_ machine: Int, to step: Int) {
            made.removeAll { $0.machine == machine && $0.step >= step && $0.step > exchanged[machine] }
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `machines and phones come in step after anything`(seed: UInt64)
        async throws
    {
        var random = SeededGenerator(seed: seed)
        let machines = [try Machine("desk"), try Machine("laptop"), try Machine("tablet")]
        let desk = machines[0]
        for spoke in machines.dropFirst() { try await spoke.join(desk) }
        machines[1].test.clock.advance(by: .seconds(3 * 365 * 86_400))
        let card = desk.test.home + "/kept.vcf"
        try "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:kept\r\nFN:Kept\r\nX-KEEP:value\r\nEND:VCARD\r\n".write(
            toFile: card, atomically: true, encoding: .utf8)
        try await desk.run("contacts import \(card)")
        let phones = [
            try await Phone("plain", of: desk, dropsUnknownLines: true, sendsConditions: true),
            try await Phone("blunt", of: desk, dropsUnknownLines: false, sendsConditions: false),
        ]
        var ledger = Ledger()
        var savedAt: Int?
        for step in 1...Self.changes {
            let number = Int.random(in: 0..<3, using: &random)
            let machine = machines[number]
            func pick(_ sql: String, of owner: String) async throws -> String? {
                let all = try await machine.values(sql, of: owner)
                return all.isEmpty ? nil : all[Int.random(in: 0..<all.count, using: &random)]
            }
            func person() async throws -> String? {
                try await pick("SELECT id FROM contacts_contact WHERE deleted_at IS NULL ORDER BY id", of: "contacts")
            }
            func task() async throws -> String? {
                try await pick("SELECT id FROM mintee_task WHERE deleted_at IS NULL ORDER BY id", of: "mintee")
            }
            func note() async throws -> String? {
                try await pick("SELECT id FROM notes_note WHERE deleted_at IS NULL ORDER BY id", of: "notes")
            }
            let word = "w\(seed)x\(step)z"
            func made() { ledger.made.append((word, number, step)) }
            switch Int.random(in: 0..<16, using: &random) {
            case 0:
                try await machine.run("contacts new \(word)")
                made()
            case 1: if let id = try await person() { try await machine.run("contacts set \(id) note=\(word)") }
            case 2: if let id = try await person() { try await machine.run("contacts rm --yes \(id)") }
            case 3:
                try await machine.run("mintee new \(word)")
                made()
            case 4:
                // A machine whose clock is years behind may not enter a value yet.
                if let id = try await task() { _ = try? await machine.run("mintee set \(id) \(step)") }
            case 5, 6:
                try await machine.run("notes new N\(step) -m \(word)")
                made()
            case 7, 8:
                if let id = try await note() {
                    try await machine.run("notes append \(id) \(word)")
                    made()
                }
            case 9: if let id = try await note() { try await machine.run("notes tag \(id) t\(step % 5)") }
            case 10: if let id = try await note() { try await machine.run("notes rm --yes \(id)") }
            case 11:
                let phone = phones[Int.random(in: 0..<2, using: &random)]
                let all = try await desk.values(
                    "SELECT id FROM contacts_contact WHERE deleted_at IS NULL ORDER BY id", of: "contacts")
                if !all.isEmpty {
                    try await phone.setNote(word, of: all[Int.random(in: 0..<all.count, using: &random)])
                }
            case 12 where savedAt == nil && step > 5:
                savedAt = step
                try machines[2].save(to: machines[2].test.home + "/saved")
            default:
                let spoke = Int.random(in: 1..<3, using: &random)
                var losses = Losses()
                if Int.random(in: 0..<3, using: &random) == 0 {
                    losses.answers = [Int.random(in: 0..<6, using: &random)]
                }
                if Int.random(in: 0..<3, using: &random) == 0 {
                    losses.requests = [Int.random(in: 0..<6, using: &random)]
                }
                if Int.random(in: 0..<4, using: &random) == 0 {
                    losses.cancels = [Int.random(in: 0..<6, using: &random)]
                }
                if Int.random(in: 0..<3, using: &random) == 0 { losses.frames = Int.random(in: 0..<9, using: &random) }
                let run = Task { [losses] in try await machines[spoke].sync(desk, losing: losses) }
                if case .success = await run.result { ledger.exchanged[spoke] = step }
                if let saved = savedAt, step > saved + 8, spoke == 2 {
                    savedAt = nil
                    try machines[2].setBack(to: machines[2].test.home + "/saved")
                    ledger.setBack(2, to: saved)
                }
            }
        }
        for _ in 0..<4 { for spoke in machines.dropFirst() { _ = try await spoke.sync(desk) } }
        let (content, notes) = (try await desk.content(), try await desk.notes())
        for spoke in machines.dropFirst() {
            #expect(try await spoke.content() == content, "seed \(seed), \(spoke.name)")
            #expect(try await spoke.notes() == notes, "seed \(seed), \(spoke.name)")
            #expect(try await spoke.sync(desk).isQuiet, "seed \(seed), \(spoke.name)")
        }
        // What was made is there once, in the trash or not.
        let all =
            try await desk.values("SELECT CAST(card AS TEXT) FROM contacts_contact", of: "contacts")
            .compactMap { $0.split(separator: "\r\n").first { $0.hasPrefix("FN:") }.map(String.init) }
            + desk.values("SELECT name FROM mintee_task", of: "mintee")
            + desk.values("SELECT content FROM notes_text", of: "notes")
        let text = all.joined(separator: "\n")
        for (word, _, step) in ledger.made {
            #expect(text.ranges(of: word).count == 1, "seed \(seed): what was made in step \(step)")
        }
        let kept = try await desk.values("SELECT CAST(card AS TEXT) FROM contacts_contact", of: "contacts")
        #expect(kept.count { $0.contains("X-KEEP:value") } == 1, "seed \(seed)")
    }
}
