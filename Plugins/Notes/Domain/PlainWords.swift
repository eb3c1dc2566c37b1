/// A line of Markdown as it reads: without the marks of emphasis, code and links (CommonMark §6, GitHub Flavored Markdown §6.5, and links
/// between notes). It is for short lists; where marks have no partner they stay.
package enum PlainWords {
    /// The largest number of characters that are looked at, which bounds the time.
    private static let limit = 1000
    /// Links in texts of links that are followed.
    private static let depth = 3

    /// Returns the words of a line.
    package static func of(_ line: some StringProtocol) -> String {
        words(Array(line.prefix(limit))[...], depth: depth).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// A piece of the line: text, or a run of one of `*`, `_` and `~` that may begin or end emphasis.
    private struct Piece {
        var text: String
        var opens = false
        var closes = false
    }

    private static func words(_ line: ArraySlice<Character>, depth: Int) -> String {
        var (pieces, rest, before): ([Piece], ArraySlice<Character>, Character) = ([Piece(text: "")], line, " ")
        while let character = rest.first {
            if let (shown, count) = shown(rest, depth: depth) {
                pieces[pieces.count - 1].text += shown
                rest = rest.dropFirst(count)
            } else if "*_~".contains(character) {
                let run = rest.prefix { $0 == character }
                rest = rest.dropFirst(run.count)
                let (isLeft, isRight) = (rest.first?.isWhitespace == false, !before.isWhitespace)
                let isWord = character == "_"
                var piece = Piece(text: String(run))
                piece.opens = isLeft && !(isWord && isRight && (before.isLetter || before.isNumber))
                piece.closes =
                    isRight && !(isWord && isLeft && (rest.first.map { $0.isLetter || $0.isNumber } ?? false))
                if character == "~", run.count > 2 { (piece.opens, piece.closes) = (false, false) }
                pieces += [piece, Piece(text: "")]
            } else {
                pieces[pieces.count - 1].text.append(character)
                rest = rest.dropFirst()
            }
            before = line[line.index(before: rest.startIndex)]
        }
        return matched(pieces).map(\.text).joined()
    }

    /// Takes the marks away that have a partner.
    private static func matched(_ pieces: [Piece]) -> [Piece] {
        var (pieces, open) = (pieces, [Int]())
        for index in pieces.indices where pieces[index].opens || pieces[index].closes {
            let mark = pieces[index].text
            if pieces[index].closes, let place = open.lastIndex(where: { pieces[$0].text == mark }) {
                pieces[open[place]].text = ""
                pieces[index].text = ""
                open.removeSubrange(place...)
            } else if pieces[index].opens {
                open.append(index)
            }
        }
        return pieces
    }

    /// Returns what an escape, a code span or a link at the start of `rest` shows, and its number of characters; nil for others.
    private static func shown(_ rest: ArraySlice<Character>, depth: Int) -> (String, Int)? {
        switch rest.first {
        case "\\":
            guard let next = rest.dropFirst().first, next.isASCII, next.isPunctuation || next.isSymbol else {
                return nil
            }
            return (String(next), 2)
        case "`":
            let mark = rest.prefix { $0 == "`" }
            let inside = rest.dropFirst(mark.count)
            guard let end = end(of: inside, at: mark.count) else { return (String(mark), mark.count) }
            return (String(inside[..<end]), mark.count * 2 + inside[..<end].count)
        case "<":
            let inside = rest.dropFirst().prefix { $0 != ">" && !$0.isWhitespace && $0 != "<" }
            guard rest.dropFirst(inside.count + 1).first == ">", inside.contains(":") || inside.contains("@") else {
                return nil
            }
            return (String(inside), inside.count + 2)
        case "!" where rest.dropFirst().first == "[":
            return link(rest.dropFirst(), depth: depth).map { ($0.0, $0.1 + 1) }
        case "[": return link(rest, depth: depth)
        default: return nil
        }
    }

    /// The end of a code span: the next run of exactly as many backticks.
    private static func end(of text: ArraySlice<Character>, at count: Int) -> Int? {
        var index = text.startIndex
        while let start = text[index...].firstIndex(of: "`") {
            let run = text[start...].prefix { $0 == "`" }
            if run.count == count { return start }
            index = run.endIndex
        }
        return nil
    }

    /// `[text](target)` shows its text, `[[note]]` the title of the note, and `[[note|text]]` the text.
    private static func link(_ rest: ArraySlice<Character>, depth: Int) -> (String, Int)? {
        if rest.dropFirst().first == "[" {
            let inside = rest.dropFirst(2).prefix { $0 != "]" && $0 != "[" }
            guard !inside.isEmpty, rest.dropFirst(inside.count + 2).prefix(2).elementsEqual("]]") else { return nil }
            let label = inside.lastIndex(of: "|").map { inside[($0 + 1)...] } ?? inside
            return (String(label.drop { $0 == "#" }), inside.count + 4)
        }
        guard depth > 0 else { return nil }
        var (open, index) = (0, rest.startIndex)
        while index < rest.endIndex {
            switch rest[index] {
            case "\\": index += 1
            case "[": open += 1
            case "]": open -= 1
            default: break
            }
            index += 1
            if open == 0 { break }
        }
        guard open == 0, index < rest.endIndex, rest[index] == "(",
            let end = rest[index...].firstIndex(of: ")")
        else { return nil }
        let text = words(rest[(rest.startIndex + 1)..<(index - 1)], depth: depth - 1)
        return (text, end + 1 - rest.startIndex)
    }
}
