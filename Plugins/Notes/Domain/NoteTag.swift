import Collation

/// Compares tags without case and accents; the first spelling is kept.
package enum NoteTag {
    /// Returns the form that all spellings of one tag share; a leading `#` is not part of it.
    package static func folded(_ tag: some StringProtocol) -> String {
        let name = tag.drop { $0 == "#" || $0.isWhitespace }
        return Transliterator.fold(String(name)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns a tag as it is stored: without `#`, with single blanks, without commas, which separate tags in files; nil when
    /// nothing remains or it is longer than ``NoteLimits/name``.
    package static func cleaned(_ tag: some StringProtocol) -> String? {
        let words = tag.drop { $0 == "#" || $0.isWhitespace }
            .split { $0.isWhitespace || $0 == "," || $0.unicodeScalars.contains { $0.value < 32 } }
        let name = words.joined(separator: " ")
        return name.isEmpty || name.utf8.count > NoteLimits.name ? nil : name
    }

    /// Returns `tags` with `added` and without `removed`; known spellings and places stay.
    package static func changed(_ tags: [String], adding added: [String] = [], removing removed: [String] = [])
        -> [String]
    {
        let gone = Set(removed.map { folded($0) })
        var result = tags.filter { !gone.contains(folded($0)) }
        var known = Set(result.map { folded($0) })
        for tag in added.compactMap({ cleaned($0) }) where result.count < NoteLimits.tags {
            if known.insert(folded(tag)).inserted { result.append(tag) }
        }
        return result
    }
}
