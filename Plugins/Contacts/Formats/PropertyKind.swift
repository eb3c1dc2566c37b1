/// The properties of vCard 2.1, 3.0 and 4.0 that hub reads, with extensions of Apple and others.
package enum PropertyKind: String, CaseIterable, Sendable {
    /// A line without a name, such as an empty one; it is kept unchanged.
    case unreadable = ""
    /// A property that hub stores without interpreting it.
    case unknown = "*"

    case begin = "BEGIN"
    case end = "END"
    case version = "VERSION"

    case formattedName = "FN"
    case name = "N"
    case nickname = "NICKNAME"
    case phone = "TEL"
    case email = "EMAIL"
    case address = "ADR"
    case addressLabel = "LABEL"
    case organization = "ORG"
    case title = "TITLE"
    case role = "ROLE"
    case birthday = "BDAY"
    case anniversary = "ANNIVERSARY"
    case url = "URL"
    case messenger = "IMPP"
    case note = "NOTE"
    case categories = "CATEGORIES"
    case kind = "KIND"
    case member = "MEMBER"
    case related = "RELATED"
    case sortString = "SORT-STRING"

    case uid = "UID"
    case revision = "REV"
    case product = "PRODID"
    case created = "CREATED"
    case lastModified = "LAST-MODIFIED"
    case radicaleName = "X-RADICALE-NAME"
    /// The `UID` of a card that was merged into this one, to recognise it when it is imported again.
    case mergedUID = "X-HUB-MERGED-UID"

    case photo = "PHOTO"
    case logo = "LOGO"
    case sound = "SOUND"
    case key = "KEY"
    case agent = "AGENT"
    case mailer = "MAILER"
    case classification = "CLASS"
    case sourceName = "NAME"
    case profile = "PROFILE"

    case appleLabel = "X-ABLABEL"
    case appleCountry = "X-ABADR"
    case appleShowAs = "X-ABSHOWAS"
    case appleDate = "X-ABDATE"
    case appleRelated = "X-ABRELATEDNAMES"
    case appleKind = "X-ADDRESSBOOKSERVER-KIND"
    case appleMember = "X-ADDRESSBOOKSERVER-MEMBER"
    case extendedAnniversary = "X-ANNIVERSARY"
    case evolutionAnniversary = "X-EVOLUTION-ANNIVERSARY"
    case socialProfile = "X-SOCIALPROFILE"
    /// A messenger that has a property of its own, as Evolution, KDE and Android write them; ``messengerServices`` has all.
    case serviceMessenger = "X-AIM"
    case phoneticGiven = "X-PHONETIC-FIRST-NAME"
    case phoneticAdditional = "X-PHONETIC-MIDDLE-NAME"
    case phoneticFamily = "X-PHONETIC-LAST-NAME"
    case maidenName = "X-MAIDENNAME"
    /// A field of another program without a vCard property; its name is the label of its group.
    case customField = "X-HUB-FIELD"

    /// The kinds by property name.
    static let byName = ASCIIWords(
        allCases.filter { ![.unreadable, .unknown, .serviceMessenger].contains($0) }.map { ($0.rawValue, $0) }
            + [("SOCIALPROFILE", .socialProfile)] + messengerServices.map { ($0.name, .serviceMessenger) })

    /// The names that stand for a messenger, with the service.
    static let messengerServices: [(name: String, service: String)] = [
        ("X-AIM", "aim"), ("X-ICQ", "icq"), ("X-JABBER", "jabber"), ("X-MSN", "msn"), ("X-YAHOO", "yahoo"),
        ("X-SKYPE", "skype"), ("X-SKYPE-USERNAME", "skype"), ("X-GADUGADU", "gadu-gadu"), ("X-GROUPWISE", "groupwise"),
        ("X-GOOGLE-TALK", "google talk"), ("X-GTALK", "google talk"), ("X-QQ", "qq"), ("X-TWITTER", "twitter"),
    ]

    /// Whether the property is a picture, a sound or a key, which is too long to show.
    package var isBinary: Bool {
        switch self {
        case .photo, .logo, .sound, .key: true
        default: false
        }
    }

    /// Whether the value is a birthday or an anniversary.
    package var isDate: Bool {
        switch self {
        case .birthday, .anniversary, .extendedAnniversary, .evolutionAnniversary: true
        default: false
        }
    }

    /// Whether the property annotates another one of its group and is removed with it.
    package var isCompanion: Bool { self == .appleLabel || self == .appleCountry }
}
