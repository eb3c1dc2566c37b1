/// The parts of a person's name (vCard `N`).
///
/// A part may contain several names, separated by spaces.
package struct StructuredName: Hashable, Sendable {
    /// The name shared with the family.
    package var family = ""
    /// The first name.
    package var given = ""
    /// Middle names.
    package var additional = ""
    /// Titles before the name, such as `Dr.`.
    package var prefix = ""
    /// Suffixes after the name, such as `Jr.`.
    package var suffix = ""

    package init(
        family: String = "", given: String = "", additional: String = "", prefix: String = "", suffix: String = ""
    ) {
        self.family = family
        self.given = given
        self.additional = additional
        self.prefix = prefix
        self.suffix = suffix
    }

    /// Whether all parts are empty.
    package var isEmpty: Bool {
        family.isEmpty && given.isEmpty && additional.isEmpty && prefix.isEmpty && suffix.isEmpty
    }

    /// The full name: prefix, given, additional, family, suffix.
    package var formatted: String {
        [prefix, given, additional, family, suffix].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension StructuredName {
    /// Particles that belong to the following family name.
    private static let particles: Set<String> = [
        "al", "bin", "da", "de", "del", "della", "den", "der", "di", "dos", "du", "el", "la", "le", "ten", "ter", "van",
        "von", "zu", "zum", "zur",
    ]

    /// Splits a typed name: `Nowak, Łukasz` at its comma, else the last word and the particles before it are the family
    /// name.
    ///
    /// Parts of `earlier` are kept where they still match, so that a family name of two words, a prefix or a suffix
    /// survives the change of another part.
    package init(parsing text: String, like earlier: StructuredName = StructuredName()) {
        self.init()
        let parts = text.split(separator: ",", maxSplits: 1).map { $0.trimmed }
        if parts.count == 2 {
            family = parts[0]
            given = parts[1]
            return
        }
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        prefix = StructuredName.take(earlier.prefix, from: &words, atEnd: false)
        suffix = StructuredName.take(earlier.suffix, from: &words, atEnd: true)
        family = StructuredName.take(earlier.family, from: &words, atEnd: true)
        if family.isEmpty, words.count > 1 {
            var start = words.count - 1
            while start > 1, StructuredName.particles.contains(words[start - 1].lowercased()) { start -= 1 }
            family = words[start...].joined(separator: " ")
            words.removeSubrange(start...)
        }
        let kept = StructuredName.take(earlier.additional, from: &words, atEnd: true)
        given = words.joined(separator: " ")
        if given.isEmpty {
            given = kept
        } else {
            additional = kept
        }
    }

    /// Removes the words of `part` from the start or end of `words`, and returns them if they match.
    private static func take(_ part: String, from words: inout [String], atEnd: Bool) -> String {
        let wanted = part.split(separator: " ").map(String.init)
        guard !wanted.isEmpty, words.count >= wanted.count else { return "" }
        guard (atEnd ? Array(words.suffix(wanted.count)) : Array(words.prefix(wanted.count))) == wanted else {
            return ""
        }
        if atEnd { words.removeLast(wanted.count) } else { words.removeFirst(wanted.count) }
        return part
    }
}
