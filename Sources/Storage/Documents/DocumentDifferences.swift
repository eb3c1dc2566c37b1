import SQLite
import Text

extension Document {
    /// Returns what differs from another version, in words: names of values, and numbers of rows that came or went. At most `limit`.
    package func differences(from base: Document, _ kind: DocumentKind, limit: Int = 12) -> [String] {
        if self == base { return [] }
        if base.isEmpty { return ["made"] }
        if isEmpty { return ["removed for good"] }
        var words: [String] = []
        for table in kind.tables {
            let (new, old) = (tables[table.name] ?? [:], base.tables[table.name] ?? [:])
            // `mintee_task_tag` is that of a task: what people call it is its last word.
            let noun = table.name.split(separator: "_").last.map(String.init) ?? table.name
            let added = new.keys.count { old[$0] == nil }
            let removed = old.keys.count { new[$0] == nil }
            if added > 0 { words.append("+\(added) \(noun)") }
            if removed > 0 { words.append("-\(removed) \(noun)") }
            var columns: Set<String> = []
            for (key, row) in new {
                guard let other = old[key] else { continue }
                columns.formUnion(Set(row.keys).union(other.keys).filter { row[$0] != other[$0] })
            }
            words += columns.sorted()
        }
        return words.count > limit ? Array(words.prefix(limit)) + ["and \(words.count - limit) more"] : words
    }
}

extension Transaction {
    /// Returns the documents of entities of a plugin whose ids begin with `prefix`, with their kinds. After a slash it says which part, such
    /// as `7kt/2026-11-20`, whose document is that of a year.
    package func documents(of owner: String, beginning prefix: String, limit: Int) throws -> [(
        kind: DocumentKind, name: String
    )] {
        let slash = prefix.firstIndex(of: "/")
        let wanted = slash.map { String(prefix[prefix.index(after: $0)...]) }
        let kinds = documentKinds().filter { $0.owner == owner && (wanted == nil || $0.kind.part != nil) }.map(\.kind)
        return try asCore {
            try kinds.flatMap { kind in
                try rows(
                    "SELECT name FROM core_document WHERE kind = ?1 AND substr(subject, 1, length(?2)) = ?2 ORDER BY name LIMIT ?3",
                    kind.id, slash.map { String(prefix[..<$0]) } ?? prefix, limit
                ) { (kind, $0.text(0)) }
                .filter { kind, name in
                    guard let wanted, let part = kind.parse(name).part else { return true }
                    return part.hasPrefix(wanted) || wanted.hasPrefix(part)
                }
            }
        }
    }
}
