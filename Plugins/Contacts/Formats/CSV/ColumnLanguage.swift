/// The words of a language in the column names of Thunderbird, Outlook and other programs, which translate them.
///
/// A column is understood by its words, such as `Telefon (privat) 2`, `Privat: PLZ` or `Numer telefonu komórkowego`.
struct ColumnLanguage: Sendable {
    /// What a word or a phrase stands for.
    enum Concept: Hashable, Sendable {
        case given, family, additional, prefix, suffix, nickname, formattedName, company, department, title, role
        case phone, mobile, fax, pager, email, url, birthday, birthYear, birthMonth, birthDay, anniversary, tags, note
        case spouse, children
        case address, street, locality, region, postalCode, country, postOfficeBox
        case home, work, other, main
        /// A word without a meaning of its own, such as an article.
        case filler
        /// A property of an address that says nothing about the person.
        case ignored
    }

    /// The words and phrases, in lower case.
    private let words: [String: Concept]
    private let phrases: [String: Concept]

    /// `words` are separated by spaces, phrases by commas.
    init(_ words: [Concept: String], phrases: [Concept: String] = [:]) {
        func table(_ entries: [Concept: String], _ separator: Character) -> [String: Concept] {
            entries.reduce(into: [:]) { table, entry in
                for word in entry.value.split(separator: separator) { table[word.trimmed] = entry.key }
            }
        }
        self.words = table(words, " ")
        self.phrases = table(phrases, ",")
    }

    /// Returns the meanings of columns; `custom` for those that are not understood.
    func meanings(of names: [String]) -> [FlatColumns.Meaning] {
        var meanings = names.map { meaning(of: $0) }
        func has(_ meaning: FlatColumns.Meaning) -> Bool { meanings.contains(meaning) }
        // Some languages have one word for a given name, or a family name, and the whole of it.
        let isAlone = !has(.family) || !has(.given)
        if isAlone, !has(.formattedName), let place = meanings.firstIndex(of: has(.given) ? .given : .family),
            ColumnLanguage.ambiguous.contains(ColumnLanguage.split(names[place]).joined(separator: " "))
        {
            meanings[place] = .formattedName
        } else if has(.given), !has(.family), let place = meanings.firstIndex(of: .formattedName),
            ["name", "naam"].contains(names[place].lowercased())
        {
            meanings[place] = .family
        }
        // Thunderbird has three columns for the parts of the birthday, Outlook has one.
        let hasParts = has(.birthYear) || has(.birthMonth)
        return hasParts ? meanings.map { $0 == .day("birthday") ? .birthDay : $0 } : meanings
    }

    private static let ambiguous: Set = ["nom", "nome", "nombre", "имя", "jméno", "imię"]

    private func meaning(of name: String) -> FlatColumns.Meaning {
        let parts = ColumnLanguage.split(name)
        if let concept = phrases[parts.joined(separator: " ")] { return ColumnLanguage.meaning(of: [concept]) }
        let concepts = parts.map { words[$0] }
        guard !concepts.isEmpty, !concepts.contains(nil) else { return .custom }
        return ColumnLanguage.meaning(of: Set(concepts.compactMap(\.self)))
    }

    /// The words of a name without numbers.
    private static func split(_ name: String) -> [String] {
        name.lowercased().replacing("e-mail", with: "email").split { !$0.isLetter && !$0.isNumber }
            .map(String.init).filter { Int($0) == nil }
    }

    /// The meaning of a name with these concepts: one noun, and the place that it belongs to.
    private static func meaning(of concepts: Set<Concept>) -> FlatColumns.Meaning {
        let places: [Concept: String] = [.home: "home", .work: "work", .other: "other"]
        let labels = concepts.compactMap { places[$0] }
        guard labels.count <= 1 else { return .custom }
        let label = labels.first ?? ""
        var nouns = concepts.subtracting([.home, .work, .other, .main, .filler])
        if nouns.contains(.email), nouns.contains(.ignored) { return .ignored }
        if nouns.contains(.email) { return nouns.isSubset(of: [.email, .address]) ? .email(label) : .custom }
        if nouns.contains(.url) { return nouns.isSubset(of: [.url, .address]) ? .url(label) : .custom }
        if nouns.contains(.fax) {
            return nouns.isSubset(of: [.fax, .phone]) ? .phone(label.isEmpty ? "fax" : "\(label) fax") : .custom
        }
        if nouns.contains(.pager) { return nouns.isSubset(of: [.pager, .phone]) ? .phone("pager") : .custom }
        if nouns.contains(.mobile) { return nouns.isSubset(of: [.mobile, .phone]) ? .phone("mobile") : .custom }
        if nouns == [.phone, .company] { return .phone("work main") }
        if nouns == [.phone] { return concepts.contains(.main) ? .mainPhone : .phone(label) }
        // Outlook has one column for country and region, and some programs write `Address: City`.
        if nouns.contains(.country) { nouns.remove(.region) }
        if nouns.count > 1 { nouns.remove(.address) }
        guard nouns.count == 1, let noun = nouns.first else { return .custom }
        if let part = parts[noun] { return .address(label, part) }
        return label.isEmpty || noun == .company ? simple[noun] ?? .custom : .custom
    }

    private static let parts: [Concept: FlatColumns.AddressPart] = [
        .address: .street, .street: .street, .locality: .locality, .region: .region, .postalCode: .postalCode,
        .country: .country, .postOfficeBox: .postOfficeBox,
    ]

    private static let simple: [Concept: FlatColumns.Meaning] = [
        .given: .given, .family: .family, .additional: .additional, .prefix: .prefix, .suffix: .suffix,
        .nickname: .nickname, .formattedName: .formattedName, .company: .company, .department: .department,
        .title: .title, .role: .role, .birthday: .day("birthday"), .birthYear: .birthYear, .birthMonth: .birthMonth,
        .birthDay: .birthDay, .anniversary: .day("anniversary"), .tags: .tags, .note: .note,
        .spouse: .relation("spouse"), .children: .relation("child"),
    ]
}
