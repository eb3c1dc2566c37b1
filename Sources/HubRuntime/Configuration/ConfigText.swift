import System
package import TOML

/// The text of a config file with its tree, its lines, and the way from a position to a place in the bytes.
package struct ConfigText: Sendable {
    /// The file as it is shown: `~/.config/hub/config.toml`.
    package let path: String
    /// The bytes as they are in the file.
    package let bytes: [UInt8]
    /// The start of each line in `bytes`.
    private let lineStarts: [Int]

    /// Creates a text; `path` is the name of the file for messages.
    package init(_ bytes: [UInt8], path: String) {
        self.bytes = bytes
        self.path = path
        var starts = [0]
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(index + 1) }
        lineStarts = starts
    }

    /// The number of lines; what follows the last line end is one, even when it is empty.
    package var lineCount: Int { lineStarts.count }

    /// The bytes of a line, counted from 1, without its end.
    package func line(_ number: Int) -> ArraySlice<UInt8> {
        guard lineStarts.indices.contains(number - 1) else { return [] }
        let start = lineStarts[number - 1]
        let end = lineStarts.indices.contains(number) ? lineStarts[number] - 1 : bytes.count
        let line = bytes[start..<end]
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    /// Returns the start of the line in the bytes; past the last line, their end.
    package func start(ofLine number: Int) -> Int {
        lineStarts.indices.contains(number - 1) ? lineStarts[number - 1] : bytes.count
    }

    /// The index in the bytes of the character at `position`.
    package func offset(of position: TOMLPosition) -> Int {
        var offset = start(ofLine: position.line)
        var column = 1
        // The parser does not count a byte order mark.
        if position.line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset += 3 }
        while column < position.column, offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            column += 1
        }
        return offset
    }

    /// A problem at a range of this text.
    func problem(
        at range: TOMLRange, _ message: String, note: String = "", isWarning: Bool = false
    ) -> ConfigProblem {
        let end = range.end.line == range.start.line ? range.end.column : .max
        let line = String(decoding: line(range.start.line), as: UTF8.self)
        let length = line.unicodeScalars.count
        let columns = range.start.column..<max(range.start.column + 1, min(end, length + 1))
        let excerpt = SourceExcerpt(lines: [line], line: range.start.line, columns: columns, note: note)
        return ConfigProblem(
            source: path, line: range.start.line, column: range.start.column, message: message, note: note,
            excerpt: excerpt.rendered, isWarning: isWarning)
    }

    /// Returns the problem for text that is not valid TOML.
    func problem(_ error: TOMLError) -> ConfigProblem {
        problem(at: TOMLRange(error.position, error.position), "not valid TOML", note: error.message)
    }
}
