/// A numbered group of Google's columns in a row, such as all columns of `Phone 2`.
struct GoogleGroup {
    /// The lower-case name of the group.
    let name: String
    /// The non-empty cells, by the lower-case last word of their column.
    let parts: [String: String]

    /// Adds the values to the contact; a cell may contain several of one kind.
    func fill(_ draft: inout CardDraft, _ dates: SlashDates) {
        let (label, isPrimary) = kind
        func labeled(_ value: String) -> LabeledValue {
            LabeledValue(value, label: LabelWord.label(label), preference: isPrimary ? 1 : nil)
        }
        switch name {
        case "e-mail": draft.details.emails += values.map(labeled)
        case "phone": draft.details.phones += values.map(labeled)
        case "website": draft.details.urls += values.map(labeled)
        case "im":
            let service = (parts["service"] ?? label).trimmed
            draft.details.messengers += values.map {
                LabeledValue(MessengerAddress.link($0, service: service), label: LabelWord.label(label))
            }
        case "address": draft.details.addresses += addresses(LabelWord.label(label))
        case "relation": for value in values { draft.add(.appleRelated, value, label: label) }
        case "event":
            for value in values {
                guard let (day, doubt) = dates.day(value, field: label) else { continue }
                if label.lowercased() == "birthday", draft.details.birthday == nil {
                    draft.details.birthday = day
                } else {
                    draft.addDay(day, label: label)
                }
                if let doubt { draft.doubts.append(doubt) }
            }
        case "organization": fillOrganization(&draft)
        case "custom field":
            switch label {
            case GoogleRow.nameLabel where draft.details.formattedName.isEmpty:
                draft.details.formattedName = values.joined(separator: " ")
            case GoogleRow.unitLabel where draft.details.organization.count >= 2: draft.details.organization += values
            case GoogleRow.roleLabel where draft.details.role.isEmpty:
                draft.details.role = values.joined(separator: ", ")
            default: for value in values { draft.addCustom(label, value) }
            }
        default:
            for (part, value) in parts.sorted(by: { $0.key < $1.key }) { draft.addCustom("\(name) \(part)", value) }
        }
    }

    /// The label, and whether it has the asterisk of the primary value.
    private var kind: (label: String, isPrimary: Bool) {
        let label = (parts["label"] ?? "").trimmed
        if label == "*" { return ("", true) }
        return label.hasPrefix("* ") ? (String(label.dropFirst(2)), true) : (label, false)
    }

    private var values: [String] { pieces(of: "value").map(\.trimmed).filter { !$0.isEmpty } }

    private func pieces(of part: String) -> [String] {
        GoogleColumns.values(in: parts[part] ?? "")
    }

    private func addresses(_ label: String) -> [PostalAddress] {
        let names = ["po box", "extended address", "street", "city", "region", "postal code", "country"]
        let columns = names.map(pieces)
        let formatted = pieces(of: "formatted")
        let count = max(formatted.count, columns.map(\.count).max() ?? 0)
        return (0..<count).compactMap { index in
            var address = PostalAddress(
                label: label, parts: columns.map { index < $0.count ? $0[index].trimmed : "" })
            if address.isEmpty, index < formatted.count { address.street = formatted[index].trimmed }
            return address.isEmpty ? nil : address
        }
    }

    private func fillOrganization(_ draft: inout CardDraft) {
        let units = [parts["name"] ?? "", parts["department"] ?? ""].map(\.trimmed)
        let title = (parts["title"] ?? "").trimmed
        if draft.details.organization.isEmpty, units != ["", ""] {
            draft.details.organization = units[1].isEmpty ? [units[0]] : units
        } else if units != ["", ""] {
            draft.extras.append(.init(kind: .organization, value: .components(units)))
        }
        if draft.details.title.isEmpty {
            draft.details.title = title
        } else {
            draft.add(.title, title)
        }
        for (part, value) in parts.sorted(by: { $0.key < $1.key }) {
            if ["symbol", "location", "job description"].contains(part) { draft.addCustom(part, value.trimmed) }
        }
    }
}

/// Messenger addresses, which are URIs in cards.
enum MessengerAddress {
    private static let schemes = [
        "jabber": "xmpp", "gtalk": "xmpp", "google talk": "xmpp", "yahoo": "ymsgr", "yahoo!": "ymsgr", "aim": "aim",
        "icq": "icq", "skype": "skype", "msn": "msnim", "qq": "qq",
    ]

    /// The services that phones know, as they write them, by name in lower case.
    private static let names: [String: String] = [
        "jabber": "Jabber", "xmpp": "Jabber", "skype": "Skype", "icq": "ICQ", "aim": "AIM", "msn": "MSN",
        "yahoo": "Yahoo",
        "google talk": "GoogleTalk", "googletalk": "GoogleTalk", "gadu-gadu": "GaduGadu", "gadugadu": "GaduGadu",
        "qq": "QQ",
        "facebook": "Facebook", "groupwise": "GroupWise", "matrix": "Matrix", "signal": "Signal",
        "telegram": "Telegram",
        "whatsapp": "WhatsApp", "threema": "Threema", "irc": "IRC", "sip": "SIP", "wire": "Wire", "line": "LINE",
        "wechat": "WeChat", "discord": "Discord", "mastodon": "Mastodon", "twitter": "Twitter", "linkedin": "LinkedIn",
        "instagram": "Instagram", "github": "GitHub", "gitlab": "GitLab", "flickr": "Flickr", "xing": "XING",
        "youtube": "YouTube", "reddit": "Reddit", "bluesky": "Bluesky", "zoom": "Zoom", "teams": "Teams",
        "viber": "Viber",
    ]

    /// The name of a service; nil for an unknown one.
    static func serviceName(_ label: String) -> String? { names[label.lowercased()] }

    /// Returns an address as typed as a URI of the service in `label`, such as `home jabber`; nil if the service is unknown and
    /// the address has no scheme.
    static func typed(_ value: String, label: String) -> String? {
        if WebAddress.hasScheme(value) { return value }
        let words = label.lowercased().split(separator: " ").drop { LabelWord.places.contains(String($0)) }
        let service = words.joined(separator: " ")
        guard names[service] != nil, !value.contains(where: \.isWhitespace) else { return nil }
        switch service {
        // matrix: URIs name users without their @ (MSC2312).
        case "matrix": return "matrix:u/\(value.hasPrefix("@") ? String(value.dropFirst()) : value)"
        case "xmpp": return "xmpp:\(value)"
        case "gadu-gadu", "gadugadu": return "gg:\(value)"
        case "googletalk": return "xmpp:\(value)"
        default: return link(value, service: service)
        }
    }

    /// Returns `value` as a URI of `service`; URIs are not changed.
    static func link(_ value: String, service: String) -> String {
        if value.contains(":") { return value }
        let service = service.lowercased()
        let word = service.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let scheme = schemes[service] ?? (word.isEmpty ? "im" : word)
        return "\(scheme):\(value)"
    }
}
