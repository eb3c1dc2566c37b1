/// A birthday or anniversary as cards hold it: a date, or words about one.
package enum ContactDate: Hashable, Sendable {
    /// A date of which parts may be unknown.
    case date(PartialDate)
    /// Free text, such as `circa 1800`, or a date that the calendar does not have.
    case text(String)

    /// The date, or nil for free text.
    package var date: PartialDate? {
        if case .date(let date) = self { date } else { nil }
    }
}

extension ContactDate: CustomStringConvertible {
    /// The date as `PartialDate` writes it, free text in quotes: what a person types to get the same value back.
    package var description: String {
        switch self {
        case .date(let date): date.description
        case .text(let text): "\"\(text)\""
        }
    }
}
