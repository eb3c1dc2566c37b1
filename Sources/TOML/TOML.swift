import CTOML

/// TOML 1.0 (https://toml.io/en/v1.0.0), read into a tree that knows the place of every key and value.
package enum TOML {
    /// The largest text that is read, in bytes: 1 MiB.
    package static let maximumSize = 1 << 20
    /// The maximum nesting depth of tables and arrays, including the root.
    package static let maximumDepth = 64
    /// The maximum number of dots in one key.
    package static let maximumDots = 32

    /// Reads a whole document.
    ///
    /// Throws the first syntax error with its place; input past the limits is such an error too.
    package static func parse(_ bytes: [UInt8]) throws(TOMLError) -> TOMLTable {
        guard bytes.count <= maximumSize else {
            throw TOMLError(position: .start, message: "the file is larger than \(maximumSize / 1024) KiB")
        }
        if let position = KeyDepthScanner(maximumDots: maximumDots).firstKeyTooDeep(in: bytes) {
            throw TOMLError(position: position, message: "a key has more than \(maximumDots) dots")
        }
        let document = bytes.withUnsafeBytes { raw in
            ctoml_parse(raw.baseAddress?.assumingMemoryBound(to: CChar.self), raw.count, maximumDepth)
        }
        guard let document else { throw TOMLError(position: .start, message: "out of memory") }
        defer { ctoml_free(document) }
        if let error = ctoml_error(document) {
            throw TOMLError(
                position: TOMLPosition(ctoml_error_position(document)),
                message: TOMLError.plainMessage(String(cString: error)))
        }
        let nodes = UnsafeBufferPointer(start: ctoml_nodes(document), count: ctoml_node_count(document))
        var reader = NodeReader(nodes: nodes)
        guard case .table(let root) = reader.next().value else { return TOMLTable(entries: []) }
        return root
    }

    /// Reads a whole document from `text`.
    package static func parse(_ text: String) throws(TOMLError) -> TOMLTable { try parse(Array(text.utf8)) }
}

extension TOML {
    /// `text` as a basic string with its quotes; control characters are escaped, so it fits on one line.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                let hex = String(scalar.value, radix: 16, uppercase: true)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// `key` as it is written in a table: bare where that is possible, else quoted.
    package static func key(_ key: String) -> String {
        let isBare =
            !key.isEmpty
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
        return isBare ? key : quoted(key)
    }

    /// `path` as a dotted key.
    package static func key(_ path: some Sequence<String>) -> String { path.map { key($0) }.joined(separator: ".") }
}
