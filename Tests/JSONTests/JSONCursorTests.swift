import JSON
import TestSupport
import Testing

struct JSONCursorTests {
    private static let keys = JSONKeys(["id", "price", "nested", "né"])

    /// Builds the tree that the cursor sees.
    private static func tree(_ cursor: inout JSONCursor) throws(JSONCursor.Problem) -> JSONValue {
        switch try cursor.kind() {
        case .object:
            var members: [JSONValue.Member] = []
            try cursor.beginObject()
            while let name = try cursor.nextName() { members.append(.init(name: name, value: try tree(&cursor))) }
            return .object(members)
        case .array:
            var elements: [JSONValue] = []
            try cursor.beginArray()
            while try cursor.nextElement() { elements.append(try tree(&cursor)) }
            return .array(elements)
        case .string: return .string(try cursor.string())
        case .number: return .number(String(decoding: try cursor.number(), as: UTF8.self))
        case .bool: return .bool(try cursor.bool())
        case .null:
            try cursor.skip()
            return .null
        }
    }

    private static func tree(_ text: [UInt8]) throws(JSONCursor.Problem) -> JSONValue {
        try JSONCursor.read(text) { cursor throws(JSONCursor.Problem) in try tree(&cursor) }
    }

    private static func skip(_ text: [UInt8]) throws(JSONCursor.Problem) {
        try JSONCursor.read(text) { cursor throws(JSONCursor.Problem) in try cursor.skip() }
    }

    private static let sample = #"""
        {"id": "a\nb\u00e9\ud83d\ude00", "price": -1.50e+3, "nested": {"a": [1, true, null, [], {}]}, "né": false, "x": ""}
        """#

    @Test func `the cursor sees what the reader sees`() throws {
        let bytes = Array(Self.sample.utf8)
        #expect(try Self.tree(bytes) == JSONReader.read(bytes))
        #expect(throws: Never.self) { try Self.skip(bytes) }
    }

    @Test func `the numbers of an array are taken, up to a limit`() throws {
        let text = #"{"a": [1, -2.50, "3", [4], null, 5e6 , 7], "b": [], "c": [8,-9,1.5,4], "d": [1,"2",3,null,4,5]}"#
        let bytes = Array(text.utf8)
        let taken = try JSONCursor.read(bytes) { cursor throws(JSONCursor.Problem) in
            var texts: [[String]] = []
            try cursor.beginObject()
            while try cursor.nextName() != nil {
                texts.append(try cursor.numbers(limit: 3).map { String(decoding: $0, as: UTF8.self) })
            }
            return texts
        }
        #expect(taken == [["1", "-2.50", "5e6"], [], ["8", "-9", "1.5"], ["1", "3", "4"]])
        for wrong in ["[1 2]", "[1,]", "[1,,2]", "[1,-]", "[1,02]", "[1,2", "[1,", "[,1]"] {
            #expect(throws: JSONCursor.Problem.self, "\(wrong)") {
                try JSONCursor.read(Array(wrong.utf8)) { cursor throws(JSONCursor.Problem) in
                    try cursor.numbers(limit: 9).count
                }
            }
        }
    }

    /// Mutations of one text: whatever the strict reader accepts, the cursor reads alike; whatever it refuses, the cursor
    /// refuses too, except for the three leniencies that it names.
    @Test func `mutated texts are accepted and refused as by the reader`() {
        var generator = SeededGenerator(seed: 7)
        let pieces = [
            "\"", "\\", ",", "{", "}", "[", "]", ":", "0", "1e5", ".", "-", "null", "tru", " ", "\\ud800", "é",
        ]
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = Array(Self.sample.utf8)
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                if Bool.random(using: &generator), let piece = pieces.randomElement(using: &generator) {
                    bytes.insert(contentsOf: piece.utf8, at: place)
                } else {
                    bytes.remove(at: place)
                }
            }
            let tree = try? Self.tree(bytes)
            #expect((tree != nil) == ((try? Self.skip(bytes)) != nil))
            do {
                #expect(try JSONReader.read(bytes) == tree, "\(String(decoding: bytes, as: UTF8.self))")
                accepted += 1
            } catch {
                switch error.kind {
                case .duplicateName, .invalidUTF8, .invalidString: break
                default: #expect(tree == nil, "\(String(decoding: bytes, as: UTF8.self))")
                }
            }
        }
        #expect(accepted > 1000)
    }

    @Test func `members are found by their names, escaped ones too`() throws {
        var seen: [Int] = []
        let text = #"{"price":1,"other":{"id":2},"n\u00e9":3,"id":4,"id":5,"pricey":6}"#
        try JSONCursor.read(Array(text.utf8)) { cursor throws(JSONCursor.Problem) in
            try cursor.beginObject()
            while let key = try cursor.nextMember(Self.keys) {
                seen.append(key)
                try cursor.skip()
            }
        }
        #expect(seen == [1, -1, 3, 0, 0, -1])
    }

    @Test(arguments: [
        ("", JSONReader.Problem.Kind.unexpectedEnd), ("[1,2", .unexpectedEnd), ("[1,]", .unexpectedByte),
        ("[,1]", .unexpectedByte), ("{\"a\":1,}", .unexpectedByte), ("[1 2]", .unexpectedByte),
        ("NaN", .unexpectedByte), ("Infinity", .unexpectedByte), ("[-Infinity]", .invalidNumber),
        ("01", .invalidNumber),
        ("1 2", .trailingText), ("\"a", .unexpectedEnd), ("\"\\u12\"", .unexpectedEnd), ("nul", .unexpectedEnd),
        ("\"\\x\"", .invalidString), ("\"a\nb\"", .invalidString), ("[1}", .unexpectedByte), ("{1:2}", .unexpectedByte),
    ])
    func `what is not JSON is refused`(text: String, kind: JSONReader.Problem.Kind) {
        #expect { try Self.skip(Array(text.utf8)) } throws: { ($0 as? JSONCursor.Problem)?.kind == kind }
    }

    @Test func `a byte order mark, half pairs, invalid UTF-8 and repeated names are passed over`() throws {
        #expect(try Self.tree([0xEF, 0xBB, 0xBF] + Array("1".utf8)) == .number("1"))
        #expect(try Self.tree(Array(#""a\ud800b""#.utf8)) == .string("a\u{FFFD}b"))
        #expect(try Self.tree([0x22, 0x61, 0xFF, 0x22]) == .string("a\u{FFFD}"))
        #expect(throws: Never.self) { try Self.skip(Array(#"{"a":1,"a":2}"#.utf8)) }
    }

    @Test func `depth and size are bounded`() {
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        #expect { try Self.skip(deep) } throws: { ($0 as? JSONCursor.Problem)?.kind == .tooDeep }
        #expect {
            try JSONCursor.read([0x31, 0x31], limits: .init(bytes: 1)) { cursor throws(JSONCursor.Problem) in
                try cursor.skip()
            }
        } throws: { ($0 as? JSONCursor.Problem)?.kind == .tooLarge }
    }

    /// Text and digits are scanned in words of eight bytes, of which any may be the last.
    @Test func `texts and numbers of any length end where they end, wherever they begin`() throws {
        for before in 0..<8 {
            for length in 1...33 {
                let (digits, letters) = (String(repeating: "7", count: length), String(repeating: "ä~", count: length))
                let text = String(repeating: " ", count: before) + "[\(digits),\"\(letters)\\n\",\"\(letters)\"]"
                let found = try JSONCursor.read(Array(text.utf8)) { cursor throws(JSONCursor.Problem) in
                    var found: [String] = []
                    try cursor.beginArray()
                    while try cursor.nextElement() {
                        found.append(
                            try cursor.kind() == .number
                                ? String(decoding: try cursor.number(), as: UTF8.self) : try cursor.string())
                    }
                    return found
                }
                #expect(found == [digits, letters + "\n", letters])
            }
        }
    }

    @Test func `the cost is linear`() {
        Scaling.expectLinear("JSONCursor", size: 4000, { repeated(Self.sample + ",", $0, after: "[", before: "0]") }) {
            try? Self.skip($0)
        }
    }
}
