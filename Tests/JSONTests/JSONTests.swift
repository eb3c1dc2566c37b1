import JSON
import TestSupport
import Testing

@Suite struct JSONTests {
    @Test func `control characters are escaped, in the C1 range and of the bidirectional algorithm too`() {
        var writer = JSONWriter()
        writer.value("\u{0}\n\r\t\u{1B}\u{7F}\u{9B}\u{202E}é😀\u{E0041}")
        #expect(writer.string == #""\u0000\n\r\t\u001b\u007f\u009b\u202eé😀\udb40\udc41""#)
    }

    @Test(arguments: [
        ("null", JSONValue.null), (" true ", .bool(true)), ("-0.50e+3", .number("-0.50e+3")), ("0", .number("0")),
        (#""aé\n\/😀""#, .string("aé\n/😀")), ("[]", .array([])),
        ("[1 , [2]]", .array([.number("1"), .array([.number("2")])])),
        ("{}", .object([])),
        (#"{"b":1,"a":null}"#, .object([.init(name: "b", value: .number("1")), .init(name: "a", value: .null)])),
    ])
    func `what is JSON is read`(text: String, value: JSONValue) throws {
        #expect(try JSONReader.read(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        ("", JSONReader.Problem.Kind.unexpectedEnd), ("nul", .unexpectedEnd),
        ("nule", .unexpectedByte), ("[1,]", .unexpectedByte),
        ("[1", .unexpectedEnd), ("{\"a\" 1}", .unexpectedByte), ("{\"a\":1,\"a\":2}", .duplicateName),
        ("01", .invalidNumber),
        ("1.", .invalidNumber), (".5", .unexpectedByte), ("+1", .unexpectedByte), ("1e", .invalidNumber),
        ("-", .invalidNumber), ("\"a\nb\"", .invalidString), ("\"\\x\"", .invalidString),
        ("\"\\ud800\"", .invalidString),
        ("\"\\ud800\\u0041\"", .invalidString), ("\"\\u12g4\"", .invalidString), ("\"abc", .unexpectedEnd),
        ("1 2", .trailingText),
        ("{a:1}", .unexpectedByte), ("'a'", .unexpectedByte), ("NaN", .unexpectedByte),
    ])
    func `what is no JSON is refused`(text: String, kind: JSONReader.Problem.Kind) {
        #expect { try JSONReader.read(Array(text.utf8)) } throws: { ($0 as? JSONReader.Problem)?.kind == kind }
    }

    @Test func `depth, size and encoding are bounded`() {
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        #expect { try JSONReader.read(deep) } throws: { ($0 as? JSONReader.Problem)?.kind == .tooDeep }
        #expect { try JSONReader.read(Array("[1,2,3]".utf8), limits: .init(bytes: 4)) } throws: {
            ($0 as? JSONReader.Problem)?.kind == .tooLarge
        }
        #expect { try JSONReader.read([0x22, 0xFF, 0x22]) } throws: {
            ($0 as? JSONReader.Problem)?.kind == .invalidUTF8
        }
    }

    @Test(.seeded) func `random strings come back as they were written`() throws {
        var generator = SeededGenerator()
        for _ in 0..<2000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                let value = UInt32.random(in: 0...(Bool.random(using: &generator) ? 0xFF : 0x10FFFF), using: &generator)
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            var writer = JSONWriter()
            writer.value(text)
            let back = try JSONReader.read(writer.bytes).string
            #expect(back.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test(.seeded) func `random bytes never crash the reader`() {
        var generator = SeededGenerator()
        let alphabet = Array(#"{}[]",:\u0d8etrufalsn-+.123 "#.utf8)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            _ = try? JSONReader.read(bytes)
        }
    }

    @Test(arguments: [
        (
            #"{"a":1,"a":2}"#,
            JSONValue.object([.init(name: "a", value: .number("1")), .init(name: "a", value: .number("2"))])
        ),
        (#""x\ud800y""#, .string("x\u{FFFD}y")), (#""\ud800\u0041""#, .string("\u{FFFD}A")),
        ("[1]],", .array([.number("1")])),
    ])
    func `mistakes of careless programs are passed over when asked for`(text: String, value: JSONValue) throws {
        #expect(try JSONReader.read(Array(text.utf8), limits: .init(isLenient: true)) == value)
        #expect(throws: JSONReader.Problem.self) { try JSONReader.read(Array(text.utf8)) }
    }

    @Test func `a repeated name is found among few members and among many`() {
        for count in [1, 2, 15, 16, 17, 40] {
            let members = (0..<count).map { "\"m\($0)\":0" }
            #expect(throws: Never.self) { try JSONReader.read(Array("{\(members.joined(separator: ","))}".utf8)) }
            for repeated in [0, count / 2, count - 1] {
                let text = "{\((members + [members[repeated]]).joined(separator: ","))}"
                #expect { try JSONReader.read(Array(text.utf8)) } throws: {
                    ($0 as? JSONReader.Problem)?.kind == .duplicateName
                }
            }
        }
    }

    @Test func `offsets count from the beginning of the part that is read`() {
        let bytes = Array("[1] x".utf8)
        #expect { try JSONReader.read(bytes[3...]) } throws: { ($0 as? JSONReader.Problem)?.offset == 1 }
    }
}
