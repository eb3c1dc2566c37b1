import Collation
import ContentLines
import Text
import TextDecoding

extension Card {
    /// The parsed fields of the card.
    ///
    /// For a property that may occur once, the first counts; lists keep the order of the card. Empty values are left
    /// out.
    package var details: ContactDetails {
        var details = ContactDetails()
        read(into: &details)
        return details
    }

    private func read(into details: inout ContactDetails) {
        var hasName = false
        for property in properties {
            switch property.kind {
            case .formattedName: set(&details.formattedName, property)
            case .name:
                // A second N is the same name in another script (ALTID), or an error.
                if !hasName { details.name = structuredName(property) }
                hasName = true
                if details.sortAs.isEmpty { details.sortAs = sortAs(property) }
            case .nickname: details.nicknames += list(property)
            case .phone: append(property, to: &details.phones)
            case .email: append(property, to: &details.emails)
            case .url: append(property, to: &details.urls)
            case .messenger, .socialProfile, .serviceMessenger: append(property, to: &details.messengers)
            case .address:
                let address = address(property)
                if !address.isEmpty { details.addresses.append(address) }
            case .organization:
                if details.organization.isEmpty { details.organization = units(property) }
                if details.sortAs.isEmpty, details.formattedName.isEmpty { details.sortAs = sortAs(property) }
            case .title: set(&details.title, property)
            case .role: set(&details.role, property)
            case .note: join(&details.note, property)
            case .birthday: details.birthday = details.birthday ?? date(property)
            case _ where isAnniversary(property): details.anniversary = details.anniversary ?? date(property)
            case .categories: details.tags += list(property)
            case .kind, .appleKind: details.kind = ContactKind(trimmedText(property))
            case .appleShowAs:
                if text(property).uppercased() == "COMPANY" { details.kind = .organization }
            case .sortString: details.sortAs = trimmedText(property)
            case .uid: if details.uid == nil { details.uid = nonEmpty(trimmedText(property)).map { ByteString($0) } }
            case .mergedUID: details.mergedSources.append(mergedSource(property))
            case .begin, .end, .version, .revision, .product, .created, .lastModified, .radicaleName, .unreadable,
                .appleLabel, .appleCountry, .profile, .sourceName:
                break
            case .related, .appleRelated:
                append(property, to: &details.relations)
                if let uid = reference(property)?.uid { details.references.append(uid) }
            case .member, .appleMember:
                if let member = nonEmpty(trimmedText(property)) { details.members.append(member) }
                if let uid = reference(property)?.uid { details.references.append(uid) }
            case .appleDate:
                if let day = date(property) {
                    details.dates.append(LabeledDate(day, label: customLabel(property) ?? ""))
                }
            case .unknown where readPersonal(property, into: &details): break
            case .unknown, .photo, .logo, .sound, .key, .agent, .mailer, .classification, .addressLabel,
                .anniversary, .extendedAnniversary, .evolutionAnniversary, .phoneticGiven, .phoneticAdditional,
                .phoneticFamily, .maidenName, .customField:
                if property.kind == .photo, !property.value.isEmpty { details.hasPhoto = true }
                if let other = other(property) { details.others.append(other) }
            }
        }
        if details.tags.count > 1 {
            var seen = Set<String>()
            details.tags.removeAll { !seen.insert($0).inserted }
        }
    }

    /// Reads gender, pronouns and languages, which have the same names in all versions, some programs with `X-` in front.
    private func readPersonal(_ property: Property, into details: inout ContactDetails) -> Bool {
        switch PersonalProperty(property, of: self) {
        case .gender: set(&details.gender, property)
        case .pronouns: set(&details.pronouns, property)
        case .language:
            if let tag = nonEmpty(trimmedText(property)), !details.languages.contains(tag) {
                details.languages.append(tag)
            }
        case nil: return false
        }
        return true
    }

    private func set(_ field: inout String, _ property: Property) {
        if field.isEmpty { field = trimmedText(property) }
    }

    private func join(_ field: inout String, _ property: Property) {
        let text = text(property)
        if text.isEmpty { return }
        if field.isEmpty { field = text } else { field += "\n\n\(text)" }
    }

    private func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }

    private func append(_ property: Property, to values: inout [LabeledValue]) {
        var value = plainValue(property)
        if value.isEmpty { return }
        if property.kind == .phone || property.kind == .email {
            // Numbers copied from a phone may contain directional marks.
            let seen = Transliterator.withoutInvisible(value).trimmed
            if !seen.isEmpty { value = seen }
        }
        let types = typeWords(property)
        values.append(LabeledValue(value, label: types.label, preference: types.preference))
    }

    /// The value without a URI scheme that the property implies.
    func plainValue(_ property: Property) -> String {
        let value = trimmedText(property)
        let scheme: String
        switch property.kind {
        case .phone where value.utf8.first.map { $0 | 0x20 } == 0x74: scheme = "tel:"
        case .email where value.utf8.first.map { $0 | 0x20 } == 0x6D: scheme = "mailto:"
        default: return value
        }
        return value.utf8.count > scheme.utf8.count && value.lowercased().hasPrefix(scheme)
            ? String(value.dropFirst(scheme.count)) : value
    }

    /// The name of an `N`; several names in a component are separated by spaces.
    func structuredName(_ property: Property) -> StructuredName {
        // A component may be a list of names: `Richter,James`.
        var parts = components(property)
        if version != .v2, !isPlain(property) || bytes[property.value].contains(ASCII.comma) {
            parts = parts.map { $0.utf8.contains(ASCII.comma) ? $0.replacing(comma: " ") : $0 }
        }
        func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
        return StructuredName(family: part(0), given: part(1), additional: part(2), prefix: part(3), suffix: part(4))
    }

    private func units(_ property: Property) -> [String] {
        var units = components(property)
        while units.last?.isEmpty == true { units.removeLast() }
        return units
    }

    func address(_ property: Property) -> PostalAddress {
        PostalAddress(label: typeWords(property).label, parts: components(property))
    }

    /// Whether the property is an anniversary, including the extensions of other programs.
    func isAnniversary(_ property: Property) -> Bool {
        switch property.kind {
        case .anniversary, .extendedAnniversary, .evolutionAnniversary: true
        case .appleDate: customLabel(property) == "anniversary"
        default: false
        }
    }

    /// Parses a birthday or anniversary; invalid dates become free text, empty ones nil.
    func date(_ property: Property) -> ContactDate? {
        let text = trimmedText(property)
        if text.isEmpty { return nil }
        var omitted: Int?
        if !property.parameters.isEmpty {
            if parameter("VALUE", of: property)?.lowercased() == "text" { return .text(text) }
            omitted = parameter("X-APPLE-OMIT-YEAR", of: property).flatMap { Int($0) }
        }
        if let date = PartialDate(card: text, omittedYear: omitted) { return .date(date) }
        let saysNothing = text == "NaN" || text.utf8.allSatisfy { $0 == 0x2D || $0 == 0x30 }
        return saysNothing ? nil : .text(text)
    }

    /// The size of a value in bytes; for base64 the decoded size.
    func dataLength(_ property: Property) -> Int {
        let content = bytes[property.value]
        let isLink = property.kind.isBinary && bytes.span.hasWord("DATA:", at: property.value.lowerBound)
        guard property.flags.contains(.base64) || isLink else { return content.count }
        let start = isLink ? content.firstIndex(of: ASCII.comma).map { $0 + 1 } ?? content.endIndex : content.startIndex
        let letters = content[start...].count { !$0.isBlank && $0 != ASCII.cr && $0 != ASCII.lf && $0 != ASCII.equals }
        return letters * 3 / 4
    }

    private func sortAs(_ property: Property) -> String {
        guard !property.parameters.isEmpty, let text = parameter("SORT-AS", of: property) else { return "" }
        return text.split(separator: ",").map(\.trimmed).joined(separator: " ")
    }

    private func other(_ property: Property) -> ContactDetails.OtherProperty? {
        let custom = customLabel(property)
        let name = custom ?? self.name(property)
        let length = dataLength(property)
        // For a picture or unknown data only the size is shown.
        let isLink = property.kind.isBinary && bytes.span.hasWord("HTTP", at: property.value.lowerBound)
        let isText = !property.kind.isBinary || isReadingOfName(property)
        let isShown = isLink || isText && !property.flags.contains(.base64)
        let value = isShown && length <= 64 * 1024 ? trimmedText(property) : "\(length) bytes"
        return value.isEmpty
            ? nil
            : .init(
                name: name, label: custom == nil ? typeWords(property).label : "", value: value,
                isCustom: isShown && isCustom(property) && value.utf8.count <= ContactDetails.maximumLength
                    && !value.contains(where: \.isNewline))
    }

    /// Whether a `SOUND` is the reading of the name as text, as Japanese phones write it.
    func isReadingOfName(_ property: Property) -> Bool {
        property.kind == .sound && !property.flags.contains(.base64)
            && parameters(property).contains { $0.written.uppercased() == "X-IRMC-N" }
    }

    /// Whether the property is a custom field, or another one whose name begins with `X-`.
    private func isCustom(_ property: Property) -> Bool {
        switch property.kind {
        case .customField, .maidenName, .phoneticGiven, .phoneticAdditional, .phoneticFamily: true
        case .unknown: name(property).prefix(2).uppercased() == "X-"
        default: false
        }
    }

    /// The properties of `ContactDetails.customFields`, in the same order.
    var customPlaces: [Int] {
        properties.indices.filter { place in
            let property = properties[place]
            guard isCustom(property), PersonalProperty(property, of: self) == nil else { return false }
            return other(property)?.isCustom == true
        }
    }
}

extension String {
    /// The trimmed parts between commas, joined with `separator`.
    fileprivate func replacing(comma separator: String) -> String {
        split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }.joined(separator: separator)
    }
}
