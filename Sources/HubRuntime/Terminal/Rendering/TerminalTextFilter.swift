import Text

/// Makes a file that is written to a terminal safe to look at, line by line; in a pipe or a file its bytes stay.
struct TerminalTextFilter {
    /// The beginning of a line whose end has not come yet.
    private var rest: [UInt8] = []
    /// A line longer than this is cut, so that a file without lines takes no memory.
    private static let maximumLength = 1 << 20

    /// The lines that `chunk` completes.
    mutating func feed(_ chunk: [UInt8]) -> [UInt8] {
        rest += chunk
        guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else {
            return rest.count > Self.maximumLength ? finish() : []
        }
        defer { rest.removeSubrange(...end) }
        return Self.printable(rest[...end])
    }

    /// Returns the remaining bytes.
    mutating func finish() -> [UInt8] {
        defer { rest = [] }
        return Self.printable(rest[...])
    }

    private static func printable(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        return Array(TerminalSanitizer.block(text).utf8)
    }
}
