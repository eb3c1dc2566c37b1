import CivilDate
import MinteeDomain

/// The last year of a task as a grid: a column for each week, a row for each day of the week.
struct YearGrid {
    private let timeline: Timeline
    private let today: CivilDate
    private static let weeks = 53

    init(_ timeline: Timeline, today: CivilDate) {
        self.timeline = timeline
        self.today = today
    }

    /// A line with the months, and one for each day of the week; as many weeks as so many columns hold.
    func lines(width: Int?) -> [String] {
        let room = max(3, (width ?? .max) - 5)
        let weeks = min(YearGrid.weeks, room)
        let monday = today.adding(days: 1 - today.weekday.rawValue)
        let first = monday.adding(days: -7 * (weeks - 1))
        var months = ""
        for week in 0..<weeks where week + 3 <= room {
            let (_, month, day) = first.adding(days: week * 7).components
            let name = CivilDate.monthNames[month - 1].prefix(3)
            if day <= 7, months.count <= week { months += String(repeating: " ", count: week - months.count) + name }
        }
        let rows = Weekday.allCases.map { weekday in
            let cells = (0..<weeks).map { week -> Character in
                let date = first.adding(days: week * 7 + weekday.rawValue - 1)
                if date > today || date < timeline.first { return " " }
                let state = timeline[date]
                return DayGlyphs.glyph(state, isOpen: date == today && state.isOpen)
            }
            let text = "  \(weekday.shortName.prefix(2)) \(String(cells))"
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
        return ["     " + months] + rows
    }
}
