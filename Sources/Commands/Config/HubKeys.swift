/// The settings of hub itself, which every plugin may read.
package enum HubKeys {
    /// The values of `hub.confirm`: when `rm` asks before it moves items to the trash.
    package enum Confirmation: String, CaseIterable, Sendable { case always, bulk, never }

    /// The first day of a week.
    package enum WeekStart: String, CaseIterable, Sendable { case mon, tue, wed, thu, fri, sat, sun }

    /// `hub.locale`: the locale for sorting, and for the decimal mark of numbers that a person types.
    package static let locale = ConfigKey(
        "hub.locale", .text(#"a locale such as "en_GB""#, isValid: isLocale), otherwise: "from LANG",
        help: "sorting, and the decimal mark of typed numbers", example: #""en_GB""#, scope: .hub)
    /// `hub.region`: the ISO 3166-1 code for phone numbers without a country code.
    package static let region = ConfigKey(
        "hub.region", .text(#"a two-letter country code such as "PL""#, isValid: isRegion),
        otherwise: "from the locale", help: "country of phone numbers without +", example: #""PL""#, scope: .hub)
    /// `hub.currency`: the currency of prices and values, in lower case.
    package static let currency = ConfigKey(
        "hub.currency", .text(#"a lower-case currency code such as "eur""#, isValid: isCurrency), default: "usd",
        help: "currency of prices and values", scope: .hub)
    /// `hub.week_start`: the first day of the week.
    package static let weekStart = ConfigKey(
        "hub.week_start", ConfigType<WeekStart>.word, default: .mon, help: "first day of the week", scope: .hub)
    /// `hub.confirm`: when `rm` asks for confirmation.
    package static let confirm = ConfigKey(
        "hub.confirm", ConfigType<Confirmation>.word, default: .always,
        help: "when rm asks; bulk means for three or more items", scope: .hub)

    /// `trash.days`: the number of days after which items in the trash are permanently deleted.
    package static let trashDays = ConfigKey(
        "trash.days", .integer(in: 1...3650), default: 30, help: "number of days that items stay in the trash",
        scope: .hub)

    /// All of them, in the order of the config file.
    package static let all: [any ConfigDeclaration] = [
        locale, region, currency, LiveKey(weekStart), LiveKey(confirm), trashDays,
    ]

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

extension Config {
    /// The decimal mark of numbers that a person types, by `hub.locale`.
    package var decimalMark: DecimalMark { DecimalMark(locale: self[HubKeys.locale]) }

    /// The decimal mark of the numbers in a request: its member `decimal_mark`, as a page sends it, or else that of
    /// `hub.locale`.
    package func decimalMark(of request: JSONValue) -> DecimalMark {
        request["decimal_mark"]?.string.flatMap { $0.count == 1 ? $0.first : nil }.flatMap(DecimalMark.init)
            ?? decimalMark
    }
}
