package import CivilDate
package import ContactsDomain

/// The next birthday of a contact.
package struct UpcomingBirthday: Hashable, Sendable {
    /// The contact.
    package let contact: ContactSummary
    /// The day of the birthday.
    package let day: CivilDate
    /// The age on that day; nil if the year of birth is unknown.
    package let age: Int?
    /// The date in the card.
    package let born: PartialDate
}

extension ContactsPlugin {
    /// Returns the birthdays of `days` days from `start`, in order; 29 February is celebrated on the 28th in common
    /// years.
    package func birthdays(from start: CivilDate, days: Int) async throws -> [UpcomingBirthday] {
        guard days > 0 else { return [] }
        let end = start.adding(days: min(days, 366) - 1)
        let rows = try await contacts.read { try $0.contacts(bornIn: ContactsPlugin.ranges(from: start, to: end)) }
        return rows.compactMap { row -> (UpcomingBirthday, order: Int)? in
            let details = row.card.details
            guard let born = details.birthday?.date, let day = born.next(from: start), day <= end else { return nil }
            let birthday = UpcomingBirthday(
                contact: ContactSummary(id: row.id, details), day: day, age: born.age(on: day), born: born)
            return (birthday, day.daysSinceEpoch)
        }
        .enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.map(\.element.0)
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
