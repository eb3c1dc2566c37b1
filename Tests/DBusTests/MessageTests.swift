import CDBus
import TestSupport
import Testing

@testable import DBus

/// Messages that are written and read in this process, without a bus.
struct MessageTests {
    /// A message of libdbus with a body.
    private final class Message {
        let pointer: OpaquePointer

        init(_ body: [DBusValue]) throws {
            try #require(cdbus_load() == nil)
            pointer = try #require(cdbus_new_signal("/test", "org.example.Test", "Test"))
            try MessageWriter.append(body, to: pointer)
        }

        deinit { cdbus_release(pointer) }

        var body: [DBusValue] { MessageReader.arguments(of: pointer) }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `what is written is read, whatever its types`(seed: UInt64) throws {
        var random = RandomValues(seed: seed)
        for _ in 0..<50 {
            let body = (0..<random.below(4)).map { _ in random.value(of: random.type(depth: 4)) }
            // A signature has 255 bytes at most.
            guard body.map(\.type.code).joined().utf8.count < 256 else { continue }
            #expect(try Message(body).body == body, "seed \(seed)")
        }
    }

    /// What a message with many parts costs, by the kind of its parts.
    @Test(arguments: [
        ("numbers", DBusValue.int32(7)), ("texts", .string("zażółć")),
        ("structures", .structure([.byte(1), .string("")])), ("variants", .variant(.boolean(true))),
        ("lists", .strings(["a", "b"])), ("bytes", .bytes([1, 2, 3])),
    ])
    func `reading costs what the length of a list does`(part: (name: String, value: DBusValue)) throws {
        try Scaling.expectLinear(part.name, size: 2_000) { count in
            try? Message([.array(of: part.value.type, Array(repeating: part.value, count: count))])
        } _: { message throws in
            let read = try #require(message).body
            #expect(read.first?.elements?.count ?? 0 >= 2_000)
        }
    }

    @Test func `reading and writing cost what the number of entries does`() throws {
        func properties(_ count: Int) -> DBusValue {
            .properties(Dictionary(uniqueKeysWithValues: (0..<count).map { ("name \($0)", .string("value \($0)")) }))
        }
        try Scaling.expectLinear("entries", size: 1_000, properties) { value throws in
            let read = try Message([value]).body
            #expect(read == [value])
        }
    }
}

/// Types and addresses are texts of others, and rules become texts for others.
struct TextTests {
    @Test(arguments: [
        ("members of a structure", "(", "i", ")"), ("structures", "(", "(y)", ")"), ("dictionaries", "(", "a{sv}", ")"),
        ("types too many", "", "i", ""), ("open brackets", "", "(", ""), ("arrays of nothing", "", "a", ""),
    ])
    func `reading a type costs what its length does`(code: (name: String, start: String, part: String, end: String)) {
        Scaling.expectLinear(code.name, size: 4_000) { count in
            code.start + String(repeating: code.part, count: count) + code.end
        } _: { text in
            _ = DBusType(code: text)
        }
    }

    @Test(arguments: [";", "unix:path=/x;", "autolaunch:;", "unix:", "%41"])
    func `reading an address costs what its length does`(part: String) {
        Scaling.expectLinear(part, size: 4_000) { count in
            String(repeating: part, count: count)
        } _: { text in
            _ = try? DBusAddress(text)
            _ = DBusAddress.escaped(text)
        }
    }

    /// The values of a rule as the specification reads it: an apostrophe begins and ends quotes, and between them it stands
    /// after a backslash.
    private func fields(of rule: String) -> [String] {
        var (fields, isQuoted, isEscaped) = ([""], false, false)
        for scalar in rule.unicodeScalars {
            if isEscaped {
                fields[fields.count - 1].unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "'" {
                isQuoted.toggle()
            } else if scalar == "\\", !isQuoted {
                isEscaped = true
            } else if scalar == ",", !isQuoted {
                fields.append("")
            } else {
                fields[fields.count - 1].unicodeScalars.append(scalar)
            }
        }
        return fields
    }

    @Test func `a rule says what it was made of, whatever is in its words`() {
        var random = SeededGenerator(seed: 11)
        func words() -> String? {
            guard Bool.random(using: &random) else { return nil }
            let scalars = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                (["'", "\\", ",", "=", "a", " ", "\u{301}", "🙂"] as [Unicode.Scalar]).randomElement(using: &random)
                    ?? "a"
            }
            return scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
        }
        for _ in 0..<2_000 {
            let rule = DBusMatchRule(sender: words(), path: words(), member: words(), firstArgument: words())
            let expected = [
                ("type", "signal"), ("sender", rule.sender), ("path", rule.path), ("member", rule.member),
                ("arg0", rule.firstArgument),
            ].compactMap { name, value in value.map { "\(name)=\($0)" } }
            #expect(fields(of: rule.text).map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "seed 11")
        }
    }
}

/// Types, and values of them, at random.
private struct RandomValues {
    private var generator: SeededGenerator
    private static let basics: [DBusType] = [
        .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
    ]

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

    private mutating func basic() -> DBusType { Self.basics[below(Self.basics.count)] }

    mutating func type(depth: Int) -> DBusType {
        guard depth > 0 else { return basic() }
        return switch below(6) {
        case 0: .array(type(depth: depth - 1))
        case 1: .structure((0...below(3)).map { _ in type(depth: depth - 1) })
        case 2: .dictionary(key: basic(), value: type(depth: depth - 1))
        case 3: .variant
        default: basic()
        }
    }

    private mutating func bits() -> UInt64 { UInt64.random(in: 0 ... .max, using: &generator) }

    mutating func value(of type: DBusType) -> DBusValue {
        switch type {
        case .byte: .byte(UInt8(truncatingIfNeeded: bits()))
        case .boolean: .boolean(below(2) == 1)
        case .int16: .int16(Int16(truncatingIfNeeded: bits()))
        case .uint16: .uint16(UInt16(truncatingIfNeeded: bits()))
        case .int32: .int32(Int32(truncatingIfNeeded: bits()))
        case .uint32: .uint32(UInt32(truncatingIfNeeded: bits()))
        case .int64: .int64(Int64(truncatingIfNeeded: bits()))
        case .uint64, .unixDescriptor: .uint64(bits())
        case .double: .double(Double(Int64(truncatingIfNeeded: bits())) / 1024)
        case .string: .string((0..<below(6)).map { _ in ["a", "ż", "🙂", "\n", "'"][below(5)] }.joined())
        case .objectPath: .objectPath("/" + (0..<below(3)).map { _ in "p\(below(9))" }.joined(separator: "/"))
        case .signature: .signature(self.type(depth: 2).code)
        case .variant: .variant(value(of: self.type(depth: 2)))
        case .array(.byte): .bytes((0..<below(5)).map { _ in UInt8(truncatingIfNeeded: bits()) })
        case .array(let element): .array(of: element, (0..<below(4)).map { _ in value(of: element) })
        case .structure(let members): .structure(members.map { value(of: $0) })
        case .dictionary(let key, let element): dictionary(key, element)
        }
    }

    private mutating func dictionary(_ key: DBusType, _ element: DBusType) -> DBusValue {
        var entries: [DBusValue: DBusValue] = [:]
        for _ in 0..<below(4) { entries[value(of: key)] = value(of: element) }
        return .dictionary(key: key, value: element, entries)
    }
}
