package import CivilDate
import Commands
import HubKit
package import MinteeDomain
package import Storage

/// A calendar of holidays with the tasks that leave it out.
package struct ListedHolidays: Sendable {
    /// The calendar.
    package let calendar: HolidayCalendar
    /// The names of live tasks that leave it out, in order.
    package let tasks: [String]
    /// The next holiday, which may be today; nil if there is none.
    package let next: Holiday?
}

/// The result of new holidays for a calendar.
package struct HolidayUpdate: Sendable {
    /// A filled day of a task that has become a holiday, on which the task stays due.
    package struct Worked: Hashable, Sendable {
        /// The name of the task.
        package let task: String
        /// The days.
        package let days: [CivilDate]
    }

    /// The calendar after the change.
    package let calendar: HolidayCalendar
    /// The changes of its days.
    package let changes: HolidayChanges
    /// The filled days on which tasks stay due.
    package let worked: [Worked]
}

extension MinteePlugin {
    /// Returns the calendars of holidays by name.
    package func holidays() async throws -> [ListedHolidays] {
        let today = day.today
        return try await store.read { transaction in
            try transaction.holidayCalendars().map { try transaction.listed($0, today: today) }
        }
    }

    /// Returns the calendar with this name, in any spelling; throws `not-found`.
    package func holidays(named name: String) async throws -> ListedHolidays {
        let today = day.today
        return try await store.read { try $0.listed(try $0.holidayCalendar(named: name), today: today) }
    }

    /// Adds a calendar with the holidays of a file or an address, as typed. Throws `invalid` (DP-8) for a name that patterns cannot
    /// have, and `conflict` for one that exists.
    package func addHolidays(
        _ name: String, from typed: String, operation: Operation
    ) async throws -> HolidayUpdate {
        let source = try HolidaySource(typed)
        guard HolidayCalendar.isTypable(name) else {
            throw HubError.breaking(
                "DP-8", name, "cannot name a calendar of holidays",
                hint: "use letters and digits, and no word for days, such as holidays or berlin")
        }
        let today = day.today
        try await store.read { transaction in
            guard try transaction.holidayCalendars(named: name).isEmpty else {
                throw HubError(
                    .conflict, code: "calendar-exists", "there is a calendar of holidays named \(name)",
                    hint: "hub mintee holidays refresh \(name) reads it again; rm removes it")
            }
        }
        guard case .changed(let bytes, let etag) = try await source.read(etag: nil) else { throw CancellationError() }
        let holidays = try MinteePlugin.read(bytes, of: source.location, today: today)
        return try await store.write(operation) { transaction in
            try transaction.apply(
                HolidayCalendar(name: name, source: source.location, etag: etag, holidays: []), holidays, today: today)
        }
    }

    /// Reads the source of a calendar again. Nothing is written if its days stay as they are.
    package func refreshHolidays(_ name: String, operation: Operation) async throws -> HolidayUpdate {
        let today = day.today
        let calendar = try await store.read { try $0.holidayCalendar(named: name) }
        let source = try HolidaySource(calendar.source)
        let unchanged = HolidayUpdate(
            calendar: calendar, changes: HolidayChanges(from: calendar.holidays, to: calendar.holidays, today: today),
            worked: [])
        guard case .changed(let bytes, let etag) = try await source.read(etag: calendar.etag) else { return unchanged }
        let holidays = try MinteePlugin.read(bytes, of: calendar.source, today: today)
        let planned = HolidayChanges(from: calendar.holidays, to: holidays, today: today)
        if planned.holidays == calendar.holidays { return unchanged }
        return try await store.write(operation) { transaction in
            var current = try transaction.holidayCalendar(named: name)
            current.etag = etag
            return try transaction.apply(current, holidays, today: today)
        }
    }

    /// Removes a calendar. Throws `conflict` while tasks leave it out.
    package func removeHolidays(_ name: String, operation: Operation) async throws -> HolidayCalendar {
        try await store.write(operation) { transaction in
            let calendar = try transaction.holidayCalendar(named: name)
            let tasks = try transaction.tasksLeavingOut(name).compactMap { try transaction.task($0)?.draft.name }
            guard tasks.isEmpty else {
                throw HubError(
                    .conflict, code: "calendar-in-use",
                    "\(calendar.name) is left out by \(tasks.joined(separator: ", "))",
                    hint: "change their days first: hub mintee edit \"\(tasks[0])\" --on PATTERN")
            }
            try transaction.removeHolidayCalendar(named: name)
            return calendar
        }
    }

    /// Reads all calendars that have an address again. A calendar that cannot be read is logged, and stays as it is.
    package func refreshSubscribedHolidays() async throws {
        for item in try await holidays() where item.calendar.source.contains("://") {
            do {
                _ = try await refreshHolidays(
                    item.calendar.name, operation: Operation("mintee holidays refresh", who: .service("mintee")))
            } catch let error as HubError {
                log.warning("holidays \(item.calendar.name): \(error.message)")
            }
        }
    }

    private static func read(_ bytes: [UInt8], of source: String, today: CivilDate) throws(HubError) -> [Holiday] {
        do throws(HolidayReader.Problem) {
            return try HolidayReader.read(bytes, today: today)
        } catch {
            throw HubError(
                .invalid, code: "calendar-invalid", "\(TerminalSanitizer.line(source)) is not a calendar of holidays",
                details: [error.words])
        }
    }
}

extension Transaction {
    fileprivate func listed(_ calendar: HolidayCalendar, today: CivilDate) throws -> ListedHolidays {
        let tasks = try tasksLeavingOut(calendar.name).compactMap { try task($0) }.filter { $0.deletedAt == nil }
        return ListedHolidays(
            calendar: calendar, tasks: tasks.map(\.draft.name).sorted(),
            next: calendar.holidays.first { $0.day >= today })
    }

    fileprivate func holidayCalendar(named name: String) throws -> HolidayCalendar {
        if let found = try holidayCalendars(named: name).first { return found }
        let known = try holidayCalendars().map(\.name)
        throw HubError(
            .notFound, code: "calendar-not-found",
            "there is no calendar of holidays named \(TerminalSanitizer.line(name))",
            hint: known.isEmpty
                ? "hub mintee holidays add NAME FILE adds one" : "the calendars are \(known.joined(separator: ", "))")
    }

    /// Stores a calendar with new holidays, and recomputes the tasks that leave it out. Filled days stay due.
    fileprivate func apply(
        _ calendar: HolidayCalendar, _ holidays: [Holiday], today: CivilDate
    ) throws -> HolidayUpdate {
        let changes = HolidayChanges(from: calendar.holidays, to: holidays, today: today)
        var calendar = calendar
        calendar.holidays = changes.holidays
        try setHolidayCalendar(calendar)
        let new = Set((changes.added + changes.moved.map(\.holiday)).map(\.day))
        var worked: [HolidayUpdate.Worked] = []
        for id in try tasksLeavingOut(calendar.name) {
            try reindexTasks([id])
            guard let record = try task(id), record.deletedAt == nil else { continue }
            try emit(MinteeEvents.taskChanged, record)
            let days = try workedHolidays(of: id).compactMap { CivilDate($0) }.filter(new.contains)
            if !days.isEmpty { worked.append(HolidayUpdate.Worked(task: record.draft.name, days: days)) }
        }
        return HolidayUpdate(calendar: calendar, changes: changes, worked: worked)
    }
}
