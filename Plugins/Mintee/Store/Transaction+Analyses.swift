import CivilDate
package import MinteeDomain
import SQLite
package import Storage

/// Analyses, summaries of tasks, and settings.
extension Transaction {
    /// Returns the analyses in list order: those on the home page first; with `inTrash` those in the trash.
    package func analyses(inTrash: Bool = false) throws -> [AnalysisRecord] {
        let found = try analysisRecords("deleted_at IS \(inTrash ? "NOT " : "")NULL")
        return AnalysisOrder.sorted(found, order: \.order)
    }

    /// Returns the analysis `id`, live or in the trash; nil if there is none.
    package func analysis(_ id: String) throws -> AnalysisRecord? { try analysisRecords("id = ?", id).first }

    /// Returns the id of the live analysis named `name`; nil if there is none.
    package func analysisID(named name: String) throws -> String? {
        try row("SELECT id FROM mintee_analysis WHERE name = ? AND deleted_at IS NULL", name) { $0.text(0) }
    }

    /// Stores a new analysis, not on the home page.
    package func insertAnalysis(_ id: String, _ analysis: Analysis) throws {
        let range = RangeColumns(analysis.range)
        try run(
            """
            INSERT INTO mintee_analysis (id, name, type, range_type, start_day, end_day, date_range, home, legend,
                revision, created_at, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, -1, ?, 1, ?, ?)
            """, id, analysis.name, analysis.kind.rawValue, range.type, range.start, range.end, range.days,
            LegendDocument.text(analysis.legend), now.milliseconds, now.milliseconds)
        try setAnalysisTags(analysis.tags, of: id)
    }

    /// Replaces the values of the analysis `id`.
    package func updateAnalysis(_ id: String, _ analysis: Analysis) throws {
        let range = RangeColumns(analysis.range)
        try run(
            """
            UPDATE mintee_analysis SET name = ?, type = ?, range_type = ?, start_day = ?, end_day = ?, date_range = ?,
                legend = ?, revision = revision + 1, changed_at = ? WHERE id = ?
            """, analysis.name, analysis.kind.rawValue, range.type, range.start, range.end, range.days,
            LegendDocument.text(analysis.legend), now.milliseconds, id)
        try setAnalysisTags(analysis.tags, of: id)
    }

    /// Sets the positions of analyses on the home page.
    package func setAnalysisOrders(_ orders: [(id: String, order: Int)]) throws {
        for (id, order) in orders {
            try run(
                """
                UPDATE mintee_analysis SET home = ?, revision = revision + 1, changed_at = ? WHERE id = ? AND home <> ?
                """, order, now.milliseconds, id, order)
        }
    }

    /// Removes the analysis `id` from the home page.
    package func hideAnalysis(_ id: String) throws { try run("UPDATE mintee_analysis SET home = -1 WHERE id = ?", id) }

    /// Permanently deletes the analysis `id`.
    package func destroyAnalysis(_ id: String) throws {
        try run("DELETE FROM mintee_analysis_tag WHERE analysis = ?", id)
        try run("DELETE FROM mintee_analysis WHERE id = ?", id)
    }

    /// Returns the chart settings for the progress of the task `id`.
    package func summary(of id: String) throws -> TaskSummary? {
        try row("SELECT type, start_day, end_day, date_range, legend FROM mintee_summary WHERE task = ?", id) { row in
            guard let kind = AnalysisKind(rawValue: row.int(0)),
                let range = AnalysisRange(row.optionalText(1), row.optionalText(2), row.int(3)),
                let legend = LegendDocument.legend(stored: row.text(4), family: "TSA").legend
            else { throw StoredValue.damaged("the summary of", id) }
            return TaskSummary(kind: kind, range: range, legend: legend)
        }
    }

    /// Stores the chart settings for the progress of the task `id`.
    package func setSummary(_ summary: TaskSummary, of id: String) throws {
        let range = RangeColumns(summary.range)
        try run(
            """
            INSERT INTO mintee_summary (task, type, start_day, end_day, date_range, legend) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (task) DO UPDATE SET type = excluded.type, start_day = excluded.start_day,
                end_day = excluded.end_day, date_range = excluded.date_range, legend = excluded.legend
            """, id, summary.kind.rawValue, range.start, range.end, range.days, LegendDocument.text(summary.legend))
    }

    /// Returns the value of a setting; nil if it was never set.
    package func setting(_ key: String) throws -> String? {
        try row("SELECT value FROM mintee_setting WHERE key = ?", key) { $0.text(0) }
    }

    /// Stores a setting.
    package func setSetting(_ key: String, to value: String) throws {
        try run(
            "INSERT INTO mintee_setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            key, value)
    }

    private func analysisRecords(_ condition: String, _ arguments: any Bindable...) throws -> [AnalysisRecord] {
        let found = try rows(
            """
            SELECT id, name, type, start_day, end_day, date_range, legend, home, revision, deleted_at
            FROM mintee_analysis WHERE \(condition) ORDER BY rowid
            """, arguments: arguments
        ) { row -> AnalysisRecord in
            guard let kind = AnalysisKind(rawValue: row.int(2)),
                let range = AnalysisRange(row.optionalText(3), row.optionalText(4), row.int(5)),
                let legend = LegendDocument.legend(stored: row.text(6)).legend
            else { throw StoredValue.damaged("the analysis", row.text(0)) }
            return AnalysisRecord(
                id: row.text(0), analysis: Analysis(name: row.text(1), kind: kind, range: range, legend: legend),
                order: row.int(7), revision: row.int(8),
                deletedAt: row.optionalInt(9).map { Instant(milliseconds: Int64($0)) })
        }
        return try found.map { record in
            var record = record
            record.analysis.tags = try rows(
                """
                SELECT name FROM mintee_analysis_tag JOIN mintee_tag ON folded = tag WHERE analysis = ? ORDER BY folded
                """, record.id
            ) { $0.text(0) }
            return record
        }
    }

    private func setAnalysisTags(_ tags: [String], of id: String) throws {
        try run("DELETE FROM mintee_analysis_tag WHERE analysis = ?", id)
        for tag in Set(tags.map(TagName.folded)).sorted() {
            try run("INSERT INTO mintee_analysis_tag (analysis, tag) VALUES (?, ?)", id, tag)
        }
    }
}

/// The columns of a range.
private struct RangeColumns {
    let type: Int
    let start: String?
    let end: String?
    let days: Int

    init(_ range: AnalysisRange) {
        switch range {
        case .dates(let from, let to): (type, start, end, days) = (0, from.description, to.description, 0)
        case .last(let count): (type, start, end, days) = (1, nil, nil, count)
        }
    }
}

extension AnalysisRange {
    /// Returns the range of stored columns; nil if they are invalid.
    fileprivate init?(_ start: String?, _ end: String?, _ days: Int) {
        if let start = start.flatMap({ CivilDate($0) }), let end = end.flatMap({ CivilDate($0) }) {
            self = .dates(from: start, to: end)
        } else if days > 0 {
            self = .last(days: days)
        } else {
            return nil
        }
    }
}
