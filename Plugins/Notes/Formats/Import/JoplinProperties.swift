import Text
import Time

/// What a note of Joplin has besides its text, kept in front matter under the names that Joplin uses there.
enum JoplinProperties {
    /// Properties that are texts, with their keys.
    private static let texts = [("source_url", "source"), ("author", "author")]
    /// Properties that are numbers, which are left out when they are zero.
    private static let numbers = ["latitude", "longitude", "altitude"]

    /// Returns the front matter for an item; nil if there is nothing to keep.
    static func frontMatter(of item: JoplinItem) -> String? {
        var pairs: [(key: String, text: String)] = []
        for (property, key) in texts {
            if let text = item[property], !text.isEmpty { pairs.append((key, text)) }
        }
        for property in numbers {
            if let text = item[property], text.contains(where: { ("1"..."9").contains($0) }) {
                pairs.append((property, text))
            }
        }
        if item["is_todo"] == "1" {
            let done = instant(item["todo_completed"])
            pairs.append(("completed?", done == nil ? "no" : "yes"))
            if let done { pairs.append(("completed", done.rfc3339)) }
            if let due = instant(item["todo_due"]) { pairs.append(("due", due.rfc3339)) }
        }
        if item["is_conflict"] == "1" { pairs.append(("conflict", "yes")) }
        return pairs.isEmpty ? nil : FrontMatter(pairs).text
    }

    /// Returns the properties that front matter says.
    static func metadata(of frontMatter: String?) -> [(String, String)] {
        guard let frontMatter, let matter = MarkdownFile(text: frontMatter).frontMatter else { return [] }
        func text(_ key: String) -> String? { matter.text(of: key) }
        var metadata: [(String, String)] = []
        if text("conflict") == "yes" { metadata.append(("is_conflict", "1")) }
        for property in numbers {
            if let text = text(property), Double(text) != nil { metadata.append((property, text)) }
        }
        for (property, key) in texts.reversed() {
            if let text = text(key) { metadata.append((property, text)) }
        }
        if let isDone = text("completed?") {
            let done = isDone == "yes" ? text("completed").flatMap(Timestamp.read)?.milliseconds ?? 1 : 0
            metadata += [
                ("is_todo", "1"), ("todo_due", String(text("due").flatMap(Timestamp.read)?.milliseconds ?? 0)),
                ("todo_completed", String(done)),
            ]
        }
        return metadata
    }

    /// Returns a time in milliseconds, or as times are else written; nil for none and zero.
    static func instant(_ text: String?) -> Instant? {
        guard let text, text != "0", !text.isEmpty else { return nil }
        return Int64(text).map { Instant(milliseconds: $0) } ?? Timestamp.read(text)
    }
}
