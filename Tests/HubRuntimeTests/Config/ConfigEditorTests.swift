import Commands
import HubRuntime
import TOML
import TestSupport
import Testing

@Suite struct ConfigEditorTests {
    private func set(_ path: String, _ value: ConfigValue, in text: String) throws -> String {
        let path = try #require(ConfigPath(path))
        let editor = try ConfigEditor(ConfigText(Array(text.utf8), path: "config.toml"))
        return String(decoding: try editor.setting(path, to: value), as: UTF8.self)
    }

    @Test(
        arguments: [
            // An empty or missing file.
            ("hub.region", .text("PL"), "", "[hub]\nregion = \"PL\"\n"),
            ("hub.region", .text("PL"), "\n", "\n[hub]\nregion = \"PL\"\n"),
            // A value that is there keeps its place and its comment.
            ("hub.region", .text("PL"), "[hub]\nregion  =  'DE'   # mine\n", "[hub]\nregion  =  \"PL\"   # mine\n"),
            ("hub.region", .text("PL"), "hub.region = \"DE\"", "hub.region = \"PL\""),
            ("a.b", .integer(2), "a = { c = 1, b = [\n 1,\n 2 ] }\n", "a = { c = 1, b = 2 }\n"),
            ("a.é", .integer(2), "a.\"é\" = \"żółw\" # é\n", "a.\"é\" = 2 # é\n"),
            // Under the header of its table, after the last entry.
            (
                "hub.region", .text("PL"), "[hub]\nlocale = \"\"\"\na\n\"\"\" # x\n\n# next\n[plugins]\n",
                "[hub]\nlocale = \"\"\"\na\n\"\"\" # x\nregion = \"PL\"\n\n# next\n[plugins]\n"
            ),
            ("hub.region", .text("PL"), "[hub]", "[hub]\nregion = \"PL\"\n"),
            (
                "hub.region", .text("PL"), "[hub]\r\nlocale = \"en\"\r\n",
                "[hub]\r\nlocale = \"en\"\r\nregion = \"PL\"\r\n"
            ),
            // At the commented-out line.
            (
                "hub.region", .text("PL"), "[hub]\n# region of numbers\n# region = \"DE\"\n\n# locale = \"en\"\n",
                "[hub]\n# region of numbers\n# region = \"DE\"\nregion = \"PL\"\n\n# locale = \"en\"\n"
            ),
            (
                "hub.region", .text("PL"), "[hub]\nlocale = '''\n# region = 1\n'''\n",
                "[hub]\nlocale = '''\n# region = 1\n'''\nregion = \"PL\"\n"
            ),
            // Beside its dotted siblings.
            (
                "plugins.notes.server.port", .integer(1), "[plugins]\nnotes.server.enabled = true\nx = 1\n",
                "[plugins]\nnotes.server.enabled = true\nnotes.server.port = 1\nx = 1\n"
            ),
            ("alias.d", .text("x"), "alias.c = \"y\"\n[hub]\n", "alias.c = \"y\"\nalias.d = \"x\"\n[hub]\n"),
            // Below a table further out.
            (
                "plugins.contacts.remind_at", .text("07:00"),
                "[plugins]\nenabled = []\n[plugins.contacts.accounts.a]\n",
                "[plugins]\nenabled = []\ncontacts.remind_at = \"07:00\"\n[plugins.contacts.accounts.a]\n"
            ),
            (
                "plugins.contacts.accounts.a.url", .text("x"), "[plugins]\nenabled = []\n",
                "[plugins]\nenabled = []\n\n[plugins.contacts.accounts.a]\nurl = \"x\"\n"
            ),
            // In braces.
            ("a.c", .boolean(true), "a = { b = 1 }\n", "a = { b = 1, c = true }\n"),
            ("a.c", .boolean(true), "a = {b = 1}", "a = {b = 1, c = true }"),
            ("a.c", .boolean(true), "a = {}\n", "a = { c = true }\n"),
            // A section of its own.
            ("hub.region", .text("PL"), "[plugins]\nx = 1", "[plugins]\nx = 1\n\n[hub]\nregion = \"PL\"\n"),
            ("a.\"x.y\".c", .list([.text("\"")]), "", "[a.\"x.y\"]\nc = [\"\\\"\"]\n"),
        ] as [(String, ConfigValue, String, String)])
    func `a setting goes where a person would write it`(
        path: String, value: ConfigValue, before: String, after: String
    ) throws {
        #expect(try set(path, value, in: before) == after)
    }

    @Test func `a byte order mark does not shift a place`() throws {
        #expect(try set("a.b", .integer(2), in: "\u{FEFF}a.b = 1 # x\n") == "\u{FEFF}a.b = 2 # x\n")
    }

    @Test(
        arguments: [
            ("a", .integer(1), "[a]\nb = 1\n"), ("a.b", .integer(1), "a.b.c = 1\n"),
            ("a.b.c", .integer(1), "a.b = 1\n"),
            ("a.b", .integer(1), "[[a]]\nb = 1\n"),
        ] as [(String, ConfigValue, String)])
    func `what would lose or break something is refused`(path: String, value: ConfigValue, text: String) throws {
        let error = #expect(throws: HubError.self) { try set(path, value, in: text) }
        #expect(error?.code == "config-not-editable")
    }

    @Test func `a file that is no TOML is not touched`() throws {
        let error = #expect(throws: HubError.self) { try set("hub.region", .text("PL"), in: "[hub\n") }
        #expect(error?.kind == .config)
    }

    @Test(arguments: 0..<60)
    func `random settings change their own line and no other`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var text = RandomConfig.file(using: &random)
        var changes = 0
        for _ in 0..<8 {
            let path = RandomConfig.path(using: &random)
            let value = RandomConfig.value(using: &random)
            let before = try TOML.parse(text)
            guard let after = try? set(path.description, value, in: text) else { continue }
            let table = try TOML.parse(after)
            let node = try #require(table.node(at: path.parts), "seed \(seed): \(path) in\n\(after)")
            #expect(RandomConfig.means(node.value, value), "seed \(seed)")
            expectOthersKept(text, after, replaced: before.node(at: path.parts)?.range, seed: seed)
            text = after
            changes += 1
        }
        #expect(changes > 0, "seed \(seed): nothing could be set in\n\(text)")
    }

    /// Expects all bytes before and after one place to be unchanged.
    private func expectOthersKept(_ before: String, _ after: String, replaced: TOMLRange?, seed: UInt64) {
        let (old, new) = (Array(before.utf8), Array(after.utf8))
        let start = zip(old, new).prefix { $0 == $1 }.count
        let end = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
        let removed = max(0, old.count - start - end)
        let text = ConfigText(old, path: "")
        let allowed = replaced.map { text.offset(of: $0.end) - text.offset(of: $0.start) } ?? 0
        // A comma in braces takes the place of the blanks before the closing one.
        #expect(removed <= max(allowed, 3), "seed \(seed)")
    }
}
