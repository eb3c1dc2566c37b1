/// The to-dos of a note that are not done: the lines `- [ ] words` of its text (GitHub Flavored Markdown), outside of code.
package enum OpenTodos {
    /// Returns their words as they read, without Markdown, at most `limit`.
    package static func words(in text: String, limit: Int) -> [String] {
        var found: [String] = []
        var fence: Substring?
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.drop { $0 == " " || $0 == "\t" }
            if let mark = [Substring("```"), "~~~"].first(where: words.hasPrefix) {
                if fence == nil { fence = mark } else if fence == mark { fence = nil }
                continue
            }
            guard fence == nil, let first = words.first, "-*+".contains(first) else { continue }
            let box = words.dropFirst().drop { $0 == " " }
            guard box.count < words.count - 1, box.hasPrefix("[ ] ") else { continue }
            let todo = PlainWords.of(box.dropFirst(4))
            if !todo.isEmpty { found.append(String(todo.prefix(200))) }
            if found.count == limit { break }
        }
        return found
    }
}
