import DBus
import Testing

struct DBusTypeTests {
    @Test(arguments: [
        "y", "b", "n", "q", "i", "u", "x", "t", "d", "s", "o", "g", "h", "v", "as", "aai", "a{sv}", "(iss)",
        "a{s(ia{ov})}", "a(a{yv}as)",
    ])
    func `a type code reads as the type that writes it`(code: String) throws {
        #expect(try #require(DBusType(code: code)).code == code)
    }

    @Test(arguments: [
        "", "a", "(", "()", "(i", "i)", "ii", "a{s}", "a{vs}", "a{s", "{sv}", "z", "é", "a{asv}",
        String(repeating: "a", count: 100_000) + "i",
    ])
    func `what is no single type is refused`(code: String) {
        #expect(DBusType(code: code) == nil)
    }

    @Test func `random codes never do harm, and what is read is written the same`() {
        var generator = SeededGenerator(seed: 42)
        for _ in 0..<20_000 {
            let code = String(
                (0..<Int.random(in: 0...8, using: &generator)).compactMap { _ in
                    "aa(){}ivsy".randomElement(using: &generator)
                })
            if let type = DBusType(code: code) { #expect(type.code == code, "seed 42") }
        }
    }

    @Test(arguments: ExampleValues.all)
    func `a value's type has a code that reads back`(value: DBusValue) {
        #expect(DBusType(code: value.type.code) == value.type)
    }
}

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
