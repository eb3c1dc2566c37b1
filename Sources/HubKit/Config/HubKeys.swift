/// The settings of all of hub, which every plugin may read.
package enum HubKeys {
    /// When `rm` asks before things go to the trash.
    package enum Confirmation: String, CaseIterable, Sendable { case always, bulk, never }

    /// The first day of a week.
    package enum WeekStart: String, CaseIterable, Sendable { case mon, tue, wed, thu, fri, sat, sun }

    package static let locale = ConfigKey(
        "hub.locale", .text(#"a locale such as "en_GB""#, isValid: isLocale), otherwise: "from LANG",
        help: "sorting and numbers on a terminal", example: #""en_GB""#, scope: .hub)
    package static let region = ConfigKey(
        "hub.region", .text(#"a country in two capitals, such as "PL""#, isValid: isRegion),
        otherwise: "from the locale", help: "the country of a phone number without +", example: #""PL""#, scope: .hub)
    package static let currency = ConfigKey(
        "hub.currency", .text(#"a currency in small letters, such as "eur""#, isValid: isCurrency), default: "usd",
        help: "what prices and values are shown in", scope: .hub)
    package static let weekStart = ConfigKey(
        "hub.week_start", ConfigType<WeekStart>.word, default: .mon, help: "the first day of a week", scope: .hub)
    package static let confirm = ConfigKey(
        "hub.confirm", ConfigType<Confirmation>.word, default: .always,
        help: "when rm asks; bulk is from three things up", scope: .hub)

    package static let trashDays = ConfigKey(
        "trash.days", .integer(in: 1...3650), default: 30,
        help: "how many days the trash keeps what was deleted", scope: .hub)

    package static let all: [any ConfigDeclaration] = [locale, region, currency, weekStart, confirm, trashDays]

    /// `en`, `en_GB`, `sr_RS@latin`, `C`: language, country, codeset and modifier as in setlocale(3).
    @Sendable private static func isLocale(_ text: String) -> Bool {
        if text == "C" || text == "POSIX" { return true }
        let language = text.prefix { $0.isASCII && $0.isLowercase }
        let rest = text[language.endIndex...]
        let country = rest.hasPrefix("_") ? rest.dropFirst().prefix(2) : ""
        let tail = country.isEmpty ? rest : rest.dropFirst(3)
        return (2...3).contains(language.count) && (country.isEmpty || isRegion(String(country)))
            && (tail.isEmpty || tail.hasPrefix(".") || tail.hasPrefix("@"))
    }

    @Sendable private static func isRegion(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains)
    }

    @Sendable private static func isCurrency(_ text: String) -> Bool {
        (2...10).contains(text.utf8.count) && text.utf8.allSatisfy((UInt8(ascii: "a")...UInt8(ascii: "z")).contains)
    }
}
