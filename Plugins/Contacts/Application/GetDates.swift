package import CivilDate
package import ContactsDomain

/// The next occurrence of a day in a contact's life, which returns each year.
package struct UpcomingDate: Hashable, Sendable {
    /// The contact.
    package let contact: ContactSummary
    /// What the day is.
    package let occasion: Occasion
    /// The day of the occurrence.
    package let day: CivilDate
    /// The full years on that day, which for a birthday are the age; nil if the year is unknown.
    package let years: Int?
    /// The date in the card.
    package let date: PartialDate
    /// A text that changes with the picture of the contact; nil for no picture.
    package var photo: String?

    /// What a day is.
    package enum Occasion: Hashable, Sendable {
        case birthday, anniversary
        /// Another day with its label, which may be empty.
        case other(String)

        /// The occasion in words, such as `first met`.
        package var label: String {
            switch self {
            case .birthday: "birthday"
            case .anniversary: "anniversary"
            case .other(let label): label.isEmpty ? "date" : label
            }
        }
    }
}

extension ContactsPlugin {
    /// Returns the birthdays of `days` days from `start`, in order; 29 February is celebrated on the 28th in common
    /// years.
    package func birthdays(from start: CivilDate, days: Int) async throws -> [UpcomingDate] {
        try await upcoming(from: start, days: days, isOnlyBirthdays: true)
    }

    /// Returns the birthdays, anniversaries and other dates of `days` days from `start`, in order. Each returns every year,
    /// and none before its first one.
    package func dates(from start: CivilDate, days: Int) async throws -> [UpcomingDate] {
        try await upcoming(from: start, days: days, isOnlyBirthdays: false)
    }

    private func upcoming(from start: CivilDate, days: Int, isOnlyBirthdays: Bool) async throws -> [UpcomingDate] {
        guard days > 0 else { return [] }
        let end = start.adding(days: min(days, 366) - 1)
        let ranges = ContactsPlugin.ranges(from: start, to: end)
        let rows = try await contacts.read { transaction in
            try isOnlyBirthdays
                ? transaction.contacts(bornIn: ranges) : transaction.contacts(withDatesIn: ranges)
        }
        let found = rows.flatMap { row -> [UpcomingDate] in
            let details = row.card.details
            let summary = ContactSummary(id: row.id, details)
            var dates: [(UpcomingDate.Occasion, ContactDate)] = []
            if let date = details.birthday { dates.append((.birthday, date)) }
            if !isOnlyBirthdays {
                if let date = details.anniversary { dates.append((.anniversary, date)) }
                dates += details.dates.map { (.other($0.label), $0.date) }
            }
            return dates.compactMap { occasion, date in
                guard let date = date.date, let day = date.next(from: start), day <= end,
                    date.year.map({ $0 <= day.components.year }) ?? true
                else { return nil }
                return UpcomingDate(
                    contact: summary, occasion: occasion, day: day, years: date.age(on: day), date: date,
                    photo: row.photo)
            }
        }
        return found.enumerated().sorted {
            ($0.element.day.daysSinceEpoch, $0.offset) < ($1.element.day.daysSinceEpoch, $1.offset)
        }.map(\.element)
    }

    /// The days of the year between two days as ranges of month × 100 + day, split at the turn of the year.
    static func ranges(from start: CivilDate, to end: CivilDate) -> [ClosedRange<Int>] {
        func number(_ day: CivilDate) -> Int { day.components.month * 100 + day.components.day }
        // Birthdays on 29 February are looked up with the 28th in every year.
        let (first, last) = (number(start), number(end) == 228 ? 229 : number(end))
        if end.daysSinceEpoch - start.daysSinceEpoch >= 365 { return [101...1231] }
        return first <= last ? [first...last] : [101...last, first...1231]
    }
}
