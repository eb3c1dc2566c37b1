extension Card {
    /// The card in another version, with CR LF line ends; each line that both versions write alike is kept.
    ///
    /// What the version has no word for stays, under an `X-` name where the old one has lost its meaning, and gets its
    /// name back on the way back.
    package func converted(to target: VCardVersion) -> Card {
        var converter = CardConverter(self, target)
        return Card(converter.bytes())
    }
}

/// Rewrites a card line by line for another version.
struct CardConverter {
    private let card: Card
    private let target: VCardVersion
    private let lineEnd = [ASCII.cr, ASCII.lf]
    private let sortAs: String

    init(_ card: Card, _ target: VCardVersion) {
        self.card = card
        self.target = target
        sortAs = target == card.version ? "" : card.details.sortAs
    }

    /// The bytes of the new card; `VERSION` stands right behind `BEGIN`, where 4.0 wants it.
    mutating func bytes() -> [UInt8] {
        var result = Array("BEGIN:VCARD\r\nVERSION:\(target.rawValue)\r\n".utf8)
        for property in card.properties {
            switch property.kind {
            case .begin, .end, .version: continue
            case .unreadable where property.value.allSatisfy({ card.bytes[$0].isBlank }): continue
            case .unreadable: result += card.bytes[property.value] + lineEnd
            default:
                for line in lines(property) { result += line.bytes(lineEnd: lineEnd, version: target) }
            }
        }
        return result + Array("END:VCARD\r\n".utf8)
    }

    /// The lines of a property in the target version.
    private func lines(_ property: Card.Property) -> [PropertyLine] {
        var line = PropertyLine(property, of: card)
        if card.version == target {
            // Other programs need not know the character set.
            if property.flags.contains(.charset) || String(validating: line.content, as: UTF8.self) == nil {
                line.setValue(value(property), property.kind, version: target)
            }
            return [line]
        }
        var kind = property.kind
        rename(&line, &kind, property)
        if kind == .sortString, target == .v4, card.first(.name) != nil { return [] }
        if isDroppedCompanion(property) { return [] }
        convertParameters(&line, property)
        if kind.isBinary {
            AttachmentConversion.convert(&line, kind, from: card.version, to: target)
        } else if kind == .birthday || kind == .anniversary || kind == .extendedAnniversary {
            if let date = card.date(property) { line.setValue(.date(date), kind, version: target) }
        } else if kind == .phone, target != .v4, card.parameter("VALUE", of: property)?.lowercased() == "uri" {
            line.setValue(.text(card.plainValue(property)), kind, version: target)
        } else if card.version == .v2 || target == .v2 || property.flags.contains(.quotedPrintable) {
            line.setValue(value(property), kind, version: target)
        }
        guard kind == .name, !sortAs.isEmpty else { return [line] }
        if target == .v4 {
            if !line.parameters.contains(where: { $0.name.uppercased() == "SORT-AS" }) {
                line.parameters.append(Card.Parameter(name: "SORT-AS", value: "\"\(sortAs.filter { $0 != "\"" })\""))
            }
            return [line]
        }
        line.parameters.removeAll { $0.name.uppercased() == "SORT-AS" }
        var sort = PropertyLine("SORT-STRING")
        sort.setValue(.text(sortAs), .sortString, version: target)
        return card.first(.sortString) == nil ? [line, sort] : [line]
    }

    /// The decoded value in the shape of its property.
    private func value(_ property: Card.Property) -> PropertyValue {
        switch property.kind {
        case .name where target == .v2 && card.version != .v2:
            // 2.1 knows no lists inside a component.
            let name = card.structuredName(property)
            return .components([name.family, name.given, name.additional, name.prefix, name.suffix])
        case .name, .address, .organization: return .components(card.components(property))
        case .categories, .nickname: return .list(card.list(property))
        case .url, .messenger, .uid: return .uri(card.text(property))
        case .unknown:
            // A line of nobody's grammar may have components.
            let parts = card.components(property)
            return parts.count > 1 ? .components(parts) : .text(card.text(property))
        default: return .text(card.text(property))
        }
    }
}

extension CardConverter {
    /// Names of 3.0 that 4.0 has taken away, kept as `X-`.
    private static let removed: [PropertyKind] = [
        .addressLabel, .mailer, .classification, .sourceName, .profile, .agent,
    ]

    private func rename(_ line: inout PropertyLine, _ kind: inout PropertyKind, _ property: Card.Property) {
        if target == .v4 {
            switch kind {
            case .appleKind: (line.name, kind) = ("KIND", .kind)
            case .appleMember: (line.name, kind) = ("MEMBER", .member)
            case .extendedAnniversary, .evolutionAnniversary: (line.name, kind) = ("ANNIVERSARY", .anniversary)
            case .appleDate where card.customLabel(property) == "anniversary":
                (line.name, kind, line.group) = ("ANNIVERSARY", .anniversary, "")
            case .appleShowAs:
                line.name = "KIND"
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
            case .anniversary: (line.name, kind) = ("X-ANNIVERSARY", .extendedAnniversary)
            case .unknown:
                let name = line.name.uppercased()
                let old = CardConverter.removed.first { "X-\($0.rawValue)" == name }
                if let old { line.name = old.rawValue }
            default: break
            }
        }
    }

    /// Whether the label belongs to a property that needs it no more.
    private func isDroppedCompanion(_ property: Card.Property) -> Bool {
        guard property.kind == .appleLabel, target == .v4,
            let date = card.companion(.appleDate, of: property)
        else { return false }
        return card.customLabel(card.properties[date]) == "anniversary"
    }

    /// Spells kinds and preference as the target does.
    private func convertParameters(_ line: inout PropertyLine, _ property: Card.Property) {
        if line.parameters.isEmpty { return }
        var types: [String] = []
        var others: [Card.Parameter] = []
        var preference: String?
        let technical: Set<String> = ["QUOTED-PRINTABLE", "BASE64", "8BIT", "7BIT"]
        for parameter in line.parameters {
            switch parameter.name.uppercased() {
            case "" where technical.contains(parameter.value.uppercased()): others.append(parameter)
            case "", "TYPE":
                for value in parameter.values {
                    if value.uppercased() == "PREF" { preference = preference ?? "1" } else { types.append(value) }
                }
            case "PREF": preference = parameter.values.first ?? "1"
            case "ENCODING" where ["8BIT", "7BIT"].contains(parameter.value.uppercased()): break
            default: others.append(parameter)
            }
        }
        var result: [Card.Parameter] = []
        switch target {
        case .v4:
            result += PropertyLine.typeParameters(types, version: target)
            if let preference { result.append(Card.Parameter(name: "PREF", value: preference)) }
        case .v3, .v2:
            if preference == "1" {
                types.append(target == .v2 ? "PREF" : "pref")
            } else if let preference {
                others.append(Card.Parameter(name: "PREF", value: preference))
            }
            result += PropertyLine.typeParameters(types, version: target)
        }
        if target == .v2 {
            // 2.1 has no quotes around values.
            others = others.map { Card.Parameter(name: $0.name, value: $0.value.filter { $0 != "\"" }) }
        }
        line.parameters = result + others
    }
}
