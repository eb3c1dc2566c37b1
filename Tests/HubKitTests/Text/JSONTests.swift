import CivilDate
import HubKit
import TestSupport
import Testing

@Suite struct JSONTests {
    @Test func `members keep their order and values their kind`() {
        var writer = JSONWriter()
        writer.value(
            .object([
                .init("id", .id("7kt3xd9m2qwz5v8rjh41", shown: 3)), .init("price", .decimal("0.10")),
                .init("count", .integer(-3)), .init("done", .bool(true)), .init("none", .null),
                .init("at", .instant(Instant(milliseconds: 1_795_176_600_250))),
                .init("tags", .list([.text("a\"b"), .text("c\\d")])), .init("empty", .list([])),
            ]))
        #expect(
            writer.string
                == #"{"id":"7kt3xd9m2qwz5v8rjh41","price":"0.10","count":-3,"done":true,"none":null,"#
                + #""at":"2026-11-20T12:10:00.250Z","tags":["a\"b","c\\d"],"empty":[]}"#)
    }

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
        ("", JSONReader.Problem.Kind.unexpectedEnd), ("nul", .unexpectedByte), ("[1,]", .unexpectedByte),
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

    @Test func `random strings come back as they were written`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                let value = UInt32.random(in: 0...(Bool.random(using: &generator) ? 0xFF : 0x10FFFF), using: &generator)
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            var writer = JSONWriter()
            writer.value(text)
            let back = try JSONReader.read(writer.bytes).string
            #expect(back.map { Array($0.utf8) } == Array(text.utf8), "seed \(seed)")
        }
    }

    @Test func `random bytes never crash the reader`() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array(#"{}[]",:\u0d8etrufalsn-+.123 "#.utf8)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            _ = try? JSONReader.read(bytes)
        }
    }
}
