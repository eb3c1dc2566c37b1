extension DuplicateTier {
    /// The name of the tier for output.
    package var words: String {
        switch self {
        case .certain: "certain"
        case .strong: "very likely"
        case .medium: "likely"
        case .weak: "perhaps"
        }
    }
}

extension DuplicateEvidence {
    /// Returns the matching fields for output, with the shared values.
    package func words(_ members: [ContactDetails], region: CallingCode? = nil) -> [String] {
        var words: [String] = []
        func add(_ evidence: DuplicateEvidence, _ text: String, _ shared: String? = nil) {
            if contains(evidence) { words.append([text, shared ?? ""].filter { !$0.isEmpty }.joined(separator: " ")) }
        }
        add(.content, "same content")
        add(.email, "same e-mail", Self.shared(members.map { $0.emails.map(\.value) }) { $0.lowercased() })
        add(
            .phone, "same number",
            Self.shared(members.map { $0.phones.map(\.value) }) { text in
                let number = PhoneNumber(text, region: region)
                return String((number.e164 ?? number.digits).suffix(9))
            })
        add(.digits, "same last digits")
        add(.name, Set(members.map { ComparableName($0).words }).count == 1 ? "same name" : "similar names")
        if !contains(.name) { add(.nickname, "nickname of the other") }
        add(
            .organization, "same organization",
            Self.shared(members.map { Array($0.organization.prefix(1)) }, DuplicateProfile.letters))
        add(.birthday, "same birthday")
        add(
            .address, "same address",
            Self.shared(members.map { $0.addresses.map(\.street) }, DuplicateProfile.letters))
        return words
    }

    /// The first value that two of the lists have, compared by `key`.
    private static func shared(_ lists: [[String]], _ key: (String) -> String) -> String? {
        var seen: Set<String> = []
        for list in lists {
            for value in list where !key(value).isEmpty && seen.contains(key(value)) { return value }
            seen.formUnion(list.map(key))
        }
        return nil
    }
}
