/// The text of a secret in what a program printed or a file holds.
enum SecretText {
    /// The first line without its end, which may be CR LF; nil when it is empty or not UTF-8.
    static func firstLine(of bytes: [UInt8]) -> String? {
        var line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line.isEmpty ? nil : String(validating: line, as: UTF8.self)
    }
}
