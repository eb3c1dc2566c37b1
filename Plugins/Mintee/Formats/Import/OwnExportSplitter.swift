/// Cuts a large export of hub into smaller ones while it is read: each has whole elements of one list, so that memory is
/// bounded by the largest element.
package struct OwnExportSplitter {
    /// An export of some elements.
    package struct Part: Sendable {
        /// The list of the elements: `tasks`, `analyses` or `holidays`.
        package let list: String
        /// The JSON text.
        package let text: [UInt8]
        /// The number of lines before the first element.
        package let lines: Int
    }

    private let partLength: Int
    private var list = ""
    private var key: [UInt8] = []
    private var elements: [UInt8] = []
    private var depth = 0
    private var (isText, isEscaped) = (false, false)
    private var (line, firstLine) = (0, 0)

    /// Creates a splitter whose parts have about `partLength` bytes, or more for a larger element.
    package init(partLength: Int = 8 << 20) { self.partLength = partLength }

    /// Adds the next bytes of the file, and returns the parts that are whole.
    package mutating func add(_ bytes: [UInt8]) -> [Part] {
        var parts: [Part] = []
        for byte in bytes {
            if byte == 0x0A { line += 1 }
            if isText {
                keep(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                isText = true
                if depth == 1 { key = [] } else { keep(byte) }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth == 2 {
                    list = String(decoding: key.dropLast(), as: UTF8.self)
                    (elements, firstLine) = ([], line)
                } else {
                    keep(byte)
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 1 { parts += cut() } else { keep(byte) }
            case UInt8(ascii: ",") where depth == 2 && elements.count >= partLength: parts += cut()
            default: keep(byte)
            }
        }
        return parts
    }

    /// Returns what is left of a file that ends too early.
    package mutating func finish() -> [Part] { depth > 1 ? cut() : [] }

    private mutating func keep(_ byte: UInt8) {
        if depth > 1 {
            elements.append(byte)
        } else if isText {
            key.append(byte)
        }
    }

    private mutating func cut() -> [Part] {
        defer { (elements, firstLine) = ([], line) }
        guard elements.contains(where: { $0 > 0x20 }) else { return [] }
        return [Part(list: list, text: Array("{\"\(list)\":[".utf8) + elements + Array("]}".utf8), lines: firstLine)]
    }
}
