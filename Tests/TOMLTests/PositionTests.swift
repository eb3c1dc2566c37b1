import TOML
import Testing

@Suite struct PositionTests {
    private static let text = """
        alias.c = "a b"   # why
        [ plugins ]
        "é" . x = "żółw"
        list = [ 1,
          "two",
        ]
        text = \"""
        long
        \"""
        engine = { model = "m", on = true }
        """

    @Test(arguments: [
        (["alias", "c"], 1, 7, 1, 8, 1, 11, 1, 16),
        (["plugins", "é", "x"], 3, 7, 3, 8, 3, 11, 3, 17),
        (["plugins", "list"], 4, 1, 4, 5, 4, 8, 6, 2),
        (["plugins", "text"], 7, 1, 7, 5, 7, 8, 9, 4),
        (["plugins", "engine"], 10, 1, 10, 7, 10, 10, 10, 36),
        (["plugins", "engine", "on"], 10, 25, 10, 27, 10, 30, 10, 34),
    ])
    func `key and value ranges cover what is written`(
        path: [String], keyLine: Int, keyColumn: Int, keyEndLine: Int, keyEnd: Int, line: Int, column: Int,
        endLine: Int, end: Int
    ) throws {
        let root = try TOML.parse(Self.text)
        var table = root
        for key in path.dropLast() {
            guard case .table(let inner)? = table.entry(key)?.node.value else {
                Issue.record("no table \(key)")
                return
            }
            table = inner
        }
        let entry = try #require(path.last.flatMap { table.entry($0) })
        #expect(
            entry.keyRange
                == TOMLRange(
                    TOMLPosition(line: keyLine, column: keyColumn), TOMLPosition(line: keyEndLine, column: keyEnd)))
        #expect(
            entry.node.range
                == TOMLRange(TOMLPosition(line: line, column: column), TOMLPosition(line: endLine, column: end)))
    }

    @Test func `carriage returns do not shift a position`() throws {
        let root = try TOML.parse("a = 1\r\n  b = 22\r\n")
        #expect(
            root.entry("b")?.node.range
                == TOMLRange(TOMLPosition(line: 2, column: 7), TOMLPosition(line: 2, column: 9)))
    }
}
