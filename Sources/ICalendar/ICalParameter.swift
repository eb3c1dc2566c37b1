/// A parameter of a property, as it is written (RFC 5545 §3.2).
package struct ICalParameter: Hashable, Sendable {
    /// Its name, as written.
    package let name: String
    /// The part after the equals sign, quotes included.
    package let written: String

    /// A parameter with one value; quotes are put around it where it needs them. What no parameter can hold, quotes and
    /// line ends, becomes an apostrophe and a space.
    package init(_ name: String, _ value: String) {
        let text = String(
            value.unicodeScalars.map { scalar -> Character in
                scalar == "\"" ? "'" : scalar.value < 0x20 || scalar.value == 0x7F ? " " : Character(scalar)
            })
        self.init(name, written: text.utf8.contains { ":;,".utf8.contains($0) } ? "\"\(text)\"" : text)
    }

    init(_ name: String, written: String) {
        self.name = name
        self.written = written
    }

    /// The value without quotes around it.
    package var value: String {
        written.count >= 2 && written.hasPrefix("\"") && written.hasSuffix("\"")
            ? String(written.dropFirst().dropLast()) : written
    }
}
