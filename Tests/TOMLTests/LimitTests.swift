import TOML
import TestSupport
import Testing

@Suite struct LimitTests {
    @Test func `a text of exactly the largest size is read and one byte more is not`() throws {
        var text = Array("x = 1\n#".utf8)
        text += Array(repeating: UInt8(ascii: "c"), count: TOML.maximumSize - text.count)
        #expect(try TOML.parse(text).entries.count == 1)
        let error = #expect(throws: TOMLError.self) { try TOML.parse(text + [UInt8(ascii: "c")]) }
        #expect(error?.message == "the file is larger than 1024 KiB")
    }

    @Test func `a text full of keys is read`() throws {
        let lines = (0..<20_000).map { "key-\($0) = \"value number \($0)\"\n" }.joined()
        #expect(try TOML.parse(lines).entries.count == 20_000)
    }

    @Test(arguments: [
        ("x = ", "[", "1"), ("x = ", "{a=", "1"), ("", "a.", "a = 1"), ("[", "a.", "a]"), ("", "'' .", "a = 1"),
        ("x = ", "[{a.a.a.a = ", "1"),
    ])
    func `deep nesting is an error and not a crash`(start: String, part: String, end: String) {
        for count in [40, 1000, 200_000] {
            let text = start + String(repeating: part, count: count) + end
            #expect(throws: TOMLError.self) { try TOML.parse(text) }
        }
    }

    @Test func `containers are counted over keys and brackets together`() throws {
        let key = String(repeating: "k.", count: 20) + "k"
        func text(levels: Int) -> String {
            "\(key) = " + String(repeating: "{\(key) = ", count: levels) + "1" + String(repeating: "}", count: levels)
        }
        #expect(try TOML.parse(text(levels: 2)).entries.count == 1)
        let error = #expect(throws: TOMLError.self) { try TOML.parse(text(levels: 3)) }
        #expect(error?.message == "nested too deep")
    }

    @Test(arguments: [
        "x = \"" + String(repeating: ".", count: 100) + "\"",
        "x = '" + String(repeating: ".", count: 100) + "'",
        "# " + String(repeating: ".", count: 100) + "\nx = 1",
        "x = \"\"\"" + String(repeating: ".\\\"", count: 100) + "\"\"\"\"\"",
        "x = '''" + String(repeating: ".'", count: 100) + "'''",
        "x = [" + String(repeating: "1.5,", count: 100) + "]",
        "x = \"\"\"\"\"\"\ny = '" + String(repeating: ".", count: 100) + "'",
    ])
    func `dots that are no part of a key do not count`(text: String) throws {
        #expect(try TOML.parse(text).entry("x") != nil)
    }

    @Test func `the dot too many is pointed at`() {
        let text = "x = 1\né" + String(repeating: ".a", count: 40) + " = 1"
        let error = #expect(throws: TOMLError.self) { try TOML.parse(text) }
        #expect(error?.position == TOMLPosition(line: 2, column: 2 + 2 * TOML.maximumDots))
    }

    @Test(arguments: 0..<40)
    func `random text never crashes`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", "b.c", ".", "=", " ", "\n", "\r\n", "\"", "'", "\"\"\"", "'''", "[", "]", "[[", "]]", "{", "}", ",",
            "#", "\\", "1", "1.5", "true", "04:00:00", "2026-11-20", "é", "\u{0}", "\t", "\\u00",
        ]
        for _ in 0..<100 {
            let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            _ = try? TOML.parse(text.joined())
        }
    }
}
