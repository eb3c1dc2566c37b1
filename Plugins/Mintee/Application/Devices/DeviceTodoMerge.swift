import CivilDate
import Commands
import HubKit
import MinteeDomain
import Storage
import Sync

/// Stores a to-do of a device: what was changed in it since the version that the device was last given, by the merge that calendar
/// accounts use.
struct DeviceTodoMerge: Sendable {
    private let put: ServedPut
    private let sent: DeviceTodo
    private let base: DeviceTodo?
    private let window: SyncWindow
    private let boundary: DayBoundary

    init(_ put: ServedPut, _ sent: DeviceTodo, window: SyncWindow, boundary: DayBoundary) {
        self.put = put
        self.sent = sent
        self.window = window
        self.boundary = boundary
        base = DeviceTodo(stored: put.base)
    }

    private var uid: String { sent.todo.uid }

    /// What came of a merge.
    private struct Outcome {
        /// The task, or the to-do without one.
        var id: String
        /// The values that both sides had changed, in words.
        var conflicts: [String] = []
        /// What was not taken, in words.
        var ignored: [String] = []
    }

    func store(in transaction: Transaction) throws -> ServedPutResult {
        try transaction.settleServed(window)
        let name = put.name ?? "\(Identifier.make()).ics"
        var row = try transaction.servedTodo(name)
        let before = row?.item
        guard put.condition.holds(for: before?.entry) else { return .refused(before?.entry) }
        if let known = row, known.uid != uid {
            if before != nil { return .otherUID }
            // The name of something that is gone is free.
            row = nil
        }
        if let twin = try transaction.servedTodo(uid: uid), twin.name != name { return .sameUID(twin.name) }
        let lines = sent.merged(over: DeviceTodo(stored: row?.content), base: base, known: put.known)
        let outcome: Outcome
        if let day = TaskDay(uid: uid), let record = try transaction.task(day.taskID) {
            guard sent.isSingle else { return .invalid("the to-do of a day does not recur") }
            let ignored = transaction.refusal(of: day, of: record)
            outcome = try ignored.map { Outcome(id: record.id, ignored: [$0]) } ?? merge(day, record, in: transaction)
            if row == nil { row = try transaction.newServedTodo(name, record.id, uid: uid, day) }
        } else {
            outcome = try mergeOwn(row?.day == nil ? row : nil, in: transaction)
            if row == nil { row = try transaction.newServedTodo(name, outcome.id, uid: uid) }
        }
        try transaction.setServedContent(lines, of: name, task: outcome.id)
        try transaction.settleServed(window)
        return .stored(try report(outcome, name: name, lines: lines, before: before, in: transaction))
    }

    private func report(
        _ outcome: Outcome, name: String, lines: [UInt8], before: ServedItem?, in transaction: Transaction
    ) throws -> ServedPutReport {
        var item = try transaction.servedTodo(name)?.item
        if let stored = item, let before, stored.content == before.content, stored.content != put.content,
            let kept = DeviceTodo(stored: stored.content), !kept.saysSame(as: sent)
        {
            // The device has something else, and would not ask for what it had before.
            try transaction.setServedRendition(kept.stamped(transaction.now.milliseconds), of: name)
            item = try transaction.servedTodo(name)?.item
        }
        // A day that is not shown is stored, and the device is not told of it again.
        let entry =
            item?.entry
            ?? ServedEntry(
                name: name, id: outcome.id, etag: "", length: lines.count, changedAt: transaction.now.milliseconds)
        var report = ServedPutReport(entry, content: item?.content ?? [])
        (report.isNew, report.isChanged) = (before == nil, item?.content != before?.content)
        (report.conflicts, report.ignored, report.words) = (outcome.conflicts, outcome.ignored, sent.words)
        return report
    }

    /// The to-do as it is merged: the device wins, unless it named an older version.
    private func theirs(enteredAt: Int64, now: Int64) -> IncomingTodo {
        var todo = sent.incoming(knowing: base)
        todo.changedAt = put.keepsStored ? 0 : max(enteredAt, now)
        return todo
    }

    // MARK: Days of tasks

    private func merge(_ key: TaskDay, _ record: TaskRecord, in transaction: Transaction) throws -> Outcome {
        let now = transaction.now.milliseconds
        var outcome = Outcome(id: record.id)
        let scope = ReceivingScope(window: window, missing: [], sent: [:], now: now, boundary: boundary)
        let target = record.draft.target(on: key.date)
        let link = base?.link(of: key, target: target)
        switch try transaction.deviceTodo(key, of: record, window, also: scope.day(of: sent.todo)) {
        case .day(var ours):
            ours.link = link
            try merge(ours, record, &outcome, in: transaction)
        case .period(var ours):
            ours.link = link
            let merge = PeriodMerge(
                ours, sent.incoming(knowing: base), at: RemoteEntry(href: "", etag: "sent"), isSame: { _ in false })
            guard let edit = merge.edit else { break }
            let result = edit.result(
                in: ours, on: scope.day(of: sent.todo), at: scope.time(edit), today: window.today)
            for (date, taken) in result.taken.sorted(by: { $0.key < $1.key }) {
                try transaction.take(taken, record.id, date)
            }
            outcome.ignored += result.notices
        case nil: break
        }
        let seen = base?.todo
        for (field, isMoved) in [
            ("name", seen.map { $0.name != sent.todo.name } ?? false),
            ("day", seen.map { ($0.due ?? $0.date) != (sent.todo.due ?? sent.todo.date) } ?? false),
            ("tags", seen.map { Set($0.tags) != Set(sent.todo.tags) } ?? false),
        ] where isMoved {
            outcome.ignored.append("the \(field) of \(record.draft.name), which its task has")
        }
        return outcome
    }

    private func merge(
        _ ours: SyncDay, _ record: TaskRecord, _ outcome: inout Outcome, in transaction: Transaction
    ) throws {
        let now = transaction.now.milliseconds
        let merge = DayMerge(
            ours, theirs(enteredAt: ours.enteredAt, now: now), at: RemoteEntry(href: "", etag: "sent"),
            isSame: { _ in false })
        outcome.conflicts += merge.clashes
        guard merge.isTaken else { return }
        try transaction.take(
            ReceivingPlan.TakenEntry(entry: merge.entry?.bounded, changedAt: now), record.id, ours.day.date)
    }

    // MARK: To-dos that a device made

    /// Stores a to-do that a device made: as a task of its day, or as it is if it has none or recurs.
    private func mergeOwn(_ row: ServedTodo?, in transaction: Transaction) throws -> Outcome {
        let id = row?.task ?? Identifier.make()
        let record = try transaction.task(id)
        guard sent.isSingle, let date = sent.todo.due ?? sent.todo.date, TaskDraft.isNear(date) else {
            // A task needs a day.
            if let record {
                try transaction.trash(record)
                let other = Identifier.make()
                try transaction.setDeviceTodo(other, sent.content)
                return Outcome(id: other)
            }
            let stored = DeviceTodo(stored: row?.content)
            try transaction.setDeviceTodo(id, sent.merged(over: stored, base: base, known: put.known))
            return Outcome(id: id)
        }
        guard let record else {
            try transaction.setDeviceTodo(id, nil)
            return try create(date, in: transaction)
        }
        if record.deletedAt != nil {
            // Another task may have its name by now.
            if try transaction.taskID(named: record.draft.name) != nil { return try create(date, in: transaction) }
            try TaskRecord.kind.setDeleted(id, at: nil, in: transaction)
            try transaction.noteServedChanges(of: [id])
            try transaction.emit(MinteeEvents.taskAdded, record)
        }
        return try update(record, date, stored: DeviceTodo(stored: row?.content), in: transaction)
    }

    private func create(_ date: CivilDate, in transaction: Transaction) throws -> Outcome {
        let name = try transaction.freeName(DeviceTodo.name(sent.todo.name), on: date, of: nil)
        let draft = TaskDraft(name: name, tags: DeviceTodo.tags(sent.todo.tags), schedule: .dates([date]))
        let record = try transaction.createTask(draft)
        if let entry = sent.todo.entry(for: nil) {
            try transaction.take(
                ReceivingPlan.TakenEntry(entry: entry.bounded, changedAt: transaction.now.milliseconds), record.id, date
            )
        }
        return Outcome(id: record.id)
    }

    /// Changes the task of a to-do that a device made: name, day and tags are the device's too.
    private func update(
        _ record: TaskRecord, _ date: CivilDate, stored: DeviceTodo?, in transaction: Transaction
    ) throws -> Outcome {
        var outcome = Outcome(id: record.id)
        var draft = record.draft
        let seen = (base ?? stored)?.todo
        let old = record.draft.onlyDate ?? date
        /// Whether the device's value is taken, which it changed if `isMoved`; the person may have changed it too.
        func takes(_ field: String, _ isMoved: Bool, _ isOurs: Bool) -> Bool {
            guard isMoved else { return false }
            if isOurs { outcome.conflicts.append(field) }
            return !(isOurs && put.keepsStored)
        }
        let isOldName = seen.map { DeviceTodo.isName(record.draft.name, from: $0.name) } ?? false
        if takes(
            "name", seen?.name != sent.todo.name && !DeviceTodo.isName(draft.name, from: sent.todo.name), !isOldName)
        {
            draft.name = try transaction.freeName(DeviceTodo.name(sent.todo.name), on: date, of: record.id)
        }
        let seenDate = seen.flatMap { $0.due ?? $0.date }
        if takes("day", seenDate != date && old != date, seenDate != old) { draft.schedule = .dates([date]) }
        let (tags, ownTags) = (DeviceTodo.tags(sent.todo.tags), Set(draft.tags.map(TagName.folded)))
        let seenTags = Set(DeviceTodo.tags(seen?.tags ?? []).map(TagName.folded))
        if takes("tags", seenTags != Set(tags.map(TagName.folded)), seenTags != ownTags) { draft.tags = tags }
        if draft != record.draft {
            let entry = try transaction.entry(record.id, on: old)
            let dropped = draft.kept(of: try transaction.instanceDays(of: record.id)).dropped
            try transaction.updateTask(record.id, draft, losing: dropped)
            try transaction.reindexTasks([record.id])
            let updated = try transaction.liveTask(record.id)
            if let entry, let day = draft.onlyDate, day != old { try transaction.setEntry(entry, of: updated, on: day) }
            try transaction.emit(MinteeEvents.taskChanged, updated)
        }
        let updated = try transaction.liveTask(record.id)
        let day = updated.draft.onlyDate ?? date
        let key = TaskDay(record.id, day)
        if case .day(var ours)? = try transaction.syncedTodo(key, window, account: "") {
            ours.link = (base ?? stored)?.link(of: key, target: nil)
            try merge(ours, updated, &outcome, in: transaction)
        }
        return outcome
    }
}

extension Transaction {
    /// Why a change of a to-do cannot be stored; nil if it can.
    fileprivate func refusal(of day: TaskDay, of record: TaskRecord) -> String? {
        if record.deletedAt != nil { return "\(record.draft.name) is in the trash" }
        if !day.isPeriod, !record.draft.isDue(on: day.date) { return "\(record.draft.name) is not due on \(day.date)" }
        return nil
    }

    /// A day or period as it is merged with what a device sent.
    fileprivate func deviceTodo(
        _ key: TaskDay, of record: TaskRecord, _ window: SyncWindow, also day: CivilDate
    ) throws -> SyncedTodo? {
        try syncedTodo(key, window, account: "", also: key.isPeriod ? day : nil)
    }

    /// A name that no other live task has: with the day, and a number, if the name is taken.
    fileprivate func freeName(_ name: String, on date: CivilDate, of id: String?) throws -> String {
        func isFree(_ name: String) throws -> Bool { try taskID(named: name).map { $0 == id } ?? true }
        if try isFree(name) { return name }
        var (candidate, number) = ("\(name) \(date)", 1)
        while try !isFree(candidate) {
            number += 1
            candidate = "\(name) \(date) \(number)"
        }
        return candidate
    }
}
