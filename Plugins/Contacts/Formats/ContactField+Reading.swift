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
        default: false
        }
    }

    /// Returns the value in its stored form. Throws if it is not valid.
    func checked(_ value: String) throws(Rejection) -> String {
        switch self {
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
        }
    }
}

extension ContactDetails {
    /// Sets the display name of the contact, and its parts.
    package mutating func setName(_ text: String) {
        guard text != displayName else { return }
        name = StructuredName(parsing: text, like: name)
        formattedName = text.contains(",") ? name.formatted : text
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
