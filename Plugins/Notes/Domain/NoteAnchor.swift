/// The part of a note that a link leads to: what follows `#` in it.
package enum NoteAnchor {
    /// Returns the number of the line that an anchor names, from 1 on: a heading, the last of several inside each other
    /// (`Plan#Monday`), or a block whose line ends in its id (`^a1b2c3`). Nil if there is none.
    package static func line(of anchor: String, in text: String) -> Int? {
        let wanted = anchor.split(separator: "#").map(String.init)
        guard let last = wanted.last else { return nil }
        if last.hasPrefix("^") { return block(last, in: text) }
        var path: [(level: Int, title: String)] = []
        let titles = wanted.map(plain)
        var fence: Unicode.Scalar?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if let mark = fenceMark(line) {
                fence = fence == nil ? mark : fence == mark ? nil : fence
                continue
            }
            guard fence == nil, let (level, title) = heading(line) else { continue }
            path.removeAll { $0.level >= level }
            path.append((level, plain(title)))
            guard path.last?.title == titles.last else { continue }
            // The others may have headings between them.
            var rest = titles.dropLast()[...]
            for outer in path.dropLast() where outer.title == rest.first { rest.removeFirst() }
            if rest.isEmpty { return number + 1 }
        }
        return nil
    }

    /// Returns the part of a text that an anchor names: a heading with what follows it up to the next one that is not below it, or the line
    /// of a block without its id. Nil if there is none.
    package static func part(of anchor: String, in text: String) -> String? {
        guard let first = line(of: anchor, in: text) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = lines[first - 1]
        guard let level = heading(start)?.level, anchor.split(separator: "#").last?.first != "^" else {
            var line = start
            while let end = line.last, end.isWhitespace { line.removeLast() }
            line = line.dropLast(anchor.split(separator: "#").last?.count ?? 0)
            while let end = line.last, end.isWhitespace { line.removeLast() }
            return String(line)
        }
        var fence: Unicode.Scalar?
        let end = lines[first...].firstIndex { line in
            if let mark = fenceMark(line) {
                fence = fence == nil ? mark : fence == mark ? nil : fence
                return false
            }
            return fence == nil && (heading(line)?.level ?? .max) <= level
        }
        return lines[(first - 1)..<(end ?? lines.count)].joined(separator: "\n")
    }

    private static func block(_ id: String, in text: String) -> Int? {
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var line = line
            while let end = line.last, end.isWhitespace { line.removeLast() }
            guard line.lowercased().hasSuffix(id.lowercased()) else { continue }
            let before = line.dropLast(id.count).last
            if before == nil || before?.isWhitespace == true { return number + 1 }
        }
        return nil
    }

    /// The level and words of a heading with `#` (CommonMark 4.2).
    private static func heading(_ line: Substring) -> (level: Int, title: String)? {
        let start = line.drop { $0 == " " }
        guard line.count - start.count < 4 else { return nil }
        let marks = start.prefix { $0 == "#" }
        let rest = start.dropFirst(marks.count)
        guard (1...6).contains(marks.count), rest.first.map(\.isWhitespace) ?? true else { return nil }
        return (marks.count, String(rest))
    }

    private static func fenceMark(_ line: Substring) -> Unicode.Scalar? {
        let start = line.drop { $0 == " " }
        return start.hasPrefix("```") ? "`" : start.hasPrefix("~~~") ? "~" : nil
    }

    /// Words as anchors compare them: without case, and without what a link cannot hold.
    private static func plain(_ title: String) -> String {
        WikiLink.key(String(title.map { "#^[]|\\:%*_`".contains($0) ? " " : $0 }))
    }
}
