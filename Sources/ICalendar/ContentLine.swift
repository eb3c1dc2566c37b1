/// One line: `NAME;PARAMETER=value:value` (RFC 5545 §3.1).
enum ContentLine {
    /// The longest physical line in bytes, without its end.
    private static let width = 75

    /// The property that `line` is; one without a name when it is none.
    static func property(_ line: String) -> ICalProperty {
        let bytes = line.utf8
        var position = bytes.startIndex
        func word() -> Substring {
            let start = position
            while position < bytes.endIndex, isWord(bytes[position]) { position = bytes.index(after: position) }
            return line[start..<position]
        }
        let name = word()
        var parameters: [ICalParameter] = []
        while !name.isEmpty, position < bytes.endIndex, bytes[position] == UInt8(ascii: ";") {
            position = bytes.index(after: position)
            let parameter = word()
            guard !parameter.isEmpty, position < bytes.endIndex, bytes[position] == UInt8(ascii: "=") else { break }
            position = bytes.index(after: position)
            let start = position
            var isQuoted = false
            while position < bytes.endIndex {
                let byte = bytes[position]
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                if !isQuoted, byte == UInt8(ascii: ":") || byte == UInt8(ascii: ";") { break }
                position = bytes.index(after: position)
            }
            parameters.append(ICalParameter(String(parameter), written: String(line[start..<position])))
        }
        guard !name.isEmpty, position < bytes.endIndex, bytes[position] == UInt8(ascii: ":") else {
            return ICalProperty("", value: line)
        }
        return ICalProperty(String(name), parameters, value: String(line[bytes.index(after: position)...]))
    }

    /// Letters, digits, `-`, and what some programs put into names all the same.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// Appends a property as lines of at most 75 bytes, cut between characters, each ended by CRLF.
    static func append(_ property: ICalProperty, to output: inout [UInt8]) {
        var line = property.name
        for parameter in property.parameters { line += ";\(parameter.name)=\(parameter.written)" }
        line += property.name.isEmpty ? property.value : ":" + property.value
        var room = width
        // A line that begins with a blank would continue the one before it; as a fold of an empty line it does not.
        if line.utf8.first == 0x20 || line.utf8.first == 0x09 {
            output += [0x0D, 0x0A, 0x20]
            room = width - 1
        }
        for scalar in line.unicodeScalars {
            let size = UTF8.width(scalar)
            if size > room {
                output += [0x0D, 0x0A, 0x20]
                room = width - 1
            }
            output += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            room -= size
        }
        output += [0x0D, 0x0A]
    }
}
