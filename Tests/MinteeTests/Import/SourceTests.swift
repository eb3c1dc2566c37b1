import HubRuntimeTesting
import MinteeDomain
import TestSupport
import Testing

@testable import Mintee

/// Targets over several days that an earlier import did not have.
struct SourceTests {
    private static let harsh = [
        ("habits", "Gym: 3/7\nRead: 1\n"),
        ("log", "2026-11-01 : Gym : y\n2026-11-04 : Gym : y\n2026-11-07 : Gym : n\n2026-11-08 : Gym : y\n"),
    ]
    private static let habitctl = [
        ("habits", "4 Gym\n1 Read\n"), ("log", "2026-11-01\tGym\ty\n2026-11-05\tGym\ty\n2026-11-08\tGym\tn\n"),
    ]

    @Test(arguments: [(harsh, "3 times in 7 days", 4), (habitctl, "every 4 days", 3)])
    func `a task that was imported as due every day takes its target from the file`(
        files: [(String, String)], period: String, days: Int
    ) async throws {
        let hub = try TestHub(MinteePlugin.self)
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name) }
        await hub.run("mintee import \(folder.path)")
        // As the importer of old left it.
        await hub.run("mintee edit gym --on daily")
        let again = await hub.run("mintee import -n \(folder.path)")
        await hub.run("mintee edit gym --on Sun,Wed --yes")
        #expect(again.exit == 0, "\(again.all)")
        #expect(
            again.all.contains("Gym is \(period) in the file: hub mintee edit \"Gym\" --from-source FILE"),
            "\(again.all)")
        let edit = await hub.run("mintee edit gym --from-source \(folder.path)")
        #expect(edit.exit == 0, "\(edit.all)")
        #expect(await hub.run("mintee show gym").output.contains(period))
        // All filled days are there again, and none was dropped on the way.
        await hub.run("mintee import \(folder.path)")
        #expect(await hub.run("mintee export gym --as csv").output.split(separator: "\n").count == days + 1)
        let same = await hub.run("mintee edit gym --from-source \(folder.path)")
        #expect(same.exit == 0 && same.all.lowercased().contains("nothing changed"), "\(same.all)")
        #expect(await hub.run("mintee check").exit == 0)
        let other = await hub.run("mintee new Other")
        #expect(other.exit == 0)
        #expect(await hub.run("mintee edit other --from-source \(folder.path)").exit == 1)
        #expect(await hub.run("mintee edit other --from-source \(folder.path)/none").exit == 1)
        #expect(await hub.run("mintee edit gym --from-source \(folder.path) --on daily").exit == 64)
    }
}
