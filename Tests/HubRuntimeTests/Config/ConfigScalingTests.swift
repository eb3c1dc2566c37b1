import Commands
import HubRuntime
import TestSupport
import Testing

struct ConfigScalingTests {
    @Test(arguments: [
        "k# = \"v\"\n", "[t#]\na = 1\n", "a.b#.c = 1\n", "# comment\n", "\n", "[a.b#]\nc = 1\n", "a.b = { c# = 1 }\n",
    ])
    func `an edit of a long file`(line: String) throws {
        let path = ConfigPath(["zz", "b", "c"])
        try Scaling.expectLinear(line, size: 33) { count in
            numbered(count, before: "\n[zz.b]\nd = 1\n") { line.replacing("#", with: String($0)) }
        } _: { file in
            guard let editor = try? ConfigEditor(ConfigText(file, path: "c")) else { return }
            let text = try editor.setting(path, to: .integer(7))
            _ = try ConfigEditor(ConfigText(text, path: "c")).removing(path)
        }
    }
}
