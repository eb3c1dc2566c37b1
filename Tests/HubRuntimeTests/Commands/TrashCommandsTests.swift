import HubKit
import TestSupport
import Testing

@testable import HubRuntime

/// `hub trash`: the way back, and the one way to destroy.
struct TrashCommandsTests {
    @Test func `what is deleted is listed, brought back by any unique beginning, and that can be undone`() async throws
    {
        let hub = try HubFixture()
        for name in ["Anna Lukasz", "Jan Kowal", "Zoe Meyer"] { _ = await hub.run("contacts new \(name)") }
        _ = await hub.run("contacts rm anna jan zoe --yes")
        let zoe = try #require(
            await hub.run("trash --plain=ref,title").output.split(separator: "\n").first { $0.hasSuffix("Zoe Meyer") }?
                .split(separator: "\t").first.map(String.init))
        Golden.expect(
            await hub.transcript(
                "trash list --plain=title", "trash restore contacts:nobody", "trash restore \(zoe) --dry-run",
                "trash restore \(zoe)", "contacts list --plain=name", "undo", "contacts list --plain=name"),
            is: "trash-restore.txt")
    }

    @Test func `emptying asks, keeps what is younger, and leaves nothing to undo`() async throws {
        let hub = try HubFixture()
        for name in ["Anna Lukasz", "Jan Kowal"] { _ = await hub.run("contacts new \(name)") }
        _ = await hub.run("contacts rm anna --yes")
        hub.clock.advance(by: .seconds(40 * 86_400))
        _ = await hub.run("contacts rm jan --yes")
        let unattended = await hub.transcript("trash empty", "trash empty --before 30d --dry-run")
        let no = await hub.transcript("trash empty", interaction: ScriptedInteraction(answers: ["n"]))
        let yes = await hub.transcript("trash empty --before 30d", interaction: ScriptedInteraction(answers: ["y"]))
        Golden.expect(
            unattended + no + yes
                + (await hub.transcript("trash --plain=title", "undo", "undo", "undo", "contacts list --plain=name")),
            is: "trash-empty.txt")
    }
}
