extension ContactField {
    /// The reason why a value is rejected.
    struct Rejection: Error, Hashable {
        var message: String
        var hint: String?
    }

    /// Splits label and value at two spaces or a tab, or by the form of the value.
    func split(_ text: String) -> (label: String, value: String) {
        guard hasLabel else { return ("", text) }
        if let gap = text.range(ofGap: 2) {
            let label = text[..<gap.lowerBound].trimmed
            if !isValueLike(label) { return (label, text[gap.upperBound...].trimmed) }
        }
        if let tab = text.firstIndex(of: "\t") {
            return (text[..<tab].trimmed, text[tab...].trimmed)
        }
        // The label of these is any word, so that only the gap or a typed label is one.
        if self == .custom || self == .date || self == .relation { return ("", text) }
        let words = text.split(separator: " ")
        let label = words.prefix { LabelWord.words(of: String($0)) != nil }
        guard !label.isEmpty, label.count < words.count else { return ("", text) }
        return (label.joined(separator: " "), words.dropFirst(label.count).joined(separator: " "))
    }

    /// Whether the text is certainly a value and not a label.
    func isValueLike(_ text: String) -> Bool {
        switch self {
        case .phone: text.count(where: \.isNumber) >= 3 || text.hasPrefix("+")
        case .email: text.contains("@")
        case .url, .im: text.contains(":") || text.contains(".")
        case .address: text.contains(";") || text.contains(",")
        case .date: (try? date(text)) != nil
        default: false
        }
    }

    /// Returns the value in its stored form; `label` is that of the value. Throws if it is not valid.
    func checked(_ value: String, label: String = "") throws(Rejection) -> String {
        if needsLabel, label.isEmpty {
            throw Rejection(
                message: "a field of your own needs a name", hint: "such as custom.shoe-size=43 or custom.X-FOO=bar")
        }
        if self == .custom, CustomField.isPropertyName(label), CustomField.propertyName(label) == nil {
            throw Rejection(
                message: "\(label) is a property of another field", hint: "the fields are in hub help contacts new")
        }
        switch self {
        case .url:
            guard let url = WebAddress.completed(value) else {
                throw Rejection(message: "not a web address", hint: "such as https://example.org")
            }
            return url
        case .im:
            guard let address = MessengerAddress.typed(value, label: label) else {
                throw Rejection(
                    message: "the messenger is unknown",
                    hint: "such as im.jabber=ada@example.org or im=xmpp:ada@example.org")
            }
            return address
        case .date: _ = try date(value)
        case .gender: return try ContactField.gender(value)
        case .language:
            for tag in value.split(separator: ",").map(\.trimmed) where !ContactField.isLanguage(tag) {
                throw Rejection(message: "\"\(tag)\" is not the tag of a language", hint: "such as de or pt-BR")
            }
        case .phone:
            guard value.contains(where: \.isNumber) else {
                throw Rejection(message: "a phone number needs digits", hint: "such as +48 601 234 567")
            }
        case .email:
            let parts = value.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), !value.contains(where: \.isWhitespace) else {
                throw Rejection(
                    message: "not an e-mail address", hint: "such as ada@example.org")
            }
        case .name:
            guard !value.isEmpty else { throw Rejection(message: "a contact needs a name", hint: nil) }
        default: break
        }
        return value
    }

    /// Whether a text has the form of a language tag (RFC 5646).
    private static func isLanguage(_ tag: String) -> Bool {
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        return (2...3).contains(parts[0].count) && parts[0].allSatisfy { $0.isASCII && $0.isLetter }
            && parts.dropFirst().allSatisfy { part in
                (1...8).contains(part.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
    }

    /// A gender in the form of the standard: a letter, then text after a semicolon.
    private static func gender(_ text: String) throws(Rejection) -> String {
        let words = ["female": "F", "woman": "F", "male": "M", "man": "M", "other": "O", "none": "N", "unknown": "U"]
        let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
        if let letter = words[parts[0].lowercased()] { return ([letter] + parts.dropFirst()).joined(separator: ";") }
        if ["M", "F", "O", "N", "U", ""].contains(parts[0].uppercased()) {
            return ([parts[0].uppercased()] + parts.dropFirst()).joined(separator: ";")
        }
        guard parts.count == 1 else {
            throw Rejection(message: "unknown gender \"\(parts[0])\"", hint: "F, M, O, N or U, and a text after ;")
        }
        return ";" + parts[0]
    }

    /// Parses a typed date; in quotes, free text.
    func date(_ text: String) throws(Rejection) -> ContactDate? {
        if text.isEmpty { return nil }
        if text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") {
            let words = text.dropFirst().dropLast().trimmed
            return words.isEmpty ? nil : .text(words)
        }
        do {
            return .date(try PartialDate(input: text))
        } catch {
            throw Rejection(message: error.reason, hint: error.hint)
        }
    }

    /// Replaces the values of the field in `details`.
    func assign(_ values: [(label: String, value: String)], to details: inout ContactDetails) throws(Rejection) {
        let first = values.first?.value ?? ""
        func labeled(_ old: [LabeledValue]) -> [LabeledValue] {
            values.map { new in
                let same = old.first { $0.value == new.value }
                return LabeledValue(new.value, label: new.label, preference: same?.preference)
            }
        }
        let items = values.flatMap { $0.value.split(separator: ",").map(\.trimmed) }.filter { !$0.isEmpty }
        switch self {
        case .name: details.setName(first)
        case .nickname: details.nicknames = items.unique
        case .phone: details.phones = labeled(details.phones)
        case .email: details.emails = labeled(details.emails)
        case .address:
            let old = details.addresses
            details.addresses = values.enumerated().map { index, new in
                let same =
                    old.first { $0.formText == new.value && $0.label == new.label }
                    ?? old.first { $0.formText == new.value } ?? (index < old.count ? old[index] : nil)
                return PostalAddress(formText: new.value, label: new.label, like: same)
            }
        case .birthday: details.birthday = try date(first)
        case .anniversary: details.anniversary = try date(first)
        case .org: details.organization = first.split(separator: ";").map(\.trimmed).filter { !$0.isEmpty }
        case .title: details.title = first
        case .role: details.role = first
        case .url: details.urls = labeled(details.urls)
        case .im: details.messengers = labeled(details.messengers)
        case .tag: details.tags = items.unique
        case .note: details.note = values.map(\.value).joined(separator: "\n")
        case .date:
            var dates: [LabeledDate] = []
            for new in values {
                if let day = try date(new.value) { dates.append(LabeledDate(day, label: new.label)) }
            }
            details.dates = dates
        case .relation: details.relations = labeled(details.relations)
        case .gender: details.gender = first
        case .pronouns: details.pronouns = first
        case .language: details.languages = items.unique
        case .custom: details.customFields = labeled(details.customFields)
        }
    }
}

extension ContactDetails {
    /// Sets the display name of the contact, and its parts.
    package mutating func setName(_ text: String) {
        guard text != displayName else { return }
        let typed = TypedName(text, like: name)
        name = typed.name
        formattedName = typed.displayed
        guard typed.isCompany, kind == .individual else { return }
        kind = .organization
        if organization.isEmpty { organization = [typed.displayed] }
    }
}

extension [String] {
    /// The texts in order without duplicates.
    fileprivate var unique: [String] {
        var seen = Set<String>()
        return filter { seen.insert($0).inserted }
    }
}

extension StringProtocol {
    /// The first run of at least `count` spaces between other characters.
    fileprivate func range(ofGap count: Int) -> Range<Index>? {
        var start: Index?
        for index in indices {
            if self[index] == " " {
                start = start ?? index
            } else if let first = start {
                if distance(from: first, to: index) >= count { return first..<index }
                start = nil
            }
        }
        return nil
    }
}
