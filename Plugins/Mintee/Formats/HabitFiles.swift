package import Archive
package import CivilDate

/// Writes the files `habits` and `log` of harsh or habitctl.
package struct HabitFiles: Sendable {
    /// The programs with such files.
    package enum Program: String, Sendable { case harsh, habitctl }

    private let program: Program
    /// The lines of the habits below each heading; the first one has none.
    private var groups: [(heading: String?, lines: [String])] = [(nil, [])]
    private var log: [(day: CivilDate, line: String)] = []

    package init(_ program: Program) { self.program = program }

    /// Whether the program can represent the days and the target of a task without loss.
    package static func holds(_ draft: TaskDraft, in program: Program) -> Bool {
        guard case .recurring(_, _, let sets) = draft.schedule, sets.count == 1, sets[0].pattern == .daily,
            draft.tags.count <= (program == .harsh ? 1 : 0), draft.notes.isEmpty, !draft.name.contains(" : ")
        else { return false }
        let target = sets[0].target
        // A habit of harsh with amounts below 1 is reached by anything above 0.
        let isDone = target == .done || program == .harsh && target == Target(unchecked: .less, .none, 0, 0)
        guard let period = draft.period else { return isDone || target == .atLeast(0) }
        let isCounted = period.isRolling && period.measure == .days && period.target.minOperator == .lessOrEqual
        return isCounted && period.target.maxOperator == .none && isDone
            && (program == .harsh || period.target.min == 1)
    }

    /// Adds a task with its entries by day.
    package mutating func add(_ draft: TaskDraft, entries: [(day: CivilDate, entry: Entry)]) {
        let name = HabitFiles.line(draft.name).replacing(" : ", with: ": ")
        let isTracked = draft.period == nil && draft.schedule.sets.first?.target == .atLeast(0)
        let (times, days) = isTracked ? (0, 1) : draft.period?.frequency ?? LoopHabit.frequency(draft.schedule)
        var line: String
        switch program {
        case .harsh:
            line = "\(name): \(times == 0 ? "0" : times == 1 ? "\(days)" : "\(times)/\(days)")"
            if !draft.hasOpenEnd, case .recurring(_, let end, _) = draft.schedule { line += ": \(end)" }
        case .habitctl: line = "\(times == 0 ? 0 : max(1, days / times)) \(name)"
        }
        let heading = program == .harsh ? draft.tags.first.map { HabitFiles.line($0) } : nil
        if let index = groups.firstIndex(where: { $0.heading == heading }) {
            groups[index].lines.append(line)
        } else {
            groups.append((heading, [line]))
        }
        for (day, entry) in entries {
            let target = draft.target(on: day)
            log.append((day, program == .harsh ? harsh(name, day, entry) : habitctl(name, day, entry, target)))
        }
    }

    private func harsh(_ name: String, _ day: CivilDate, _ entry: Entry) -> String {
        let mark = entry.skipReason != nil ? "s" : entry.completion > 0 ? "y" : "n"
        let amount = mark == "y" && entry.completion != 1 ? NumberText.text(entry.completion) : ""
        let comment = HabitFiles.line(
            [entry.skipReason ?? "", entry.note ?? ""].filter { !$0.isEmpty }.joined(separator: "; "))
        var line = "\(day) : \(name) : \(mark)"
        // A comment that ends like an amount needs an empty one after it.
        let last = comment.components(separatedBy: " : ").last ?? ""
        let isLikeAmount = comment.contains(" : ") && (NumberText.number(last) != nil || last.isEmpty)
        if !comment.isEmpty || !amount.isEmpty { line += " : \(comment)" }
        if !amount.isEmpty { line += " : \(amount)" } else if isLikeAmount { line += " : " }
        return line
    }

    private func habitctl(_ name: String, _ day: CivilDate, _ entry: Entry, _ target: Target?) -> String {
        let isReached = entry.completion > 0 && Entry.category(of: entry.completion, target) == .reached
        return "\(day)\t\(name)\t\(entry.skipReason != nil ? "s" : isReached ? "y" : "n")"
    }

    /// The text in one line.
    private static func line(_ text: String) -> String { text.singleSpaced }

    /// The two files as a zip. Throws if it cannot be written.
    package func zip() throws(ArchiveError) -> [UInt8] {
        let writer = try ZipWriter()
        for (name, text) in [("habits", habits), ("log", days)] { try writer.add(ArchiveEntry(name, Array(text.utf8))) }
        try writer.finish()
        return writer.take()
    }

    /// The text of the file `habits`.
    package var habits: String {
        groups.filter { !$0.lines.isEmpty }.map { group in
            (group.heading.map { ["! \($0)"] } ?? []) + group.lines
        }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// The text of the file `log`; of habitctl with a blank line between days.
    package var days: String {
        let sorted = log.enumerated().sorted { ($0.element.day, $0.offset) < ($1.element.day, $1.offset) }.map(
            \.element)
        var text = ""
        for (index, item) in sorted.enumerated() {
            if program == .habitctl, index > 0, sorted[index - 1].day != item.day { text += "\n" }
            text += item.line + "\n"
        }
        return text
    }
}

extension String {
    fileprivate func components(separatedBy mark: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = self[...]
        while let range = rest.firstRange(of: mark) {
            parts.append(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return parts + [rest]
    }
}

extension ImportBundle {
    /// The bundle, or the files of a zip that has the files of harsh or habitctl.
    package var unpackingHabitFiles: ImportBundle {
        guard let file = single, file.bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]),
            let entries = try? ZipReader.read(
                file.bytes,
                limits: ArchiveLimits(fileBytes: ImportBundle.maximumLength, totalBytes: ImportBundle.maximumTotal))
        else { return self }
        let files = entries.map { File($0.path, $0.bytes) }
        return files.contains { $0.name == "habits" || $0.name == "log" } ? ImportBundle(name, files) : self
    }
}
