import ContentLines
import Text
import TextDecoding

extension Card {
    /// Returns the card in another version, with CR LF line ends; lines that are equal in both versions are kept.
    ///
    /// Properties that do not exist in the version are kept, with an `X-` prefix if the name would have lost its
    /// meaning, and get their name back when converted back.
    package func converted(to target: VCardVersion) -> Card {
        Card(CardConverter(self, target, isStrict: false).bytes())
    }

    /// Returns the card for other programs in the version `target`: converted, with every line valid in 3.0 and 4.0,
    /// and with the required names, `FN` in all versions and `N` in 2.1 and 3.0.
    package func exported(as target: VCardVersion) -> Card {
        let card = Card(CardConverter(self, target, isStrict: true).bytes())
        var edits = card.all(.mergedUID).map(PropertyEdit.remove)
        let details = card.details
        if details.formattedName.isEmpty {
            let name = PropertyValue.text(details.displayName.isEmpty ? "?" : details.displayName)
            edits.append(card.first(.formattedName).map { .replace($0, name) } ?? .add(.formattedName, name, label: ""))
        }
        if target != .v4, card.first(.name) == nil {
            edits.append(.add(.name, .components(["", "", "", "", ""]), label: ""))
        }
        return edits.isEmpty ? card : card.applying(edits)
    }
}

/// Converts a card to another version line by line.
struct CardConverter {
    let card: Card
    let target: VCardVersion
    private let lineEnd = [ASCII.cr, ASCII.lf]
    private let sortAs: String
    /// Whether lines that are invalid in both versions are also fixed.
    private let isStrict: Bool

    init(_ card: Card, _ target: VCardVersion, isStrict: Bool) {
        self.card = card
        self.target = target
        self.isStrict = isStrict
        sortAs = target == card.version ? "" : card.details.sortAs
    }

    /// The bytes of the new card; `VERSION` is right after `BEGIN`, as 4.0 requires.
    func bytes() -> [UInt8] {
        var result = Array("BEGIN:VCARD\r\nVERSION:\(target.rawValue)\r\n".utf8)
        for property in card.properties {
            switch property.kind {
            case .begin, .end, .version: continue
            case .unreadable where property.value.allSatisfy({ card.bytes[$0].isBlank }): continue
            case .unreadable where !isStrict: result += card.bytes[property.value] + lineEnd
            default:
                for line in lines(property) { result += line.bytes(lineEnd: lineEnd, version: target) }
            }
        }
        return result + Array("END:VCARD\r\n".utf8)
    }

    /// The lines of a property in the target version.
    private func lines(_ property: Card.Property) -> [PropertyLine] {
        if isStrict, property.kind == .unreadable || property.name.isEmpty { return [stray(property)] }
        if target != .v2, let reading = phoneticName(property) { return reading }
        var line = PropertyLine(property, of: card)
        if card.version == target, target == .v2 || !isStrict {
            // Other programs may not know the character set.
            if property.flags.contains(.charset) || String(validating: line.content, as: UTF8.self) == nil {
                line.setValue(value(property), property.kind, version: target)
            }
            return [line]
        }
        var kind = property.kind
        if card.version != target {
            rename(&line, &kind, property)
        } else if target == .v4, kind == .sortString || CardConverter.removed.contains(kind) {
            line.name = "X-\(kind.rawValue)"
        }
        if kind == .sortString, target == .v4, card.version != target, card.first(.name) != nil { return [] }
        if isDroppedCompanion(property) { return [] }
        if kind.isDate, card.trimmedText(property).isEmpty { return [] }
        line.group = CardConverter.word(line.group)
        line.name = CardConverter.word(line.name)
        let isData = kind.isBinary || kind == .unknown && AttachmentConversion.isData(line, property)
        let isValid = card.version == target && isData && AttachmentConversion.isValid(line, target)
        if !isValid || property.flags.contains(.charset) { convertParameters(&line, property) }
        // The value of a renamed line may already be converted.
        if line.content == card.content(property) { convertValue(&line, kind, property) }
        line.parameters = line.parameters.map { $0.tidied(target) }
        if property.kind == .related, kind == .appleRelated, let label = relationLabel(property, line.group) {
            return [line, label]
        }
        guard kind == .name, !sortAs.isEmpty else { return [line] }
        if target == .v4 {
            if !line.parameters.contains(where: { $0.name.uppercased() == "SORT-AS" }) {
                line.parameters.append(ContentParameter("SORT-AS", written: "\"\(sortAs.filter { $0 != "\"" })\""))
            }
            return [line]
        }
        line.parameters.removeAll { $0.name.uppercased() == "SORT-AS" }
        var sort = PropertyLine("SORT-STRING")
        sort.setValue(.text(sortAs), .sortString, version: target)
        return card.first(.sortString) == nil ? [line, sort] : [line]
    }

    /// A line that is not a property, as the text of one.
    private func stray(_ property: Card.Property) -> PropertyLine {
        var line = PropertyLine("X-HUB-LINE")
        let end = property.value.upperBound
        line.setValue(
            .text(
                TextDecoding.withoutControls(
                    TextDecoding.decode(card.unfolded(property.line.lowerBound..<end, property)))),
            .customField, version: target)
        return line
    }

    /// The lines with the reading of the name in a `SOUND` of Japanese phones (`X-IRMC-N`), which is text; nil for other
    /// properties.
    private func phoneticName(_ property: Card.Property) -> [PropertyLine]? {
        guard property.kind == .sound, card.isReadingOfName(property) else { return nil }
        let names = ["X-PHONETIC-LAST-NAME", "X-PHONETIC-FIRST-NAME", "X-PHONETIC-MIDDLE-NAME"]
        let kinds: [PropertyKind] = [.phoneticFamily, .phoneticGiven, .phoneticAdditional]
        return zip(names, zip(kinds, card.components(property))).compactMap { name, part in
            guard !part.1.isEmpty, card.first(part.0) == nil else { return nil }
            var line = PropertyLine(name)
            line.setValue(.text(part.1), part.0, version: target)
            return line
        }
    }

    /// Removes the characters from a name or group that the standards do not allow.
    private static func word(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 | 0x20 &- 0x61 < 26 || $0 == 0x2D }) { return text }
        return String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    }
}

extension CardConverter {
    /// Names of 3.0 that 4.0 has removed, kept with `X-`.
    static let removed: [PropertyKind] = [
        .addressLabel, .mailer, .classification, .sourceName, .profile, .agent,
    ]

    private func rename(_ line: inout PropertyLine, _ kind: inout PropertyKind, _ property: Card.Property) {
        if target == .v4 {
            switch kind {
            case .appleKind: (line.name, kind) = ("KIND", .kind)
            case .appleMember: (line.name, kind) = ("MEMBER", .member)
            case .appleRelated: (line, kind) = (standardRelation(line, property), .related)
            case .socialProfile where line.name.uppercased() == "X-SOCIALPROFILE": standardProfile(&line, property)
            case .extendedAnniversary, .evolutionAnniversary: (line.name, kind) = ("ANNIVERSARY", .anniversary)
            case .appleDate where card.customLabel(property) == "anniversary":
                (line.name, kind, line.group) = ("ANNIVERSARY", .anniversary, "")
            case .appleShowAs where card.text(property).uppercased() == "COMPANY" && card.first(.appleKind) == nil:
                (line.name, kind) = ("KIND", .kind)
                line.content = Array("org".utf8)
            case .sortString where card.first(.name) == nil: line.name = "X-SORT-STRING"
            case let old where CardConverter.removed.contains(old): line.name = "X-\(old.rawValue)"
            default: break
            }
        } else if card.version == .v4 {
            switch kind {
            case .kind where card.text(property).lowercased() == "org":
                (line.name, kind) = ("X-ABShowAs", .appleShowAs)
                line.content = Array("COMPANY".utf8)
            case .kind: (line.name, kind) = ("X-ADDRESSBOOKSERVER-KIND", .appleKind)
            case .member: (line.name, kind) = ("X-ADDRESSBOOKSERVER-MEMBER", .appleMember)
            case .related where !RelatedPerson.isLink(card.trimmedText(property)):
                (line, kind) = (appleRelation(line, property), .appleRelated)
            case .socialProfile where line.name.uppercased() == "SOCIALPROFILE": appleProfile(&line)
            case .anniversary: (line.name, kind) = ("X-ANNIVERSARY", .extendedAnniversary)
            case .unknown:
                let name = line.name.uppercased()
                let old = CardConverter.removed.first { "X-\($0.rawValue)" == name }
                if let old { line.name = old.rawValue }
            default: break
            }
        }
    }

    /// Whether the label belongs to a property that no longer needs it.
    private func isDroppedCompanion(_ property: Card.Property) -> Bool {
        guard property.kind == .appleLabel, target == .v4, card.version != target else { return false }
        if let date = card.companion(.appleDate, of: property) {
            return card.customLabel(card.properties[date]) == "anniversary"
        }
        return card.companion(.appleRelated, of: property).map { isTyped(card.properties[$0]) } ?? false
    }

    /// Converts labels and preference to the syntax of the target.
    private func convertParameters(_ line: inout PropertyLine, _ property: Card.Property) {
        if line.parameters.isEmpty { return }
        var types: [String] = []
        var others: [ContentParameter] = []
        var preference: String?
        let technical: Set<String> = ["QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT"]
        for parameter in line.parameters {
            switch parameter.name.uppercased() {
            case "" where technical.contains(parameter.written.uppercased()): others.append(parameter)
            case "", "TYPE":
                for value in parameter.typeValues {
                    if value.uppercased() == "PREF" { preference = preference ?? "1" } else { types.append(value) }
                }
            case "PREF":
                preference = parameter.values.first.flatMap { Int($0) }.map { String(min(max($0, 1), 100)) } ?? "1"
            case "ENCODING" where ["8BIT", "7BIT"].contains(parameter.written.uppercased()): break
            case "CHARSET" where target != .v2 && !property.flags.contains(.charset): break
            default: others.append(parameter)
            }
        }
        var result: [ContentParameter] = []
        switch target {
        case .v4:
            result += PropertyLine.typeParameters(types, version: target)
            if let preference { result.append(ContentParameter("PREF", written: preference)) }
        case .v3, .v2:
            if preference == "1" {
                types.append(target == .v2 ? "PREF" : "pref")
            } else if let preference {
                others.append(ContentParameter("PREF", written: preference))
            }
            result += PropertyLine.typeParameters(types, version: target)
        }
        if target == .v2 {
            // 2.1 has no quoted values.
            others = others.map { ContentParameter($0.name, written: $0.written.replacing(scalar: "\"", with: "")) }
        }
        line.parameters = result + others
    }
}

extension ContentParameter {
    /// The values of `TYPE`: a quoted list (`"work,voice"`) is split as well, other quoted text is a single value.
    var typeValues: [String] {
        guard written.utf8.contains(ASCII.quote) else { return values }
        var result: [String] = []
        for (place, piece) in written.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false).map(
            Substring.init
        ).enumerated() {
            let words = piece.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
            let isList = words.allSatisfy { word in
                word.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 | 0x20 &- 0x61 < 26 || $0 == 0x2D }
            }
            result += place % 2 == 0 || isList ? words : [piece.trimmed]
        }
        return result
    }

    /// The parameter in the grammar of `version`; values with a separator are quoted.
    func tidied(_ version: VCardVersion) -> ContentParameter {
        if version == .v2 || name.isEmpty { return self }
        func isLetter(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || byte | 0x20 &- 0x61 < 26 || byte == 0x2D }
        var name = name
        if !name.utf8.allSatisfy(isLetter) {
            name = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        }
        // An unmatched quote is removed.
        let quotes = written.utf8.count { $0 == ASCII.quote }
        var values = [String.UnicodeScalarView()]
        var isQuoted = false
        for scalar in written.unicodeScalars {
            switch scalar {
            case "\"": isQuoted = quotes % 2 == 0 && !isQuoted
            case "," where !isQuoted: values.append(String.UnicodeScalarView())
            default: values[values.count - 1].append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
            }
        }
        let isPlain = written.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && !";:\"".utf8.contains($0) }
        let text = isPlain ? written : values.map { ContentParameter.quoted(String($0)) }.joined(separator: ",")
        return ContentParameter(name, written: text)
    }
}
