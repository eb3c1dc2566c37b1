/// A field of the user's own.
enum CustomField {
    /// The properties with a kind of their own that are shown among the custom fields.
    private static let kinds: Set<PropertyKind> = [
        .maidenName, .phoneticGiven, .phoneticAdditional, .phoneticFamily,
    ]

    /// Whether a label has the form of the name of a property, such as `X-FOO`.
    static func isPropertyName(_ label: String) -> Bool {
        let name = label.uppercased()
        return name.hasPrefix("X-") && name.utf8.count > 2
            && name.utf8.allSatisfy { $0 &- 0x41 < 26 || $0 &- 0x30 < 10 || $0 == 0x2D }
    }

    /// The name of the property for a label that is one; nil for other labels, which are kept beside the value, and for properties
    /// that are other fields.
    static func propertyName(_ label: String) -> String? {
        guard isPropertyName(label) else { return nil }
        let name = label.uppercased()
        let kind = PropertyKind.byName.value(of: Array(name.utf8).span)
        return kind.map(kinds.contains) ?? true ? name : nil
    }
}

/// Web addresses.
enum WebAddress {
    /// Whether the text is the address of a web page.
    static func isPage(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("https://") || start.hasPrefix("http://")
    }

    /// Whether the text begins with the scheme of a URI (RFC 3986 §3.1).
    static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: 0x3A), colon != text.startIndex else { return false }
        let scheme = text.utf8[..<colon]
        return (scheme.first ?? 0) | 0x20 &- 0x61 < 26
            && scheme.allSatisfy { $0 | 0x20 &- 0x61 < 26 || $0 &- 0x30 < 10 || [0x2B, 0x2D, 0x2E].contains($0) }
    }

    /// The address with its scheme; nil if the text is not the name of a host.
    static func completed(_ text: String) -> String? {
        if hasScheme(text),
            !text.dropFirst(1 + (text.firstIndex(of: ":").map { text.distance(from: text.startIndex, to: $0) } ?? 0))
                .allSatisfy(\.isNumber)
        {
            return text.contains(where: \.isWhitespace) ? nil : text
        }
        let host = text.prefix { !"/?#:".contains($0) }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isHost =
            parts.count > 1
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            }
        return isHost && !text.contains(where: \.isWhitespace) ? "https://\(text)" : nil
    }
}

/// Related people: by name, or by a link to their card.
enum RelatedPerson {
    /// The relations of RFC 6350 §6.6.6, which are values of `TYPE`.
    static let types: Set<String> = [
        "contact", "acquaintance", "friend", "met", "co-worker", "colleague", "co-resident", "neighbor", "child",
        "parent",
        "sibling", "spouse", "kin", "muse", "crush", "date", "sweetheart", "me", "agent", "emergency",
    ]
    /// The relations that Apple's programs translate.
    private static let appleLabels: Set<String> = [
        "assistant", "brother", "child", "daughter", "father", "friend", "manager", "mother", "parent", "partner",
        "sister",
        "son", "spouse",
    ]

    /// Whether a value is a link, not a name.
    static func isLink(_ value: String) -> Bool {
        let text = value.lowercased()
        return ["urn:", "mailto:", "http://", "https://", "tel:", "xmpp:"].contains { text.hasPrefix($0) }
            && !text.contains(where: \.isWhitespace)
    }

    /// The label as Apple's programs write it, which is `_$!<Spouse>!$_` for one that they translate.
    static func appleLabel(_ label: String) -> String {
        let word = label.lowercased()
        return appleLabels.contains(word) ? "_$!<\(word.prefix(1).uppercased())\(word.dropFirst())>!$_" : label
    }

    /// The values of `TYPE` for a label; nil if it needs a label of its own.
    static func types(of label: String) -> [String]? {
        let words = label.lowercased().split(separator: " ").map(String.init)
        return words.allSatisfy(types.contains) ? words : nil
    }
}
