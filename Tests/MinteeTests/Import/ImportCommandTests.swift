import Glibc
import HubRuntimeTesting
import TestSupport
import Testing

@testable import Mintee

/// Import, export and restore commands with their output.
struct ImportCommandTests {
    private func write(_ text: String, to path: String) throws { Golden.write(text, to: path) }

    @Test func `import, the same again, undo, export and versions`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        mkdir(hub.home + "/harsh", 0o700)
        try write("! Sport\nRun: 3/7\n! Mind\nRead: 1\nno habit\n", to: hub.home + "/harsh/habits")
        try write(
            "2026-11-01 : Run : y : slow : 5.5\n2026-11-02 : Read : y\n2026-11-03 : Read : maybe\n",
            to: hub.home + "/harsh/log")
        try write("nothing of any kind", to: hub.home + "/letter.txt")
        try write("{\"analyses\":[],\"tasks\":[{\"name\":\"Torn\"\n]}", to: hub.home + "/tasks.json")
        var shown = ""
        for line in [
            "mintee import -n FOLDER/harsh", "mintee import FOLDER/harsh/log FOLDER/harsh/habits",
            "mintee import FOLDER/harsh",
            "mintee import FOLDER/harsh --json=outcome,name,days,file,line,reason", "mintee import FOLDER/letter.txt",
            "mintee import FOLDER/tasks.json", "mintee import FOLDER/none",
            "mintee import FOLDER/letter.txt --as habitbull",
            "mintee set run 9 --date 2026-11-01", "mintee diff run --since 2026-11-19 --plain", "undo",
            "undo",
            "mintee list", "redo", "mintee export --as csv", "mintee new Gym --on Mon,Wed",
            "mintee export --as loop -o FOLDER/loop.zip", "mintee import -n FOLDER/loop.zip",
            "mintee restore gym --at 2020-01-01",
            "mintee restore --help", "mintee import --help", "mintee diff --help",
        ] {
            let run = await hub.shown(line.replacing("FOLDER", with: hub.home))
            shown += "$ hub \(line)\n" + run.replacing(hub.home, with: "FOLDER")
        }
        Golden.expect(shown, is: "import.txt")
        #expect(await hub.run("mintee import \(hub.home)/harsh").exit == 2)
        #expect(await hub.run("mintee import \(hub.home)/letter.txt").exit == 65)
        #expect(await hub.run("mintee import \(hub.home)/none").exit == 1)
        #expect(await hub.run("mintee import \(hub.home)/loop.zip").exit == 0)
    }

    @Test func `each of several files is tried, and what is wrong with one costs only itself`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        try write("", to: hub.home + "/empty.csv")
        try write("- 2026-11-01\nDate,Run\n2026-11-01,1\n", to: hub.home + "/odd.txt")
        try write("{\"tasks\":[]}", to: hub.home + "/none.json")
        mkdir(hub.home + "/harsh", 0o700)
        try write("! Sport\nRun: 1\n", to: hub.home + "/harsh/habits")
        let files = ["empty.csv", "gone.csv", "harsh", "none.json"].map { "\(hub.home)/\($0)" }.joined(separator: " ")
        let run = await hub.run("mintee import \(files)")
        #expect(run.exit == 2)
        #expect(run.output.contains("harsh: 1 new, 0 updated, 0 unchanged, 0 skipped\n"))
        #expect(run.output.contains("skipped  empty.csv contains no tasks\n"))
        #expect(
            run.output.contains("4 files: 1 new, 0 updated, 0 unchanged, 0 skipped, 3 files not read. Undo: hub undo"))
        #expect(await hub.run("mintee list").output.contains("Run"))
        #expect(await hub.run("mintee import \(hub.home)/empty.csv \(hub.home)/gone.csv").exit == 65)
        let json = await hub.run("mintee import \(files) --json").output
        #expect(json.contains("\"counts\":{\"new\":0,\"updated\":0,\"unchanged\":1,\"skipped\":0}"))
    }
}
