/// The normalised value by which list items are compared.
enum MainValue {
    /// The value of `property` for comparison; nil for properties that are compared line by line.
    static func of(_ property: Card.Property, in card: Card, region: CallingCode?) -> String? {
        switch property.kind {
        case .phone:
            let text = card.plainValue(property)
            let number = PhoneNumber(text, region: region)
            let line = number.e164 ?? number.digits
            return line.isEmpty ? text.lowercased() : "\(line);\(number.extension)"
        case .email: return card.plainValue(property).lowercased()
        case .url: return url(card.trimmedText(property))
        case .messenger, .socialProfile, .serviceMessenger: return card.trimmedText(property).lowercased()
        case .address:
            return card.components(property).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
                .map { $0.lowercased() }.joined(separator: ";").droppingEmptyEnd
        default: return nil
        }
    }

    /// Normalises a URL: scheme and host in lower case, without a trailing slash as path.
    private static func url(_ text: String) -> String {
        guard let colon = text.firstRange(of: "://") else { return text }
        let rest = text[colon.upperBound...]
        let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        var path = rest[end...]
        if path == "/" { path = "" }
        return text[..<colon.lowerBound].lowercased() + "://" + rest[..<end].lowercased() + path
    }
}

extension String {
    /// The text without the semicolons of trailing empty components.
    fileprivate var droppingEmptyEnd: String {
        var text = self
        while text.last == ";" { text.removeLast() }
        return text
    }
}
