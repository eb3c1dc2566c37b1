package import CivilDate

/// A day of a calendar of holidays.
package struct Holiday: Hashable, Sendable {
    /// The day.
    package let day: CivilDate
    /// The name; of several holidays on one day, all their names.
    package let name: String

    package init(_ day: CivilDate, _ name: String) {
        self.day = day
        self.name = name
    }
}

/// A calendar of holidays, which patterns can leave out.
package struct HolidayCalendar: Hashable, Sendable {
    /// The name, as patterns use it.
    package var name: String
    /// The file or address from which the holidays come.
    package var source: String
    /// The entity tag of the last answer of the address; nil for none.
    package var etag: String?
    /// The holidays by day, one for each day.
    package var holidays: [Holiday]

    package init(name: String, source: String, etag: String? = nil, holidays: [Holiday]) {
        self.name = name
        self.source = source
        self.etag = etag
        self.holidays = holidays
    }

    /// The name that stands for the only calendar.
    package static let defaultName = "holidays"
    /// The maximum length of a name, in characters.
    package static let maximumName = 60
    /// The maximum number of holidays.
    package static let maximumHolidays = 20_000

    /// Whether calendars can have this name: words of letters, digits and `-`, `_` or `.`, the first with a letter.
    package static func isName(_ name: String) -> Bool {
        let isAllowed = { (character: Character) in
            character.isLetter || character.isNumber || " -_.".contains(character)
        }
        return (1...maximumName).contains(name.count) && name.first?.isLetter == true && name.allSatisfy(isAllowed)
            && name.singleSpaced == name
    }

    /// Returns the form that all spellings of one name share.
    package static func folded(_ name: some StringProtocol) -> String { TagName.folded(name) }
}

/// The effects of new holidays on a calendar.
package struct HolidayChanges: Hashable, Sendable {
    /// A holiday on another day than before.
    package struct Move: Hashable, Sendable {
        /// The day before.
        package let from: CivilDate
        /// The holiday now.
        package let holiday: Holiday
    }

    /// All holidays after the change, ascending.
    package private(set) var holidays: [Holiday]
    /// New days.
    package private(set) var added: [Holiday] = []
    /// Days that are no longer holidays.
    package private(set) var removed: [Holiday] = []
    /// Days that were moved.
    package private(set) var moved: [Move] = []

    /// Replaces `old` holidays by `new` ones, each list ascending. Days before `today` stay holidays: calendars drop old
    /// years, and what was is not changed.
    package init(from old: [Holiday], to new: [Holiday], today: CivilDate) {
        let (before, after) = (Set(old.map(\.day)), Set(new.map(\.day)))
        holidays = (new + old.filter { $0.day < today && !after.contains($0.day) }).sorted { $0.day < $1.day }
        added = new.filter { !before.contains($0.day) }
        removed = old.filter { $0.day >= today && !after.contains($0.day) }
        for gone in removed {
            // The same name in the same year.
            let near = added.filter {
                $0.name == gone.name && abs($0.day.daysSinceEpoch - gone.day.daysSinceEpoch) < 183
            }
            guard
                let next = near.min(by: {
                    abs($0.day.daysSinceEpoch - gone.day.daysSinceEpoch)
                        < abs($1.day.daysSinceEpoch - gone.day.daysSinceEpoch)
                })
            else { continue }
            moved.append(Move(from: gone.day, holiday: next))
            added.removeAll { $0 == next }
            removed.removeAll { $0 == gone }
        }
    }

    /// Whether all days stay as they are; names may change.
    package var isEmpty: Bool { added.isEmpty && removed.isEmpty && moved.isEmpty }
}
