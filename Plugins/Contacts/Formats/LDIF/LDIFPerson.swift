import Text

/// The attributes of a person in the schemas of inetOrgPerson, Mozilla and Evolution.
struct LDIFPerson: Sendable {
    private var draft = CardDraft()
    private var commonName = ""
    private var addresses: [String: PostalAddress] = [:]
    private var birth: (year: Int?, month: Int?, day: Int?) = (nil, nil, nil)
    private var isGroup = false
    private var emails: Set<String> = []
    private var members: [String] = []

    /// Creates the contact with this UID.
    func draft(uid: ByteString) -> CardDraft {
        var draft = draft
        draft.details.uid = uid
        if draft.details.formattedName.isEmpty { draft.details.formattedName = commonName }
        if isGroup {
            draft.extras.append(.init(kind: .appleKind, value: .text("group")))
            draft.extras += members.map {
                .init(kind: .appleMember, value: .uri("urn:uuid:\(LDIFEntry.uid(of: $0))"))
            }
        } else if draft.details.name.isEmpty, !draft.details.formattedName.isEmpty {
            draft.details.name = StructuredName(parsing: draft.details.formattedName)
        }
        draft.details.addresses = ["home", "work", "other"].compactMap { label in
            guard var address = addresses[label], !address.isEmpty else { return nil }
            address.label = label
            return address
        }
        if let date = PartialDate(year: birth.year, month: birth.month, day: birth.day) {
            draft.details.birthday = .date(date)
        }
        return draft
    }

    /// Adds an attribute; further values of a single-valued one are ignored.
    mutating func set(_ attribute: LDIFLine.Attribute) {
        if attribute.name == "jpegphoto" { return draft.addPicture(attribute.bytes) }
        let text = attribute.text
        if text.isEmpty { return }
        if let label = LDIFPerson.phones[attribute.name] {
            draft.details.phones.append(LabeledValue(text, label: label))
        } else if let (label, part) = LDIFPerson.addressParts[attribute.name] {
            addresses[label, default: PostalAddress()][keyPath: part.path].addLine(text)
        } else if let label = LDIFPerson.wholeAddresses[attribute.name] {
            if addresses[label] == nil { addresses[label] = LDIFPerson.address(text) }
        } else if let label = LDIFPerson.relations[attribute.name] {
            draft.add(.appleRelated, text, label: label)
        } else if let label = LDIFPerson.links[attribute.name] {
            draft.details.urls.append(LabeledValue(text, label: label))
        } else {
            setField(attribute.name, text)
        }
    }

    private mutating func setField(_ name: String, _ text: String) {
        func first(_ field: inout String) { if field.isEmpty { field = text } }
        switch name {
        case "cn", "commonname": first(&commonName)
        case "displayname": first(&draft.details.formattedName)
        case "givenname", "gn": first(&draft.details.name.given)
        case "sn", "surname": first(&draft.details.name.family)
        case "personaltitle": first(&draft.details.name.prefix)
        case "generationqualifier": first(&draft.details.name.suffix)
        case "mail", "mozillasecondemail", "xmozillasecondemail", "rfc822mailbox":
            if emails.insert(text).inserted { draft.details.emails.append(LabeledValue(text)) }
        case "mozillanickname", "xmozillanickname": draft.details.nicknames.append(text)
        case "o", "organizationname", "company":
            draft.details.organization = [text] + draft.details.organization.dropFirst()
        case "ou", "orgunit", "department", "organizationalunitname":
            draft.details.organization = [draft.details.organization.first ?? "", text]
        case "title": first(&draft.details.title)
        case "businessrole": first(&draft.details.role)
        case "description", "notes", "note", "info":
            draft.details.note += draft.details.note.isEmpty ? text : "\n\n\(text)"
        case "category": draft.details.tags += text.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
        case "birthdate": setDay(text, "birthday")
        case "anniversary": setDay(text, "anniversary")
        case "birthyear": birth.year = Int(text)
        case "birthmonth": birth.month = Int(text)
        case "birthday": if let day = Int(text) { birth.day = day } else { setDay(text, "birthday") }
        case "fileas": draft.add(.sortString, text)
        case "nsaimid", "_aimscreenname": draft.details.messengers.append(LabeledValue("aim:\(text)"))
        case "objectclass": if ["groupofnames", "groupofuniquenames"].contains(text.lowercased()) { isGroup = true }
        case "member", "uniquemember": members.append(text)
        case let name where LDIFPerson.technical.contains(name): break
        default: draft.addCustom(name, text)
        }
    }

    private mutating func setDay(_ text: String, _ field: String) {
        let day = PartialDate(card: text).map(ContactDate.date) ?? .text(text)
        if day.date == nil { draft.doubts.append(.doubt("invalid \(field) \"\(text)\", kept as text")) }
        if field == "birthday" { draft.details.birthday = day } else { draft.details.anniversary = day }
    }

    /// An address with lines separated by `$` (RFC 4517 §3.3.28).
    private static func address(_ text: String) -> PostalAddress {
        var address = PostalAddress()
        address.street = text.replacing("$", with: "\n").split(separator: "\n").map(\.trimmed).joined(separator: "\n")
        return address
    }
}

extension LDIFPerson {
    private static let phones = [
        "telephonenumber": "work", "homephone": "home", "mobile": "mobile", "cellphone": "mobile", "pager": "pager",
        "pagerphone": "pager", "facsimiletelephonenumber": "work fax", "fax": "fax", "primaryphone": "main",
        "carphone": "car", "homefacsimiletelephonenumber": "home fax", "otherphone": "other",
        "otherfacsimiletelephonenumber": "other fax", "companyphone": "work main", "callbackphone": "Callback",
        "assistantphone": "Assistant", "telexnumber": "Telex", "internationalisdnnumber": "ISDN",
    ]

    private static let relations = [
        "managername": "manager", "assistantname": "assistant", "spousename": "spouse",
    ]

    private static let links = [
        "mozillaworkurl": "work", "workurl": "work", "mozillahomeurl": "home", "homeurl": "home", "labeleduri": "",
        "url": "",
    ]

    private static let wholeAddresses = [
        "postaladdress": "work", "homepostaladdress": "home", "otherpostaladdress": "other",
    ]

    /// Attributes of the entry, not of the person.
    private static let technical: Set<String> = [
        "changetype", "control", "modifytimestamp", "createtimestamp", "mozillausehtmlmail", "xmozillausehtmlmail",
        "uid", "entryuuid", "userpassword", "evolutionarbitrary",
    ]

    private static let addressParts: [String: (label: String, part: FlatColumns.AddressPart)] = [
        "street": ("work", .street), "streetaddress": ("work", .street), "mozillaworkstreet2": ("work", .street),
        "l": ("work", .locality), "localityname": ("work", .locality), "locality": ("work", .locality),
        "st": ("work", .region), "stateorprovincename": ("work", .region), "region": ("work", .region),
        "postalcode": ("work", .postalCode), "zip": ("work", .postalCode), "postofficebox": ("work", .postOfficeBox),
        "c": ("work", .country), "co": ("work", .country), "countryname": ("work", .country),
        "mozillahomestreet": ("home", .street), "homestreet": ("home", .street),
        "mozillahomestreet2": ("home", .street), "mozillahomelocalityname": ("home", .locality),
        "mozillahomestate": ("home", .region), "mozillahomepostalcode": ("home", .postalCode),
        "mozillahomecountryname": ("home", .country),
    ]
}
