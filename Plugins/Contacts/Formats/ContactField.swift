/// The fields of a contact with the names for forms and the command line.
package enum ContactField: String, CaseIterable, Sendable {
    case name, nickname, phone, email, address, birthday, anniversary, org, title, role, url, im, tag, note
    case date, relation, gender, pronouns, language, custom

    /// Returns the field for `name`, including plurals and synonyms.
    package init?(named name: some StringProtocol) {
        let name = name.lowercased()
        if let field = ContactField(rawValue: name) {
            self = field
        } else if let field = ContactField.synonyms[name] {
            self = field
        } else if name.hasSuffix("s"), let field = ContactField(rawValue: String(name.dropLast())) {
            self = field
        } else {
            return nil
        }
    }

    private static let synonyms: [String: ContactField] = [
        "tel": .phone, "telephone": .phone, "mail": .email, "e-mail": .email, "addresses": .address, "adr": .address,
        "bday": .birthday, "born": .birthday, "organization": .org, "organisation": .org, "company": .org,
        "web": .url, "website": .url, "homepage": .url, "messenger": .im, "category": .tag, "categories": .tag,
        "labels": .tag, "dates": .date, "related": .relation, "lang": .language, "field": .custom,
    ]

    /// Returns the field names similar to `name`, closest first.
    package static func suggestion(for name: String) -> ContactField? {
        let names = allCases.map { ($0, NameSimilarity.editDistance(name.lowercased(), $0.rawValue, limit: 2)) }
        return names.filter { $0.1 <= 2 }.min { $0.1 < $1.1 }?.0
    }

    /// Whether an empty form shows the field.
    var isUsual: Bool {
        switch self {
        case .name, .phone, .email, .address, .birthday, .org, .tag, .note: true
        default: false
        }
    }

    /// Whether values of the field have a label, such as `mobile`.
    var hasLabel: Bool {
        switch self {
        case .phone, .email, .address, .url, .im, .date, .relation, .custom: true
        default: false
        }
    }

    /// Whether a label of the field must be given, since the value says nothing without it.
    var needsLabel: Bool { self == .custom }

    /// Whether a contact may have several values of the field.
    package var isList: Bool {
        switch self {
        case .phone, .email, .address, .url, .im, .nickname, .tag, .date, .relation, .language, .custom: true
        default: false
        }
    }

    /// The syntax of an address on one line.
    static let addressHelp = "address:  home  Street 1; 00-950 Town; Region; Country"
}

extension ContactField {
    /// The values of the field with their labels, as in a form.
    package func formValues(_ details: ContactDetails) -> [(label: String, value: String)] {
        func single(_ text: String) -> [(String, String)] { text.isEmpty ? [] : [("", text)] }
        func labeled(_ values: [LabeledValue]) -> [(String, String)] { values.map { ($0.label, $0.value) } }
        return switch self {
        case .name: single(details.displayName)
        case .nickname: single(details.nicknames.joined(separator: ", "))
        case .phone: labeled(details.phones)
        case .email: labeled(details.emails)
        case .address: details.addresses.map { ($0.label, $0.formText) }
        case .birthday: single(details.birthday?.description ?? "")
        case .anniversary: single(details.anniversary?.description ?? "")
        case .org: single(details.organization.joined(separator: "; "))
        case .title: single(details.title)
        case .role: single(details.role)
        case .url: labeled(details.urls)
        case .im: labeled(details.messengers)
        case .tag: single(details.tags.joined(separator: ", "))
        case .note: single(details.note)
        case .date: details.dates.map { ($0.label, $0.date.description) }
        case .relation: labeled(details.relations)
        case .gender: single(details.gender)
        case .pronouns: single(details.pronouns)
        case .language: single(details.languages.joined(separator: ", "))
        case .custom: labeled(details.customFields)
        }
    }
}

extension PostalAddress {
    /// Street; postal code and town; region; country. Trailing empty parts are left out.
    var formText: String {
        var parts = [
            [postOfficeBox, extended, street].filter { !$0.isEmpty }.joined(separator: "\n"),
            [postalCode, locality].filter { !$0.isEmpty }.joined(separator: " "), region, country,
        ]
        while parts.last?.isEmpty == true { parts.removeLast() }
        return parts.map { $0.replacing("\n", with: ", ") }.joined(separator: "; ")
    }

    /// Parses `formText`; parts of `earlier` are kept if their text is unchanged.
    init(formText: String, label: String, like earlier: PostalAddress?) {
        if let earlier, earlier.formText == formText {
            self = earlier
            self.label = label
            return
        }
        self.init()
        self.label = label
        let parts = formText.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
        func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
        let before = earlier?.formText.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed) ?? []
        if let earlier, before.first == part(0) {
            (postOfficeBox, extended, street) = (earlier.postOfficeBox, earlier.extended, earlier.street)
        } else {
            street = part(0)
        }
        if let earlier, before.count > 1, before[1] == part(1) {
            (postalCode, locality) = (earlier.postalCode, earlier.locality)
        } else {
            (postalCode, locality) = PostalAddress.town(part(1))
        }
        region = part(2)
        country = parts.dropFirst(3).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Splits `00-950 Warszawa` and `London SW1A 1AA`: the words with a digit are the postal code.
    private static func town(_ text: String) -> (code: String, town: String) {
        let words = text.split(separator: " ")
        let isCode = { (word: Substring) in word.contains(where: \.isNumber) }
        let leading = words.prefix(while: isCode)
        let trailing = Array(words.dropFirst(leading.count).reversed().prefix(while: isCode).reversed())
        let code = leading.isEmpty ? trailing[...] : leading
        let town = leading.isEmpty ? words.dropLast(trailing.count) : words.dropFirst(leading.count)
        return (code.joined(separator: " "), town.joined(separator: " "))
    }
}
