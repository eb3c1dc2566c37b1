import CivilDate
import MinteeDomain

/// What the edit of a period's to-do enters here.
struct PeriodEditResult: Sendable {
    /// The entries of the changed days.
    var taken: [CivilDate: ReceivingPlan.TakenEntry] = [:]
    /// Notices for the user, one sentence each.
    var notices: [String] = []
}

extension PeriodEdit {
    /// Returns what the edit enters for a period here.
    ///
    /// A completion is entered on the day on which it happened, as `done` does it; of a sum, it adds what is lacking. What was
    /// entered here later stays.
    /// - Parameters:
    ///   - day: The day of the edit.
    ///   - time: The time of the edit, in milliseconds since 1970 UTC.
    func result(in ours: SyncPeriod, on day: CivilDate, at time: Int64, today: CivilDate) -> PeriodEditResult {
        var days = PeriodDayEdits(ours, at: time)
        switch kind {
        case .completed: days.complete(day, note: note)
        case .reopened: days.clearLast()
        case .cancelled: days.skip(from: today)
        case .share(let percent): days.share(percent, on: day)
        case nil: break
        }
        if kind != .completed, let note { days.add(note, on: day) }
        return days.result
    }
}

/// Collects the changed days of one edit.
private struct PeriodDayEdits {
    private let ours: SyncPeriod
    private let time: Int64
    private(set) var result = PeriodEditResult()

    init(_ ours: SyncPeriod, at time: Int64) {
        self.ours = ours
        self.time = time
    }

    private var target: PeriodTarget { ours.progress.target }

    private mutating func take(_ entry: Entry?, on day: CivilDate) {
        if entry == ours.entries[day]?.entry { return }
        result.taken[day] = ReceivingPlan.TakenEntry(entry: entry?.bounded, changedAt: time)
    }

    mutating func complete(_ day: CivilDate, note: String?) {
        guard ours.draft.isDue(on: day) else {
            result.notices.append(
                "\(ours.draft.name) is not due on \(day); its completion in the calendar was not entered")
            return
        }
        let known = ours.entries[day]
        var entry = known?.entry ?? Entry()
        let isLater = (known?.changedAt ?? 0) > time
        let isSaid = entry.skipReason != nil || entry.completion != 0
        let dayTarget = ours.draft.target(on: day)
        let isReached =
            known != nil && entry.skipReason == nil && Entry.category(of: entry.completion, dayTarget) != .under
        if isLater, isSaid, !isReached || target.measure == .sum {
            let ours = entry.skipReason != nil ? "skip" : "value \(NumberText.text(entry.completion))"
            result.notices.append(
                "\(self.ours.draft.name), \(day): changed on both sides, completion from the calendar was replaced by \(ours) here"
            )
        } else {
            let value = entry.skipReason == nil ? entry.completion : 0
            entry.completion = completed(value, isReached: isReached, on: day, dayTarget)
            entry.skipReason = nil
        }
        entry.add(note)
        take(entry, on: day)
    }

    /// The value of a day that was completed: of a sum with what the period lacks, else the smallest that reaches the day.
    private func completed(_ value: Double, isReached: Bool, on day: CivilDate, _ dayTarget: Target?) -> Double {
        guard target.measure == .sum, ours.progress.days.contains(day) else {
            return isReached ? value : Completion.reaching(dayTarget)
        }
        return limited(value + target.missing(in: ours.progress), to: dayTarget, atLeast: value)
    }

    /// The value, but not more than the day allows; the rest is left for the next one.
    private func limited(_ wanted: Double, to dayTarget: Target?, atLeast value: Double) -> Double {
        guard let dayTarget, Entry.category(of: wanted, dayTarget) == .over else { return wanted }
        let most =
            dayTarget.minOperator == .equal ? dayTarget.min : dayTarget.max - (dayTarget.maxOperator == .less ? 1 : 0)
        return max(value, most)
    }

    /// Enters a percentage of the period on the day of the change: of days the nearest number of them, of a sum the
    /// difference. What that day cannot take is reported, since the file does not name any other.
    mutating func share(_ percent: Int, on day: CivilDate) {
        let progress = ours.progress
        guard let needed = progress.needed, needed > 0 else { return }
        let share = (needed * Double(percent)).rounded() / 100
        let wanted = target.measure == .days ? share.rounded() : share
        let known = ours.entries[day]
        func report(_ reason: String) {
            result.notices.append("\(ours.draft.name): \(percent) % in the calendar was not entered, \(reason)")
        }
        if wanted == progress.amount { return }
        guard ours.draft.isDue(on: day), progress.days.contains(day) else {
            return report(
                "it is not due on \(day) in \(progress.days.lowerBound)..\(progress.days.upperBound)")
        }
        guard (known?.changedAt ?? 0) <= time else { return report("\(day) was changed here later") }
        var entry = known?.entry ?? Entry()
        let before = entry.skipReason == nil ? entry.completion : 0
        let dayTarget = ours.draft.target(on: day)
        let isReached =
            known != nil && entry.skipReason == nil && Entry.category(of: before, dayTarget) == .reached
        var left = wanted - progress.amount
        switch target.measure {
        case .sum:
            let sum = max(0, before + left)
            entry.completion = left < 0 ? sum : limited(sum, to: dayTarget, atLeast: before)
            left -= entry.completion - before
        case .days where left > 0 && !isReached:
            entry.completion = Completion.reaching(dayTarget)
            left -= 1
        case .days where left < 0 && isReached:
            entry.completion = 0
            left += 1
        case .days: return report("only \(day) could be changed, which is \(isReached ? "reached" : "open")")
        }
        entry.skipReason = nil
        take(entry == Entry() ? nil : entry, on: day)
        if abs(left) > 1e-6 {
            let amount = NumberText.text(wanted)
            result.notices.append(
                "\(ours.draft.name): \(percent) % in the calendar is \(amount), and only \(day) was changed")
        }
    }

    /// Clears the last reached day, unless it was entered here later.
    mutating func clearLast() {
        let reached = ours.entries.filter { day, known in
            ours.progress.days.contains(day) && known.entry.skipReason == nil
                && Entry.category(of: known.entry.completion, ours.draft.target(on: day)) == .reached
        }
        guard let (day, known) = reached.max(by: { $0.key < $1.key }), known.changedAt <= time else { return }
        take(known.entry.note.map { Entry(note: $0) }, on: day)
    }

    /// Skips the days that are left without a value; of the last days, the current one alone.
    mutating func skip(from today: CivilDate) {
        let days = ours.progress.days
        let first = max(today, days.lowerBound)
        guard first <= days.upperBound else { return }
        for number in first.daysSinceEpoch...days.upperBound.daysSinceEpoch {
            let day = CivilDate(daysSinceEpoch: number)
            var entry = ours.entries[day]?.entry ?? Entry()
            guard ours.draft.isDue(on: day), entry.completion == 0, entry.skipReason == nil else { continue }
            entry.skipReason = ""
            take(entry, on: day)
        }
    }

    mutating func add(_ note: String, on day: CivilDate) {
        guard ours.draft.isDue(on: day) else {
            result.notices.append(
                "\(ours.draft.name) is not due on \(day); its description in the calendar was not entered")
            return
        }
        var entry = ours.entries[day]?.entry ?? Entry()
        if let taken = result.taken[day] { entry = taken.entry ?? Entry() }
        entry.add(note)
        take(entry, on: day)
    }
}

extension Entry {
    /// Adds a note to the one that is there.
    fileprivate mutating func add(_ text: String?) {
        guard let text else { return }
        guard let note, !note.isBlank else { return note = text }
        if !note.contains(text) { self.note = "\(note)\n\(text)" }
    }
}
