import Archive
import CivilDate
import MinteeDomain
import Storage

/// Writes the zip of Loop Habit Tracker, task by task. Entries determine the days, not the clock: the same store gives
/// the same bytes on every day.
actor LoopExport {
    private let store: Store
    private let wanted: [String]?
    private var rest: ArraySlice<TaskRecord>?
    private var tables = LoopTables(through: nil)
    private var writer: ZipWriter?
    private var isFinished = false

    init(_ store: Store, _ ids: [String]?) {
        self.store = store
        wanted = ids
    }

    /// The next bytes; nil at the end.
    func next() async throws -> [UInt8]? {
        if isFinished { return nil }
        if rest == nil { try await begin() }
        let record = rest?.popFirst()
        var files: [(path: String, bytes: [UInt8])] = []
        if let record {
            let habit = try await store.read { transaction in
                LoopHabit(
                    record.draft, entries: try transaction.entries(of: record.id),
                    summary: try transaction.summary(of: record.id) ?? TaskSummary())
            }
            files = tables.add(habit)
        } else {
            files = [tables.habits] + tables.matrices()
            isFinished = true
        }
        return try write(files)
    }

    private func begin() async throws {
        let wanted = wanted
        let (records, last) = try await store.read { transaction in
            let all = try transaction.tasks().sorted { $0.draft.name < $1.draft.name }
            let records = all.filter { wanted?.contains($0.id) ?? true }
            return (records, try records.compactMap { try transaction.lastEnteredDay(of: $0.id) }.max())
        }
        rest = records[...]
        tables = LoopTables(through: last)
    }

    private func write(_ files: [(path: String, bytes: [UInt8])]) throws -> [UInt8] {
        do throws(ArchiveError) {
            if self.writer == nil { self.writer = try ZipWriter() }
            guard let writer else { return [] }
            for file in files { try writer.add(ArchiveEntry(file.path, file.bytes)) }
            if isFinished { try writer.finish() }
            return writer.take()
        } catch {
            throw HubError(zip: error)
        }
    }
}

extension HubError {
    /// The error for a zip that cannot be written.
    init(zip error: ArchiveError) {
        self.init(
            .unavailable, code: "zip-failed", "cannot write a zip archive", details: ["\(error)"],
            hint: "run hub doctor to see what is missing")
    }
}
