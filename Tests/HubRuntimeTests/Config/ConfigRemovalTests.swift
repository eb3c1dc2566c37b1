import Commands
import HubRuntime
import TOML
import TestSupport
import Testing

@Suite struct ConfigRemovalTests {
    private func remove(_ path: String, from text: String) throws -> String {
        let path = try #require(ConfigPath(path))
        let editor = try ConfigEditor(ConfigText(Array(text.utf8), path: "config.toml"))
        return String(decoding: try editor.removing(path), as: UTF8.self)
    }

    @Test(
        arguments: [
            // A line, whatever it is long.
            ("hub.region", "[hub]\nlocale = \"en\"\nregion = \"PL\" # mine\n", "[hub]\nlocale = \"en\"\n"),
            ("hub.x", "[hub]\r\nx = [\r\n 1,\r\n]\r\ny = 1\r\n", "[hub]\r\ny = 1\r\n"),
            // A section with the empty line above it; other lines above are kept.
            (
                "p.a.posteo",
                "# all\n[p]\nx = 1\n\n# mail\n\n[p.a.posteo]\n# here\nurl = 1\nuser = 2\n\n[p.a.work]\nurl = 3\n",
                "# all\n[p]\nx = 1\n\n# mail\n\n[p.a.work]\nurl = 3\n"
            ),
            ("p.a.posteo", "[p.a.posteo]\nurl = 1\n", ""),
            // A group that is spread over the file.
            (
                "p.a.posteo", "p.a.posteo.url = 1\np.x = 2\n[p.a.posteo.more]\ny = 1\n[z]\nw = 1\n",
                "p.x = 2\n[z]\nw = 1\n"
            ),
            // Parts of a table in braces.
            ("a.b", "a = { b = 1, c = 2 }\n", "a = { c = 2 }\n"), ("a.c", "a = { b = 1, c = 2 }\n", "a = { b = 1 }\n"),
            ("a.b", "a = { b = { x = 1 } } # y\n", "a = {  } # y\n"),
            ("a.b", "a = { b = { x = 1 }, c = 1 }", "a = { c = 1 }"),
            // Missing settings.
            ("hub.region", "[hub]\n", "[hub]\n"), ("hub.region", "", ""),
        ] as [(String, String, String)])
    func `only what is meant goes`(path: String, before: String, after: String) throws {
        #expect(try remove(path, from: before) == after)
    }

    @Test func `a file that is no TOML is not touched`() throws {
        #expect(throws: HubError.self) { try remove("hub.region", from: "[hub\n") }
    }

    @Test(arguments: 0..<60)
    func `random removals take away nothing else`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var text = RandomConfig.file(using: &random)
        for _ in 0..<8 {
            let path = RandomConfig.path(using: &random)
            let before = try TOML.parse(text)
            guard let after = try? remove(path.description, from: text) else { continue }
            #expect(try TOML.parse(after).node(at: path.parts) == nil, "seed \(seed): \(path) in\n\(after)")
            #expect((after == text) == (before.node(at: path.parts) == nil), "seed \(seed)")
            var rest = text.utf8[...]
            let isRemnant = after.utf8.allSatisfy { byte in
                guard let index = rest.firstIndex(of: byte) else { return false }
                rest = rest[rest.index(after: index)...]
                return true
            }
            #expect(isRemnant, "seed \(seed): something was written")
            text = after
        }
    }
}
