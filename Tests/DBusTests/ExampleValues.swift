import DBus

/// Values of every type that can travel in a variant.
enum ExampleValues {
    static let all: [DBusValue] = [
        .byte(200), .boolean(true), .boolean(false), .int16(.min), .uint16(.max), .int32(.min), .uint32(.max),
        .int64(.min), .uint64(.max), .double(-0.5), .string(""), .string("zażółć 🙂\n"), .objectPath("/a/b_1"),
        .signature("a{sv}"), .bytes([]), .bytes([1, 2, 3]), .array(of: .int32, []),
        .array(of: .int32, [.int32(1), .int32(-2)]), .structure([.byte(1), .string("x"), .structure([.double(2)])]),
        .dictionary(
            key: .string, value: .int32, ["one": 1, "two": 2].reduce(into: [:]) { $0[.string($1.0)] = .int32($1.1) }),
        .dictionary(
            key: .uint16, value: .variant, [.uint16(1): .variant(.bytes([1])), .uint16(2): .variant(.string("s"))]),
        .variant(.variant(.int32(1))),
        .array(of: .array(.string), [.strings(["a"]), .strings([])]),
        .array(of: .structure([.objectPath, .byte]), [.structure([.objectPath("/"), .byte(1)])]),
    ]
}
