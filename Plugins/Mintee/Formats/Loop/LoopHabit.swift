package import CivilDate

/// A habit of Loop Habit Tracker, as its CSV files and its database tell it.
package struct LoopHabit: Hashable, Sendable {
    /// What is entered for a day.
    package enum Mark: Hashable, Sendable {
        case unknown, skip
        /// Of a habit that is done or not: 0 no, 1 yes because another day covers it, 2 yes. Of one of amounts: the amount
        /// in thousandths.
        case number(Int)
    }

    /// One day.
    package struct Day: Hashable, Sendable {
        package var date: CivilDate
        package var mark: Mark
        package var note: String

        package init(_ date: CivilDate, _ mark: Mark, note: String = "") {
            self.date = date
            self.mark = mark
            self.note = note
        }
    }

    package var name: String
    /// Whether amounts are entered, and not yes or no.
    package var isNumerical = false
    package var question = ""
    package var description = ""
    /// So many times…
    package var times = 1
    /// …in so many days.
    package var days = 1
    package var color: LegendColor?
    package var unit = ""
    package var isAtMost = false
    package var targetValue = 0.0
    package var isArchived = false
    /// When to be reminded, in minutes after midnight.
    package var remindAt: Int?
    /// Whether the reminder comes on some days of the week only.
    package var hasReminderOnSomeDays = false
    /// The entered days, each once.
    package var entered: [Day] = []
    /// Whether only the table of its days is there, which tells neither a target nor how often it is asked for.
    package var isLone = false
    /// Whether the export has no table of its days.
    package var hasNoDays = false
    /// Where it stands.
    package var place = ImportPlace()

    package init(_ name: String) { self.name = name }

    /// The 20 colours of the app, by their number.
    package static let palette =
        ([

            0xD32F2F, 0xE64A19, 0xF57C00, 0xFF8F00, 0xF9A825, 0xAFB42B, 0x7CB342, 0x388E3C, 0x0089_7B, 0x00AC_C1,
            0x039B_E5,
            0x1976D2, 0x303F9F, 0x5E35B1, 0x8E24AA, 0xD81B60, 0x5D4037, 0x303030, 0x757575, 0xAAAAAA,
        ] as [UInt32]).map { LegendColor(rgba: $0 << 8 | 0xFF) }
}

extension LoopHabit {
    /// The habit as a task; see docs/mintee.md for what hub cannot carry.
    package func task(_ setting: ImportSetting) -> ImportedTask {
        var habit = HabitCollection(name, at: place)
        habit.notes = [question, description, unit.isBlank ? "" : "Unit: \(unit)"].filter { !$0.isBlank }
            .joined(separator: "\n")
        habit.isOver = isArchived
        habit.frequency = times > 0 && days > 0 ? HabitFrequency(times: times, days: days) : .daily
        if isNumerical { takeTarget(&habit) }
        if hasReminderOnSomeDays { habit.losses.append("its reminder comes on some days of the week, here every day") }
        if isLone { habit.losses.append("only the table of its days is there, not its target: due every day here") }
        if hasNoDays {
            habit.losses.append("its days are not there: no folder of its own, and no column in Checkmarks.csv")
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

    /// The target of a day. What is asked for in several days together is asked for of no single day.
    private func takeTarget(_ habit: inout HabitCollection) {
        let value = targetValue.isFinite ? targetValue : 0
        habit.target = isAtMost ? .atMost(value) : .atLeast(value)
        guard !habit.frequency.isDaily else { return }
        let amount = "\(NumberText.text(value))\(unit.isBlank ? "" : " \(unit)")"
        habit.losses.append(
            "\(isAtMost ? "at most" : "at least") \(amount) in \(days) days is asked for, which hub has no rule for: "
                + (isAtMost ? "here on each day" : "here any amount counts on its day"))
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
