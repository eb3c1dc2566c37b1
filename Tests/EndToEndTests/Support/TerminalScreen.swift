/// The screen of a terminal: it interprets the sequences that hub may use, and shows others as `�`.
struct TerminalScreen: Sendable {
    /// All output, including escape sequences.
    private(set) var bytes: [UInt8] = []

    mutating func feed(_ bytes: [UInt8]) { self.bytes += bytes }

    /// All output, with the line ends that a program writes.
    var output: String { String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n") }

    /// The visible lines, without trailing blanks and colours.
    var text: String {
        var lines: [[Character]] = [[]]
        var column = 0
        var rest = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        var pending = String.UnicodeScalarView()

        func put(_ characters: String.UnicodeScalarView) {
            for character in String(characters) {
                let row = lines.count - 1
                while lines[row].count < column { lines[row].append(" ") }
                if column < lines[row].count { lines[row][column] = character } else { lines[row].append(character) }
                column += 1
            }
        }
        while let scalar = rest.popFirst() {
            if scalar.value >= 0x20, scalar.value != 0x7F {
                pending.append(scalar)
                continue
            }
            put(pending)
            pending.removeAll()
            switch scalar {
            case "\n": lines.append([])
            case "\r": column = 0
            case "\u{1B}":
                let sequence = Self.sequence(&rest)
                if !Self.apply(sequence, to: &lines[lines.count - 1], column) { put("�\(sequence)".unicodeScalars) }
            default: put("�".unicodeScalars)
            }
        }
        put(pending)
        return lines.map { String($0).trimmingEnd }.joined(separator: "\n")
    }

    /// Carries a sequence out, or leaves a colour out; false for another one.
    private static func apply(_ sequence: String, to line: inout [Character], _ column: Int) -> Bool {
        switch sequence {
        case "[K", "[0K": line.removeSubrange(min(column, line.count)...)
        case "[2K": line = []
        default: return sequence.hasPrefix("[") && sequence.hasSuffix("m")
        }
        return true
    }

    /// Parses the control sequence (ECMA-48) after an escape character.
    private static func sequence(_ rest: inout String.UnicodeScalarView.SubSequence) -> String {
        var sequence = ""
        guard rest.first == "[" else { return sequence }
        repeat {
            sequence.unicodeScalars.append(rest.removeFirst())
        } while !rest.isEmpty
            && (sequence.count == 1 || !("@"..."~").contains(sequence.unicodeScalars.last ?? "@"))
        return sequence
    }
}

extension String {
    /// The text without blanks at its end.
    var trimmingEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
