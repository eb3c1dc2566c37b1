/// A name as people type it or sign mails with it: `Łukasz Nowak`, `Nowak, Łukasz`, `Dr. Hans Meyer`, `Martin Luther King Jr.`,
/// `Eva Nowak, PhD`, `Acme, Inc.`
package struct TypedName: Hashable, Sendable {
    /// The parts of the name of a person; empty for a company.
    package let name: StructuredName
    /// The name as it is displayed.
    package let displayed: String
    /// Whether it is the name of a company.
    package let isCompany: Bool

    /// Splits `text`. Parts of `earlier` are kept where they still match.
    package init(_ text: String, like earlier: StructuredName = StructuredName()) {
        let text = text.trimmed
        if TypedName.isCompany(text) {
            (name, displayed, isCompany) = (StructuredName(), text, true)
            return
        }
        isCompany = false
        var parts = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed }
        var suffixes: [String] = []
        while parts.count > 1, let last = parts.last, TypedName.isSuffix(last) {
            suffixes.insert(parts.removeLast(), at: 0)
        }
        let isFamilyFirst = parts.count > 1
        var name: StructuredName
        if isFamilyFirst {
            name = StructuredName(
                family: parts[0], given: parts.dropFirst().filter { !$0.isEmpty }.joined(separator: " "))
            var words = name.given.split(separator: " ").map(String.init)
            name.prefix = TypedName.takeTitles(&words)
            name.given = words.joined(separator: " ")
        } else {
            var words = parts[0].split(whereSeparator: \.isWhitespace).map(String.init)
            let title = earlier.prefix.isEmpty ? TypedName.takeTitles(&words) : ""
            if suffixes.isEmpty, earlier.suffix.isEmpty {
                while words.count > 2, let last = words.last, TypedName.isSuffix(last) {
                    suffixes.insert(words.removeLast(), at: 0)
                }
            }
            name = StructuredName(parsing: words.joined(separator: " "), like: earlier)
            if !title.isEmpty {
                name.prefix = title
                // A title stands before a family name: Herr Meyer.
                if name.family.isEmpty { (name.family, name.given) = (name.given, "") }
            }
        }
        if !suffixes.isEmpty { name.suffix = suffixes.joined(separator: ", ") }
        self.name = name
        displayed = isFamilyFirst ? name.formatted : text
    }

    /// The titles in front of a name.
    private static let titles: Set<String> = [
        "dr", "prof", "professor", "doctor", "doktor", "mr", "mrs", "ms", "mx", "miss", "sir", "dame", "lord", "lady",
        "rev",
        "reverend", "fr", "hon", "herr", "frau", "dipl-ing", "dipl", "ing", "mag", "mgr", "inż", "pan", "pani", "mme",
        "mlle",
        "monsieur", "madame", "sr", "sra", "señor", "señora", "dott", "dott.ssa", "ir", "drs",
    ]
    /// Titles that are names too, unless a full stop follows.
    private static let ambiguousTitles: Set<String> = [
        "fr", "hon", "ing", "mag", "sr", "sra", "ir", "rev", "dipl", "pan", "lord", "lady", "dame", "miss",
    ]
    /// The suffixes of generations, degrees and professions, without full stops.
    private static let suffixes: Set<String> = [
        "jr", "jnr", "junior", "sr", "snr", "senior", "ii", "iii", "iv", "esq", "esquire", "phd", "dphil", "md", "do",
        "dds", "dvm",
        "jd", "llm", "llb", "mba", "ma", "ba", "msc", "bsc", "meng", "beng", "mph", "mfa", "edd", "dsc", "cpa", "cfa",
        "rn", "pe",
        "obe", "mbe", "cbe", "frs", "qc", "kc", "mp", "ret", "csc", "dba", "mphil",
    ]
    /// Suffixes that are words or initials too: after a comma only, or in capitals with another suffix.
    private static let ambiguousSuffixes: Set<String> = [
        "do", "ma", "ba", "pe", "md", "sr", "kc", "qc", "mp", "ret", "rn", "junior", "senior",
    ]
    /// The legal forms of companies, in lower case without full stops.
    private static let legalForms: Set<String> = [
        "inc", "incorporated", "llc", "llp", "ltd", "limited", "plc", "corp", "corporation", "gmbh", "ggmbh", "mbh",
        "kgaa", "ohg",
        "sarl", "srl", "spa", "bv", "nv", "sa", "sas", "ag", "kg", "ab", "oy", "oyj", "as", "a/s", "aps", "se", "ug",
        "pty", "pvt",
        "eg", "ev", "kft", "sro", "doo", "ooo", "zoo", "coop", "llp",
    ]
    /// Legal forms that are words or initials too: in this spelling only, or after a comma.
    private static let spelledForms: Set<String> = [
        "SA", "S.A.", "AG", "KG", "AB", "AS", "SE", "NV", "N.V.", "BV", "B.V.", "Oy", "SpA", "S.p.A.", "SAS", "UG",
        "eG", "e.V.", "a.s.",
    ]
    private static let ambiguousForms: Set<String> = [
        "sa", "ag", "kg", "ab", "as", "se", "nv", "bv", "oy", "spa", "sas", "ug", "eg", "ev", "zoo", "coop", "limited",
    ]

    private static func plain(_ word: some StringProtocol) -> String {
        word.lowercased().filter { $0 != "." && $0 != "," }
    }

    /// Whether all words of a part after a comma are suffixes.
    private static func isSuffix(_ part: String) -> Bool {
        let words = part.split(separator: " ")
        return !words.isEmpty && words.allSatisfy { suffixes.contains(plain($0)) }
            && (words.count > 1 || !ambiguousSuffixes.contains(plain(part)) || part.contains(".")
                || part == part.uppercased())
    }

    /// Removes the titles in front of at least one other word, and returns them.
    private static func takeTitles(_ words: inout [String]) -> String {
        var taken: [String] = []
        while words.count > 1, let first = words.first {
            let word = plain(first)
            let isTitle = titles.contains(word) || first.contains(".") && titles.contains(first.lowercased())
            guard isTitle, !ambiguousTitles.contains(word) || first.hasSuffix(".") else { break }
            taken.append(words.removeFirst())
        }
        return taken.joined(separator: " ")
    }

    /// Whether the last word or words are the legal form of a company.
    private static func isCompany(_ text: String) -> Bool {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count > 1, let last = words.last else { return false }
        if text.lowercased().hasSuffix("sp. z o.o.") || text.lowercased().hasSuffix("& co.")
            || text.lowercased().hasSuffix("& co")
        {
            return true
        }
        let form = plain(last)
        guard legalForms.contains(form) else { return false }
        let isAfterComma = words[words.count - 2].hasSuffix(",")
        return !ambiguousForms.contains(form) || spelledForms.contains(String(last)) || isAfterComma && words.count == 2
    }
}
