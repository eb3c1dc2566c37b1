import DBus
import TestSupport
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
