import ContentLines

/// The properties of a card as far as queries and parts of cards need them. Lines that cannot be read are passed over.
struct CardLines {
    /// A property.
    struct Line {
        /// The name in upper case, without its group.
        let name: String
        /// The name in upper case, with its group.
        let groupedName: String
        /// The parameters, their names in upper case.
        let parameters: [(name: String, values: [String])]
        /// The value as a whole and each of its parts, unescaped.
        let values: [String]
        /// The place of the line in the card.
        let range: Range<Int>
        /// The place of its value.
        let valueStart: Int
    }

    let bytes: [UInt8]
    let lines: [Line]

    /// Reads the properties of a card; with `names`, in upper case, only those that have one of them.
    init(_ bytes: [UInt8], named names: [String]? = nil) {
        self.bytes = bytes
        let wanted = names?.map { Array($0.utf8) }
        var lines: [Line] = []
        var start = 0
        while start < bytes.count {
            let end = Self.end(of: start, bytes)
            if wanted.map({ Self.mayHave($0, start..<end, bytes) }) ?? true, let line = Self.line(start..<end, bytes) {
                lines.append(line)
            }
            start = end
        }
        self.lines = lines
    }

    /// Whether a line may have one of the names, with or without a group; a fold within the name cannot be told here.
    private static func mayHave(_ names: [[UInt8]], _ range: Range<Int>, _ bytes: [UInt8]) -> Bool {
        var (start, index) = (range.lowerBound, range.lowerBound)
        while index < range.upperBound {
            switch bytes[index] {
            case UInt8(ascii: ";"), UInt8(ascii: ":"):
                let (whole, name) = (range.lowerBound..<index, start..<index)
                return names.contains { isName($0, at: name, bytes) || isName($0, at: whole, bytes) }
            case UInt8(ascii: "."): start = index + 1
            case 0x0A, 0x0D: return true
            default: break
            }
            index += 1
        }
        return false
    }

    /// Whether the bytes in `range`, in upper case, are `name`.
    private static func isName(_ name: [UInt8], at range: Range<Int>, _ bytes: [UInt8]) -> Bool {
        range.count == name.count
            && zip(range, name).allSatisfy { index, letter in
                let byte = bytes[index]
                return (0x61...0x7A ~= byte ? byte & 0xDF : byte) == letter
            }
    }

    /// The card with the properties of `parts` alone; where the flag is set, without their values.
    func only(_ parts: [String: Bool]) -> [UInt8] {
        var result: [UInt8] = []
        for line in lines {
            if line.name == "BEGIN" || line.name == "END" {
                result += bytes[line.range]
            } else if let isBare = parts[line.name] ?? parts[line.groupedName] {
                result += isBare ? bytes[line.range.lowerBound..<line.valueStart] + [0x0D, 0x0A] : bytes[line.range]
            }
        }
        return result
    }

    /// The end of a logical line: folded ones go on with a space or a tab.
    private static func end(of start: Int, _ bytes: [UInt8]) -> Int {
        var index = start
        while index < bytes.count {
            if bytes[index] == 0x0A, index + 1 == bytes.count || bytes[index + 1] != 0x20 && bytes[index + 1] != 0x09 {
                return index + 1
            }
            index += 1
        }
        return bytes.count
    }

    private static func line(_ range: Range<Int>, _ bytes: [UInt8]) -> Line? {
        var text: [UInt8] = []
        var (colon, isQuoted, index) = (Int?.none, false, range.lowerBound)
        var valueStart = range.upperBound
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == 0x0A, index + 1 < range.upperBound {
                // The line break and the space after it are a fold.
                if text.last == 0x0D { text.removeLast() }
                index += 2
                continue
            }
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ":"), !isQuoted, colon == nil { (colon, valueStart) = (text.count, index + 1) }
            text.append(byte)
            index += 1
        }
        while text.last == 0x0A || text.last == 0x0D { text.removeLast() }
        guard let colon else { return nil }
        let head = text[..<colon]
        let nameEnd = head.firstIndex(of: UInt8(ascii: ";")) ?? colon
        let grouped = String(decoding: head[..<nameEnd], as: UTF8.self).uppercased()
        let name = grouped.utf8.split(separator: UInt8(ascii: ".")).last.map { String(Substring($0)) } ?? grouped
        let parameters = ContentParameter.list(String(decoding: head[nameEnd...], as: UTF8.self)).map { parameter in
            (
                name: parameter.name.isEmpty ? "TYPE" : parameter.name.uppercased(),
                values: parameter.value.split(separator: ",").map(String.init)
            )
        }
        let value = String(decoding: text[(colon + 1)...], as: UTF8.self)
        return Line(
            name: name, groupedName: grouped, parameters: parameters, values: values(value, of: name), range: range,
            valueStart: valueStart)
    }

    /// A structured value has components, each of which can be searched.
    private static func values(_ value: String, of name: String) -> [String] {
        let whole = unescaped(value)
        guard ["N", "ADR", "ORG", "NICKNAME", "CATEGORIES"].contains(name) else { return [whole] }
        var (parts, part, isEscaped): ([String], String.UnicodeScalarView, Bool) = ([], .init(), false)
        for scalar in value.unicodeScalars {
            if !isEscaped, scalar == ";" || scalar == "," {
                parts.append(unescaped(String(part)))
                part = .init()
            } else {
                part.append(scalar)
            }
            isEscaped = !isEscaped && scalar == "\\"
        }
        return [whole] + parts + [unescaped(String(part))]
    }

    /// The text that the escapes of a value stand for (RFC 6350 §3.4).
    private static func unescaped(_ value: String) -> String {
        guard value.utf8.contains(UInt8(ascii: "\\")) else { return value }
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in value.unicodeScalars {
            if isEscaped {
                result.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
