import FoundationEssentials
import HubKit
import HubRuntimeTesting
import Storage
import TestSupport
import Testing

@testable import HubRuntime

/// Random changes on three machines and two phones, offline and online, with lost, cancelled and killed exchanges, a machine that is set back, a
/// copied one, and clocks years apart: all are equal at the end, and what was made and set is accounted for. `HUB_CHANGES` is the number of
/// changes of each seed, `HUB_SEED` the only seed, and `HUB_TRACE` a file for what each machine has after each step.
@MainActor
@Suite(.serialized)
struct MachineRandomTests {
    private static let changes = ProcessInfo.processInfo.environment["HUB_CHANGES"].flatMap { Int($0) } ?? 30

    @Test(arguments: [1, 2, 3] as [UInt64]) func `machines and phones come in step after anything`(seed: UInt64)
        async throws
    {
        if let only = ProcessInfo.processInfo.environment["HUB_SEED"].flatMap({ UInt64($0) }), only != seed { return }
        let run = try await RandomMachines(seed: seed)
        for _ in 0..<Self.changes { try await run.next() }
        for _ in 0..<5 { for spoke in run.spokes { _ = try await run.sync(spoke) } }
        try await run.traceEnd()
        let (content, notes) = (try await run.desk.content(), try await run.desk.notes())
        for spoke in run.spokes {
            let name = "seed \(seed), \(spoke.name)"
            let own = try await spoke.content()
            let waiting = try await spoke.held().filter(\.isOpen).map { "\($0.kind) \($0.name): \($0.reason)" }
            let differences = Set(own).symmetricDifference(content).sorted()
            #expect(differences == [] && own.count == content.count, "\(name): \(waiting)")
            #expect(try await spoke.notes() == notes, "\(name)")
            #expect(try await run.sync(spoke).isQuiet, "\(name)")
        }
        for machine in run.machines {
            let name = "seed \(seed), \(machine.name)"
            let doctor = await machine.test.run("doctor")
            #expect(doctor.exit == 0, "\(name): \(doctor.all)")
            let blobs = try await machine.values("SELECT blob FROM dictofun_record", of: "dictofun")
            let missing = try await machine.with { database in
                blobs.filter { BlobID($0).flatMap { database.blobs?.size(of: $0) } == nil }
            }
            #expect(missing == [], "\(name)")
        }
        let problems = run.ledger.problems(
            things: try await run.things(run.desk), values: try await run.values(run.desk),
            replaced: try await run.replaced())
        #expect(problems == [], "seed \(seed): \(run.steps(of: problems))")
        let kept = try await run.values(run.desk)
        #expect(kept.ranges(of: "X-KEEP:value").count == kept.ranges(of: "FN:Kept").count, "seed \(seed)")
    }
}
