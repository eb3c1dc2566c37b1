import Testing

@testable import TOML

@Suite struct ValueTests {
    @Test(arguments: [
        (#"v = "a\tb\u00e9\"""#, TOMLValue.string("a\tbé\"")),
        (#"v = 'C:\no\escape'"#, .string(#"C:\no\escape"#)),
        ("v = \"\"\"\none\ntwo\"\"\"", .string("one\ntwo")),
        ("v = '''a'b'''", .string("a'b")),
        ("v = \"\"\"one \\\n  étoile\"\"\"", .string("one étoile")),
        ("v = 0x1F", .integer(31)),
        ("v = 1_000", .integer(1000)),
        ("v = -9223372036854775808", .integer(.min)),
        ("v = 1.5e3", .float(1500)),
        ("v = true", .boolean(true)),
        (
            "v = 04:05:06.5",
            .dateTime(TOMLDateTime(time: .init(hour: 4, minute: 5, second: 6, nanosecond: 500_000_000)))
        ),
        ("v = 2026-11-20", .dateTime(TOMLDateTime(date: .init(year: 2026, month: 11, day: 20)))),
        (
            "v = 2026-11-20T14:30:00-01:30",
            .dateTime(
                TOMLDateTime(
                    date: .init(year: 2026, month: 11, day: 20),
                    time: .init(hour: 14, minute: 30, second: 0, nanosecond: 0), offset: -90))
        ),
    ])
    func `a value of each type is read`(text: String, value: TOMLValue) throws {
        #expect(try TOML.parse(text).entry("v")?.node.value == value)
    }

    @Test func `entries keep the order of the text`() throws {
        let table = try TOML.parse("z = 1\na = 2\nm.b = 3\nm.a = 4\n")
        #expect(table.entries.map(\.key) == ["z", "a", "m"])
        #expect(try #require(table.table("m")).entries.map(\.key) == ["b", "a"])
    }

    @Test func `headers, dotted keys and braces make the same tree`() throws {
        let spellings = [
            "[a.b]\nc = 1\n", "a.b.c = 1\n", "a = { b = { c = 1 } }\n", "[a]\nb.c = 1\n", "'a'.\"b\" . c = 1",
        ]
        for text in spellings {
            let node = try TOML.parse(text).node(at: ["a", "b", "c"])
            #expect(node?.value == .integer(1), "\(text)")
        }
    }

    @Test func `arrays of tables are arrays`() throws {
        let table = try TOML.parse("[[x]]\nn = 1\n[[x]]\nn = 2\n")
        guard case .array(let elements)? = table.entry("x")?.node.value else {
            Issue.record("x is no array")
            return
        }
        #expect(elements.count == 2)
    }

    @Test func `an empty text is an empty table`() throws {
        #expect(try TOML.parse("").entries.isEmpty)
        #expect(try TOML.parse("\u{FEFF}# nothing\r\n").entries.isEmpty)
    }

    @Test(arguments: ["plain", "with \"quotes\" and \\", "line\nbreak\t\u{1}\u{7F}", "Łukasz 👩‍👩‍👧 e\u{301}", ""])
    func `a quoted string and a quoted key are read back`(text: String) throws {
        let table = try TOML.parse("\(TOML.key(text)) = \(TOML.quoted(text))\n")
        #expect(table.entry(text)?.node.value == .string(text))
    }
}

extension TOMLTable {
    fileprivate func table(_ key: String) -> TOMLTable? {
        if case .table(let table)? = entry(key)?.node.value { table } else { nil }
    }
}
