import CivilDate

/// The frequency of a habit: a number of times in a number of days.
struct HabitFrequency: Hashable, Sendable {
    /// The number of times; 0 for a habit that is only tracked.
    let times: Int
    /// The number of days, 1 or more.
    let days: Int

    static let daily = HabitFrequency(times: 1, days: 1)
    static let tracked = HabitFrequency(times: 0, days: 1)

    /// Whether the habit is due every day.
    var isDaily: Bool { times >= days }

    /// The frequency in words: `3 times in 7 days`.
    var text: String {
        "\(times == 1 ? "once" : "\(times) times") in \(days) days"
    }

    /// Returns the target of every day; any value is enough if the habit is only tracked.
    func target(_ target: Target) -> Target { times == 0 ? .atLeast(0) : target }

    /// The target over several days; nil for a daily or tracked habit, and for one of more days than a period can have.
    var period: PeriodTarget? {
        times == 0 || isDaily || !PeriodTarget.rollingDays.contains(days)
            ? nil : PeriodTarget(.atLeast(Double(times)), in: .days(days))
    }

    /// A description of the frequency if hub cannot represent it; weekdays are never guessed.
    var losses: [String] {
        times == 0 || isDaily || period != nil ? [] : ["\(text) cannot be represented; imported as due every day"]
    }
}

/// A habit while its lines are read.
struct HabitCollection {
    var name: String
    var tags: [String] = []
    var notes = ""
    var frequency = HabitFrequency.daily
    var target = Target.done
    /// The target over several days, if the frequency does not say it.
    var period: PeriodTarget?
    /// The start date, if the file has one.
    var start: CivilDate?
    /// The end date; nil for none.
    var end: CivilDate?
    /// Whether the habit ended, on the day of its last entry.
    var isOver = false
    var entries: [CivilDate: Entry] = [:]
    var losses: [String] = []
    var place: ImportPlace

    init(_ name: String, at place: ImportPlace) {
        self.name = name
        self.place = place
    }

    /// Returns the habit as a task that is due every day from its first entry on.
    func task(source: String, _ setting: ImportSetting) -> ImportedTask {
        let near = entries.keys.filter { ImportedTasks.years.contains($0.components.year) }
        let (first, last) = (near.min(), near.max())
        let begin = [start, first].compactMap(\.self).min() ?? min(setting.today, end ?? setting.today)
        let fixed = end ?? (isOver ? last ?? begin : nil)
        let finish = max(fixed ?? max(begin, setting.today).adding(days: TaskRecord.openDays), last ?? begin, begin)
        let draft = TaskDraft(
            name: name, tags: tags,
            schedule: .recurring(from: begin, to: finish, [TargetSet(.daily, frequency.target(target))]),
            period: period ?? frequency.period, hasOpenEnd: fixed == nil, notes: notes)
        return ImportedTask(
            source: source, draft: draft, entries: entries, losses: frequency.losses + losses, place: place)
    }
}
