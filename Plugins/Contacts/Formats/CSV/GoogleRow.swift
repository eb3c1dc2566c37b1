import TextDecoding

/// A contact as cells of Google's format.
struct GoogleRow {
    /// The numbered groups in the order of the columns, with their parts.
    static let groups: [(name: String, parts: [String])] = [
        ("E-mail", ["Label", "Value"]), ("Phone", ["Label", "Value"]),
        (
            "Address",
            [
                "Label", "Formatted", "Street", "City", "PO Box", "Region", "Postal Code", "Country",
                "Extended Address",
            ]
        ), ("Relation", ["Label", "Value"]), ("Website", ["Label", "Value"]), ("Event", ["Label", "Value"]),
        ("Custom Field", ["Label", "Value"]),
    ]

    /// The cells of the columns without a number.
    let plain: [String]
    /// The cells of each value, by group.
    let items: [[[String]]]

    init(_ card: Card) {
        let details = card.details
        func text(_ kind: PropertyKind) -> String {
            card.first(kind).map { card.trimmedText(card.properties[$0]) } ?? ""
        }
        var name = details.name
        // A contact that is displayed by its company, address or number has no name.
        let others = details.organization + (details.emails + details.phones).map(\.value)
        let isNamed = details.kind != .organization && !others.contains(details.displayName)
        if name.isEmpty, isNamed { name = StructuredName(parsing: details.displayName) }
        let units = details.organization
        plain = [
            name.given, name.additional, name.family, text(.phoneticGiven), text(.phoneticAdditional),
            text(.phoneticFamily), name.prefix, name.suffix, details.nicknames.joined(separator: GoogleColumns.joint),
            details.sortAs, units.first ?? (details.kind == .organization ? details.displayName : ""), details.title,
            units.dropFirst().first ?? "", details.birthday.map(GoogleRow.text) ?? "", details.note,
            card.photo.flatMap { if case .link(let link) = $0 { link } else { nil } } ?? "",
            (["* myContacts"] + details.tags).joined(separator: GoogleColumns.joint),
        ]
        var events = details.anniversary.map { [["Anniversary", GoogleRow.text($0)]] } ?? []
        var custom = details.messengers.map { [$0.label.isEmpty ? "IM" : "IM \($0.label)", $0.value] }
        if !details.role.isEmpty { custom.append([GoogleRow.roleLabel, details.role]) }
        // The format has columns for the name parts and for two levels of an organization.
        let isSaid =
            name.isEmpty
            ? others.contains(details.formattedName) || units.isEmpty && details.kind == .organization
            : name.formatted == details.formattedName
        if !details.formattedName.isEmpty, !isSaid { custom.append([GoogleRow.nameLabel, details.formattedName]) }
        custom += units.dropFirst(2).map { [GoogleRow.unitLabel, $0] }
        for property in card.properties {
            switch property.kind {
            case .appleDate where !card.isAnniversary(property):
                guard let day = card.date(property) else { continue }
                events.append([card.customLabel(property) ?? "", GoogleRow.text(day)])
            case .unknown, .customField, .maidenName, .mailer:
                let text = card.trimmedText(property)
                guard !text.isEmpty, !property.flags.contains(.base64), text.utf8.count <= 1 << 15 else { continue }
                let name = TextDecoding.decode(card.unfolded(property.name, property))
                custom.append([card.customLabel(property) ?? name, text])
            default: break
            }
        }
        items = [
            GoogleRow.cells(details.emails), GoogleRow.cells(details.phones),
            details.addresses.map(GoogleRow.cells),
            details.relations.map { [GoogleRow.label($0.label), $0.value] }, GoogleRow.cells(details.urls), events,
            custom,
        ]
    }

    /// The custom field labels for values without a column, which are recognised on import.
    static let nameLabel = "Full Name"
    static let unitLabel = "Organization Unit"
    static let roleLabel = "Role"

    /// Values with their labels; the primary one of several has an asterisk.
    private static func cells(_ values: [LabeledValue]) -> [[String]] {
        let primary = values.count > 1 ? values.firstIndex { $0.preference != nil && $0 == values.primary } : nil
        return values.enumerated().map {
            [($0.offset == primary ? "* " : "") + label($0.element.label), $0.element.value]
        }
    }

    private static func cells(_ address: PostalAddress) -> [String] {
        [
            label(address.label), address.lines.joined(separator: "\n"), address.street, address.locality,
            address.postOfficeBox, address.region, address.postalCode, address.country, address.extended,
        ]
    }

    /// Returns a label in Google's spelling: known words capitalised, others unchanged.
    private static func label(_ label: String) -> String {
        guard LabelWord.words(of: label) != nil else { return label }
        return label.split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    /// Returns a date in Google's format: without a year, a space precedes the hyphens.
    private static func text(_ day: ContactDate) -> String {
        switch day {
        case .date(let date) where date.year == nil: " \(date.description)"
        case .date(let date): date.description
        case .text(let text): text
        }
    }
}
