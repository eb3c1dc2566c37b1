/// The columns of Outlook and Thunderbird: one per value, with names such as `Business Phone 2`, in any known language.
struct FlatColumns: Sendable {
    private let names: [String]
    private let meanings: [Meaning]

    /// The indices of the date columns.
    var datePlaces: [Int] { meanings.indices.filter { if case .day = meanings[$0] { true } else { false } } }

    /// Creates the columns with these titles, of which `mapped` are known; nil if too few of them are.
    init?(_ header: [String], mapped: [ColumnMapping] = []) {
        names = header.map(\.trimmed)
        let english = names.map { Meaning(named: $0.lowercased()) }
        func known(_ meanings: [Meaning]) -> Int { meanings.count { $0 != .custom } }
        var best = english
        for language in ColumnLanguage.all {
            let meanings = zip(language.meanings(of: names), english).map { $0 == .custom ? $1 : $0 }
            if known(meanings) > known(best) { best = meanings }
        }
        for (place, name) in names.enumerated() {
            if let mapping = mapped.last(where: { $0.applies(to: name) }) { best[place] = mapping.meaning }
        }
        meanings = best
        let isNamed = meanings.contains { [.given, .family, .formattedName].contains($0) }
        let hasEmail = meanings.contains { if case .email = $0 { true } else { false } }
        let hasPhone = meanings.contains { if case .phone = $0 { true } else { false } }
        if !mapped.isEmpty {
            guard mapped.allSatisfy({ names.contains(where: $0.applies) }), isNamed || hasEmail || hasPhone else {
                return nil
            }
            return
        }
        let count = known(meanings)
        // Other tables may also have a name column; with an address or a number it is an address book.
        let isAddressBook =
            isNamed && (hasEmail || hasPhone) || count >= 3 || count == names.count && (count >= 2 || hasEmail)
        guard isNamed || hasEmail, isAddressBook else { return nil }
    }

    /// The names of the columns that are kept as text and have a value in a row.
    func customNames(in cells: [String]) -> [String] {
        zip(names, zip(meanings, cells)).compactMap { name, cell in
            cell.0 == .custom && !cell.1.trimmed.isEmpty && !FlatColumns.isNoise(cell.1.trimmed) ? name : nil
        }
    }

    /// Returns the row as a contact.
    func draft(_ cells: [String], _ dates: SlashDates) -> CardDraft {
        var draft = CardDraft()
        var addresses: [String: PostalAddress] = [:]
        var birth: (year: Int?, month: Int?, day: Int?) = (nil, nil, nil)
        for (place, cell) in cells.enumerated() where place < names.count {
            let text = cell.trimmed
            if text.isEmpty { continue }
            switch meanings[place] {
            case .formattedName: draft.details.formattedName = text
            case .given: draft.details.name.given = text
            case .additional: draft.details.name.additional = text
            case .family: draft.details.name.family = text
            case .prefix: draft.details.name.prefix = text
            case .suffix: draft.details.name.suffix = text
            case .nickname: draft.details.nicknames.append(text)
            case .company: draft.details.organization = [text] + draft.details.organization.dropFirst()
            case .department: draft.details.organization = [draft.details.organization.first ?? "", text]
            case .title: draft.details.title = text
            case .role: draft.details.role = text
            case .email(let label): draft.details.emails.append(LabeledValue(text, label: label))
            case .phone(let label): draft.details.phones.append(LabeledValue(text, label: label))
            case .mainPhone: draft.details.phones.append(LabeledValue(text, preference: 1))
            case .url(let label): draft.details.urls.append(LabeledValue(text, label: label))
            case .address(let label, let part):
                addresses[label, default: PostalAddress()][keyPath: part.path].addLine(text)
            case .day(let label):
                guard let (day, doubt) = dates.day(text, field: label) else { continue }
                if label == "birthday" { draft.details.birthday = day } else { draft.addDay(day, label: label) }
                if let doubt { draft.doubts.append(doubt) }
            case .birthYear: birth.year = Int(text)
            case .birthMonth: birth.month = Int(text)
            case .birthDay: birth.day = Int(text)
            case .tags:
                draft.details.tags += text.split { $0 == ";" || $0 == "," }.map(\.trimmed).filter { !$0.isEmpty }
            case .note: draft.details.note += draft.details.note.isEmpty ? cell : "\n\n\(cell)"
            case .relation(let label): draft.add(.appleRelated, text, label: label)
            case .ignored: break
            case .custom: if !FlatColumns.isNoise(text) { draft.addCustom(names[place], cell) }
            }
        }
        if let date = PartialDate(year: birth.year, month: birth.month, day: birth.day) {
            draft.details.birthday = .date(date)
        }
        draft.details.addresses = ["home", "work", "other", ""].compactMap { label in
            guard var address = addresses[label] else { return nil }
            address.label = label
            return address
        }
        return draft
    }

    /// Placeholders that Outlook writes for empty values.
    private static func isNoise(_ text: String) -> Bool {
        ["normal", "false", "unspecified", "smtp"].contains(text.lowercased())
    }
}

extension FlatColumns {
    /// A part of a postal address.
    enum AddressPart: Hashable {
        case postOfficeBox, extended, street, locality, region, postalCode, country

        var path: WritableKeyPath<PostalAddress, String> {
            switch self {
            case .postOfficeBox: \.postOfficeBox
            case .extended: \.extended
            case .street: \.street
            case .locality: \.locality
            case .region: \.region
            case .postalCode: \.postalCode
            case .country: \.country
            }
        }
    }

    /// The meaning of a column.
    enum Meaning: Hashable {
        case formattedName, given, additional, family, prefix, suffix, nickname, company, department, title, role
        case email(String), phone(String), mainPhone, url(String), address(String, AddressPart), day(String)
        case birthYear, birthMonth, birthDay, tags, note, relation(String)
        /// Not about the person.
        case ignored
        /// A value without a vCard property.
        case custom

        /// Returns the meaning of a column by its lower-case name.
        init(named name: String) {
            if let known = Meaning.byName[name] {
                self = known
                return
            }
            // Address columns have many names, such as `Email Home`, `E-mail (work)` and `Email 2`.
            let words = name.replacing("e-mail", with: "email").split { !$0.isLetter && !$0.isNumber }.map(String.init)
            let kinds = [
                "home": "home", "personal": "home", "private": "home", "work": "work", "business": "work",
                "other": "other",
            ]
            let rest = words.filter { !["email", "address"].contains($0) && Int($0) == nil }
            if words.contains("email"), rest.allSatisfy({ kinds[$0] != nil }), rest.count <= 1 {
                self = .email(rest.first.flatMap { kinds[$0] } ?? "")
            } else {
                self = .custom
            }
        }

        /// The meanings by the lower-case names of columns.
        static let byName: [String: Meaning] = {
            var table: [String: Meaning] = [
                "display name": .formattedName, "name": .formattedName, "full name": .formattedName,
                "first name": .given, "middle name": .additional, "last name": .family,
                "title": .prefix, "suffix": .suffix, "nickname": .nickname, "company": .company,
                "organization": .company, "department": .department, "job title": .title, "profession": .role,
                "e-mail address": .email(""), "e-mail 2 address": .email(""), "e-mail 3 address": .email(""),
                "primary email": .email(""), "secondary email": .email(""), "email address": .email(""),
                "business phone": .phone("work"), "business phone 2": .phone("work"), "work phone": .phone("work"),
                "home phone": .phone("home"), "home phone 2": .phone("home"), "mobile phone": .phone("mobile"),
                "mobile number": .phone("mobile"), "phone": .phone(""), "phone number": .phone(""),
                "telephone": .phone(""), "mobile": .phone("mobile"), "car phone": .phone("car"),
                "company main phone": .phone("work main"),
                "business fax": .phone("work fax"), "home fax": .phone("home fax"), "other fax": .phone("other fax"),
                "fax number": .phone("fax"), "other phone": .phone("other"), "pager": .phone("pager"),
                "pager number": .phone("pager"), "primary phone": .mainPhone, "callback": .phone("Callback"),
                "isdn": .phone("ISDN"), "radio phone": .phone("Radio"), "telex": .phone("Telex"),
                "tty/tdd phone": .phone("text"), "assistant's phone": .phone("Assistant"), "web page": .url(""),
                "web page 1": .url("work"), "web page 2": .url("home"), "personal web page": .url("home"),
                "business web page": .url("work"), "birthday": .day("birthday"), "anniversary": .day("anniversary"),
                "birth year": .birthYear, "birth month": .birthMonth, "birth day": .birthDay, "categories": .tags,
                "notes": .note, "note": .note, "spouse": .relation("spouse"), "children": .relation("child"),
                "manager's name": .relation("manager"), "assistant's name": .relation("assistant"),
                "e-mail type": .ignored, "e-mail 2 type": .ignored, "e-mail 3 type": .ignored,
                "e-mail display name": .ignored, "e-mail 2 display name": .ignored, "e-mail 3 display name": .ignored,
            ]
            for (word, label) in [("business", "work"), ("work", "work"), ("home", "home"), ("other", "other")] {
                for (title, part) in [
                    ("street", AddressPart.street), ("street 2", .street), ("street 3", .street), ("address", .street),
                    ("address 2", .street), ("city", .locality), ("state", .region), ("postal code", .postalCode),
                    ("zipcode", .postalCode), ("country", .country), ("country/region", .country),
                    ("address po box", .postOfficeBox),
                ] { table["\(word) \(title)"] = .address(label, part) }
            }
            return table
        }()
    }
}
