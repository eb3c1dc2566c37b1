import TextDecoding

/// The `TYPE` values that are shown as labels; locations come before devices.
enum LabelWord: String, CaseIterable, Sendable {
    case home, work, other, school, mobile, main, fax, pager, car, video, text, modem, homepage
    case iPhone

    /// The labels by `TYPE` value.
    static let byType = ASCIIWords<LabelWord?>([
        ("HOME", .home), ("WORK", .work), ("OTHER", .other), ("SCHOOL", .school), ("CELL", .mobile),
        ("MOBILE", .mobile), ("MAIN", .main), ("FAX", .fax), ("PAGER", .pager), ("CAR", .car), ("VIDEO", .video),
        ("TEXTPHONE", .text), ("MODEM", .modem), ("IPHONE", .iPhone), ("HOMEPAGE", .homepage),
        // Not shown for phone numbers.
        ("VOICE", nil), ("INTERNET", nil), ("MSG", nil), ("TEXT", nil), ("BBS", nil), ("ISDN", nil), ("PCS", nil),
        ("DOM", nil), ("INTL", nil), ("POSTAL", nil), ("PARCEL", nil), ("X400", nil), ("PREF", nil),
        ("QUOTED-PRINTABLE", nil), ("BASE64", nil), ("8BIT", nil), ("7BIT", nil), ("B", nil),
    ])

    /// The `TYPE` value for this label.
    var type: String {
        switch self {
        case .mobile: "CELL"
        case .text: "TEXTPHONE"
        default: rawValue.uppercased()
        }
    }

    /// The `TYPE` values of a label made only of known words, such as `work fax`; nil for a custom label.
    static func words(of label: String) -> [LabelWord]? {
        var words: [LabelWord] = []
        for word in label.split(separator: " ") {
            let lower = word.lowercased()
            guard let known = allCases.first(where: { $0.rawValue.lowercased() == lower }) ?? synonyms[lower] else {
                return nil
            }
            words.append(known)
        }
        return words
    }

    /// The labels of places, which properties other than phone numbers have.
    static let places: Set<String> = ["home", "work", "other", "school", "homepage"]

    private static let synonyms: [String: LabelWord] = ["cell": .mobile, "business": .work, "private": .home]
}

extension Card {
    /// The label and preference of a property: from its `TYPE`, bare words and `PREF`, or the custom label of its
    /// group.
    func typeWords(_ property: Property) -> TypeWords { TypeWords(property, of: self) }

    /// The custom label of a property's group (Apple's `X-ABLabel`); built-in ones as plain words.
    func customLabel(_ property: Property) -> String? {
        guard let label = companion(.appleLabel, of: property) else { return nil }
        let written = text(properties[label]).trimmed
        let bytes = written.utf8.span
        guard bytes.count >= 8, bytes.hasWord("_$!<", at: 0), bytes.hasWord(">!$_", at: bytes.count - 4) else {
            return written.isEmpty ? nil : written
        }
        let word = String(written.dropFirst(4).dropLast(4))
        switch word {
        case "HomeFAX", "HomeFax": return "home fax"
        case "WorkFAX", "WorkFax": return "work fax"
        case "HomePage": return "homepage"
        default: return word.lowercased()
        }
    }

    /// The index of the property of `kind` in the group of `property`.
    func companion(_ kind: PropertyKind, of property: Property) -> Int? {
        if property.group.isEmpty { return nil }
        if let members = groups.members(ofGroupOf: property, bytes) {
            return members.first { properties[$0].kind == kind }
        }
        return properties.firstIndex { $0.kind == kind && isSameGroup($0, property) }
    }

    /// The indices of the labels and countries in the group of `property`, in the order of the card.
    func companions(of property: Property) -> [Int] {
        members(ofGroupOf: property).filter { properties[$0].kind.isCompanion }
    }

    /// The indices of the properties in the group of `property`, in the order of the card; empty without a group.
    func members(ofGroupOf property: Property) -> [Int] {
        if property.group.isEmpty { return [] }
        return groups.members(ofGroupOf: property, bytes)
            ?? properties.indices.filter { isSameGroup(properties[$0], property) }
    }

    /// Whether two properties are in the same group; false without a group.
    func isSameGroup(_ left: Property, _ right: Property) -> Bool {
        guard !left.group.isEmpty, !right.group.isEmpty else { return false }
        guard left.flags.contains(.folded) || right.flags.contains(.folded) else {
            return bytes.span.extracting(left.group).equalsIgnoringCase(bytes.span.extracting(right.group))
        }
        return GroupIndex.key(bytes[left.group]) == GroupIndex.key(bytes[right.group])
    }
}

extension TypeWords {
    fileprivate init(_ property: Card.Property, of card: Card) {
        self.init()
        if !property.parameters.isEmpty {
            if property.flags.contains(.folded) {
                read(card.unfolded(property.parameters, property).span)
            } else {
                read(card.bytes.span.extracting(property.parameters))
            }
        }
        if property.kind == .messenger || property.kind == .socialProfile {
            let service = card.parameter("X-SERVICE-TYPE", of: property) ?? card.parameter("SERVICE-TYPE", of: property)
            if let service, !service.isEmpty { self.service = service.lowercased() }
        }
        if property.kind == .serviceMessenger {
            let name = card.name(property).uppercased()
            service = PropertyKind.messengerServices.first { $0.name == name }?.service
        }
        if !property.group.isEmpty { customLabel = card.customLabel(property) }
    }
}

/// An index of the properties of a card by group; those of a card with few groups are compared instead.
struct GroupIndex: Sendable {
    private var places: [[UInt8]: [Int]]?

    /// The maximum number of properties with a group that need no index.
    private static let few = 32

    /// Creates the index of `properties` in `bytes`.
    init(_ properties: [Card.Property], of bytes: [UInt8]) {
        guard properties.count > GroupIndex.few, properties.count(where: { !$0.group.isEmpty }) > GroupIndex.few else {
            return
        }
        var places: [[UInt8]: [Int]] = [:]
        for (place, property) in properties.enumerated() where !property.group.isEmpty {
            places[GroupIndex.key(bytes[property.group]), default: []].append(place)
        }
        self.places = places
    }

    /// The indices of the properties in the group of `property`, ignoring case; nil if there is no index.
    func members(ofGroupOf property: Card.Property, _ bytes: [UInt8]) -> [Int]? {
        places.map { $0[GroupIndex.key(bytes[property.group])] ?? [] }
    }

    /// The name of a group in upper case, without the folds of a long one.
    fileprivate static func key(_ group: ArraySlice<UInt8>) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(group.count)
        var isAfterFold = false
        for byte in group where byte != ASCII.cr {
            if byte == ASCII.lf {
                isAfterFold = true
            } else if isAfterFold, byte.isBlank {
                isAfterFold = false
            } else {
                isAfterFold = false
                key.append(byte.uppercasedASCII)
            }
        }
        return key
    }
}
