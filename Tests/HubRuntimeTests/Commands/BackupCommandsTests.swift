import Glibc
import HubKit
import TestSupport
import Testing

@testable import HubRuntime

/// `hub backup` and `hub restore`.
struct BackupCommandsTests {
    @Test func `a backup brings everything back, and the store that it replaced is kept`() async throws {
        let hub = try HubFixture()
        let file = hub.folder.path + "/copy.db"
        let broken = hub.folder.path + "/broken.db"
        try hub.folder.write("no database", to: "broken.db")
        _ = await hub.run("contacts new Anna Lukasz")
        let saved = await hub.transcript("backup \(file) --dry-run", "backup \(file)", "contacts new Jan Kowal")
        let no = await hub.transcript("restore \(file)", interaction: ScriptedInteraction(answers: ["n"]))
        let refused = await hub.transcript(
            "restore \(broken) --yes", "restore \(file).none --yes", "contacts list --plain=name")
        #expect(hub.folder.mode("copy.db") == 0o600)
        let yes = await hub.run("restore \(file)", interaction: ScriptedInteraction(answers: ["y"]))
        #expect(yes.exit == 0, "\(yes.messages)")
        let kept = try #require(yes.output.split(whereSeparator: \.isWhitespace).last.map(String.init))
        #expect(access(kept, F_OK) == 0, "\(yes.output)")
        let back = await hub.transcript("contacts list --plain=name", "doctor -q --plain=check,state")
        Golden.expect(saved + no + refused + back, is: "backup.txt")
        #expect(await hub.run("restore \(kept) --yes").exit == 0)
        #expect(await hub.run("contacts list --plain=name").output == "Jan Kowal\nAnna Lukasz\n")
    }
}
