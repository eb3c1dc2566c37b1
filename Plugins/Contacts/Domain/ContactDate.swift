/// A birthday or anniversary: a date, or free text.
package enum ContactDate: Hashable, Sendable {
    /// A date with possibly unknown parts.
    case date(PartialDate)
    /// Free text, such as `circa 1800`, or a date that does not exist.
    case text(String)

    /// The date, or nil for free text.
    package var date: PartialDate? {
        if case .date(let date) = self { date } else { nil }
    }
}

extension ContactDate: CustomStringConvertible {
    /// The date as `PartialDate` formats it, free text in quotes; parsing it gives the same value.
    package var description: String {
        switch self {
        case .date(let date): date.description
        case .text(let text): "\"\(text)\""
        }
    }
}
