import CivilDate
import HubKit
import MinteeDomain

/// `hub mintee show`: shows the details of a task.
enum ShowCommand {
    static let command = Command(
        "show", summary: "show a task with streaks, score and a year grid",
        examples: [
            Example("hub mintee show read", "details of a task"), Example("hub mintee show 7kt --json", "for a script"),
        ], parameters: [TaskSelection.many, SharedOptions.trash], fields: TaskView.fields
    ) { (mintee: MinteePlugin, input: Input) in
        let chosen = try await TaskSelection(mintee, input)
            .tasks(input[TaskSelection.many], inTrash: input[SharedOptions.trash])
        let short = try await mintee.shortenIDs(chosen.map(\.id))
        var shown: [TaskView] = []
        for record in chosen {
            shown.append(
                TaskView(details: try await mintee.getDetails(record.id), shortID: short[record.id] ?? record.id))
        }
        if let only = shown.first, shown.count == 1 {
            var output = Output.record(only, TaskView.fields)
            output.layout = { only.lines(width: $0) }
            return output
        }
        var output = Output(.rows(Rows(shown, TaskView.fields)))
        let all = shown
        output.layout = { width in Array(all.map { $0.lines(width: width) }.joined(separator: [""])) }
        return output
    }
}

/// A task with its details.
struct TaskView: Sendable {
    let details: GetTaskDetails.Details
    let shortID: String

    private var record: TaskRecord { details.task }
    private var standing: TaskStatistics { details.standing }
    private var listed: TaskListItem { TaskListItem(record: record, shortID: shortID) }

    static let fields =
        TaskListItem.fields.map { field in
            Field<TaskView>(field.descriptor.name, field.descriptor.title, help: field.descriptor.help) {
                field.value($0.listed)
            }
        } + [
            Field<TaskView>("streak", "STREAK", help: "number of consecutive due days reached") {
                .integer($0.standing.streak.current)
            },
            Field<TaskView>("longest_streak", "LONGEST", help: "longest streak so far") {
                .integer($0.standing.streak.longest)
            },
            Field<TaskView>("score", "SCORE", help: "score as computed by Loop Habit Tracker, 0 to 1") {
                .number(DecimalText.text($0.standing.score, digits: 4))
            },
            Field<TaskView>("reached", "REACHED", help: "number of due days reached in the last 28 days") {
                .integer($0.standing.reached)
            },
            Field<TaskView>("due", "DUE", help: "number of due days in the last 28 days") {
                .integer($0.standing.due)
            },
            Field<TaskView>(
                "buffer", "BUFFER", help: "due days that can be missed while staying at 80 % or above; null if below"
            ) { FieldValue($0.standing.buffer) },
            Field<TaskView>("rrule", "RRULE", help: "recurrence rule (RFC 5545) of each target set") {
                .list(TaskCalendar.rules(of: $0.record.draft).map { .text($0) })
            },
        ]

    /// The output for a terminal.
    func lines(width: Int?) -> [String] {
        var lines = Drawing.wrap("\(record.draft.name) (\(shortID))", width: width)
        func add(_ title: String, _ text: String) {
            if text.isEmpty { return }
            let start = "  \(title)\(String(repeating: " ", count: max(1, 9 - title.count)))"
            lines += Drawing.wrap(text, after: start, width: width)
        }
        switch record.draft.schedule {
        case .recurring(let start, let end, let sets):
            for (index, set) in sets.enumerated() { add(index == 0 ? "days" : "", "\(set)") }
            add("from", record.draft.hasOpenEnd ? "\(start), no end date" : "\(start) to \(end)")
        case .specific(let dates):
            add(
                "dates",
                dates.prefix(8).map(\.description).joined(separator: ", ")
                    + (dates.count > 8 ? " and \(dates.count - 8) more" : ""))
        }
        add("tags", record.draft.tags.joined(separator: ", "))
        add("remind", record.draft.remindAt.map(TaskListItem.clock) ?? "")
        add("notes", record.draft.notes)
        add("streak", "\(standing.streak.current), longest \(standing.streak.longest)")
        let share = standing.due == 0 ? "" : ", \(DecimalText.percent(standing.reached, of: standing.due))"
        add("reached", "\(standing.reached) of \(standing.due) in \(TaskStatistics.window) days\(share)")
        add("score", DecimalText.text(standing.score * 100, digits: 1) + " %")
        if standing.due > 0 {
            let goal = Int(TaskStatistics.goal * 100)
            add(
                "buffer",
                standing.buffer.map { "can miss \($0) more and stay at \(goal) % or above" }
                    ?? "below \(goal) %")
        }
        return lines + [""] + YearGrid(details.timeline, today: details.today).lines(width: width)
    }
}

/// Lines that fit a terminal.
enum Drawing {
    /// `text` behind `start`, in lines of at most `width` columns that are broken at blanks and begin below each other; a longer
    /// word is broken where its line ends.
    static func wrap(_ text: String, after start: String = "", width: Int?) -> [String] {
        guard let width, DisplayWidth.of(start) + DisplayWidth.of(text) > width else { return [start + text] }
        let indent = start.isEmpty ? 2 : DisplayWidth.of(start)
        let margin = String(repeating: " ", count: indent)
        let room = max(8, width - indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ").flatMap({ pieces(of: $0, room) }) {
            if !line.isEmpty, DisplayWidth.of(line) + 1 + DisplayWidth.of(word) > room {
                lines.append((lines.isEmpty ? start : margin) + line)
                line = ""
            }
            line += line.isEmpty ? word : " " + word
        }
        return lines + [(lines.isEmpty ? start : margin) + line]
    }

    /// A text cut into pieces of at most `room` columns.
    static func pieces(of text: some StringProtocol, _ room: Int) -> [String] {
        var (pieces, piece, used) = ([String](), "", 0)
        for character in text {
            let columns = DisplayWidth.of(character)
            if used + columns > room {
                pieces.append(piece)
                (piece, used) = ("", 0)
            }
            piece.append(character)
            used += columns
        }
        return pieces + [piece]
    }
}

/// Formats numbers with a fixed number of decimals.
enum DecimalText {
    /// Formats a number, rounded half away from zero.
    static func text(_ number: Double, digits: Int) -> String {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        let whole = Int((abs(number) * scale).rounded())
        let text = String(repeating: "0", count: max(0, digits + 1 - String(whole).count)) + String(whole)
        let sign = number < 0 && whole > 0 ? "-" : ""
        return digits == 0 ? sign + text : "\(sign)\(text.dropLast(digits)).\(text.suffix(digits))"
    }

    /// Formats a percentage with one decimal: `82.5 %`.
    static func percent(_ part: Int, of whole: Int) -> String {
        text(whole == 0 ? 0 : Double(part) * 100 / Double(whole), digits: 1) + " %"
    }
}

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
