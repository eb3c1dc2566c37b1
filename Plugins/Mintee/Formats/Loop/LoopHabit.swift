package import CivilDate

/// A habit of Loop Habit Tracker, as in its CSV files and its database.
package struct LoopHabit: Hashable, Sendable {
    /// The entry of a day.
    package enum Mark: Hashable, Sendable {
        case unknown, skip
        /// For a yes-or-no habit: 0 no, 1 implied yes because another day covers it, 2 yes. For a habit of amounts: the
        /// amount in thousandths.
        case number(Int)
    }

    /// One day.
    package struct Day: Hashable, Sendable {
        /// The day of the entry.
        package var date: CivilDate
        /// The state or amount entered.
        package var mark: Mark
        /// The note of the day; may be empty.
        package var note: String

        package init(_ date: CivilDate, _ mark: Mark, note: String = "") {
            self.date = date
            self.mark = mark
            self.note = note
        }
    }

    /// The name of the habit.
    package var name: String
    /// Whether amounts are entered instead of yes or no.
    package var isNumerical = false
    /// The question that Loop asks in a reminder; may be empty.
    package var question = ""
    /// The notes of the habit; may be empty.
    package var description = ""
    /// The number of times…
    package var times = 1
    /// …per this number of days.
    package var days = 1
    /// The colour of the habit; nil if the file has none.
    package var color: LegendColor?
    /// The unit of amounts, such as `km`; may be empty.
    package var unit = ""
    /// Whether the target is a maximum instead of a minimum.
    package var isAtMost = false
    /// The target amount in ``unit``, for the period of the habit's frequency.
    package var targetValue = 0.0
    /// Whether the habit is archived; it is imported with an end date.
    package var isArchived = false
    /// The reminder time, in minutes after midnight.
    package var remindAt: Int?
    /// Whether the reminder is limited to some days of the week.
    package var hasReminderOnSomeDays = false
    /// The entered days, each once.
    package var entered: [Day] = []
    /// Whether only the table of its days is there, which tells neither a target nor how often it is asked for.
    package var isLone = false
    /// Whether the export has no table of its days.
    package var hasNoDays = false
    /// The position in the file.
    package var place = ImportPlace()

    package init(_ name: String) { self.name = name }

    /// The 20 colours of the app, by number.
    package static let palette =
        ([

            0xD32F2F, 0xE64A19, 0xF57C00, 0xFF8F00, 0xF9A825, 0xAFB42B, 0x7CB342, 0x388E3C, 0x0089_7B, 0x00AC_C1,
            0x039B_E5,
            0x1976D2, 0x303F9F, 0x5E35B1, 0x8E24AA, 0xD81B60, 0x5D4037, 0x303030, 0x757575, 0xAAAAAA,
        ] as [UInt32]).map { LegendColor(rgba: $0 << 8 | 0xFF) }
}

extension LoopHabit {
    /// Returns the habit as a task; see docs/mintee.md for data that hub cannot represent.
    package func task(_ setting: ImportSetting) -> ImportedTask {
        var habit = HabitCollection(name, at: place)
        habit.notes = [question, description, unit.isBlank ? "" : "Unit: \(unit)"].filter { !$0.isBlank }
            .joined(separator: "\n")
        habit.isOver = isArchived
        habit.frequency = times > 0 && days > 0 ? HabitFrequency(times: times, days: days) : .daily
        if isNumerical { takeTarget(&habit) }
        if hasReminderOnSomeDays {
            habit.losses.append("reminder on some days of the week only; imported for every day")
        }
        if isLone { habit.losses.append("the file contains its days only, no target; imported as due every day") }
        if hasNoDays {
            habit.losses.append("no entries found: neither a folder nor a column in Checkmarks.csv")
        }
        for day in entered {
            guard let entry = self.entry(day) else { continue }
            habit.entries[day.date] = entry
        }
        var task = habit.task(source: "loop:\(name)", setting)
        task.draft.remindAt = remindAt
        if let color {
            var legend = Legend.standard
            legend.categorized[0].color = color
            task.summary = TaskSummary(legend: legend)
        }
        return task
    }

    /// Sets the target of a day, or of several days together.
    private func takeTarget(_ habit: inout HabitCollection) {
        let value = targetValue.isFinite ? targetValue : 0
        habit.target = isAtMost ? .atMost(value) : .atLeast(value)
        guard !habit.frequency.isDaily else { return }
        if PeriodTarget.rollingDays.contains(days) {
            habit.period = PeriodTarget(habit.target, .sum, in: .days(days))
            habit.frequency = .daily
            if !isAtMost { habit.target = Target(unchecked: .less, .none, 0, 0) }
            return
        }
        let amount = "\(NumberText.text(value))\(unit.isBlank ? "" : " \(unit)")"
        habit.losses.append(
            "\(isAtMost ? "at most" : "at least") \(amount) in \(days) days cannot be represented; "
                + (isAtMost
                    ? "imported as a target for each day" : "imported so that any amount reaches the target of its day")
        )
        habit.frequency = .daily
        if !isAtMost { habit.target = Target(unchecked: .less, .none, 0, 0) }
    }

    private func entry(_ day: Day) -> Entry? {
        let note = day.note.isBlank ? nil : day.note
        switch day.mark {
        case .unknown: return note == nil ? nil : Entry(note: note)
        case .skip: return Entry(skipReason: "", note: note)
        case .number(let number):
            if isNumerical { return Entry(completion: Double(number) / 1000, note: note) }
            if number == 1 { return note == nil ? nil : Entry(note: note) }
            return Entry(completion: number == 2 ? 1 : 0, note: note)
        }
    }
}
