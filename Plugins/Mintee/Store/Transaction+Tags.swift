import MinteeDomain
import SQLite
package import Storage

/// Tags, which exist as long as a task has them.
extension Transaction {
    /// Sets the tags of the task `id`. An existing tag keeps its spelling; one that no task has any more is deleted,
    /// also from analyses.
    package func setTags(_ names: [String], of id: String) throws {
        try noteServedChange(of: id)
        let wanted = Dictionary(names.map { (TagName.folded($0), $0) }) { first, _ in first }
        let present = Set(try rows("SELECT tag FROM mintee_task_tag WHERE task = ?", id) { $0.text(0) })
        for tag in present.subtracting(wanted.keys).sorted() {
            try run("DELETE FROM mintee_task_tag WHERE task = ? AND tag = ?", id, tag)
            let isUsed = try row("SELECT 1 FROM mintee_task_tag WHERE tag = ? LIMIT 1", tag) { _ in true } ?? false
            if isUsed { continue }
            try run("DELETE FROM mintee_analysis_tag WHERE tag = ?", tag)
            try run("DELETE FROM mintee_tag WHERE folded = ?", tag)
        }
        for (folded, name) in wanted.sorted(by: { $0.key < $1.key }) where !present.contains(folded) {
            try run(
                "INSERT INTO mintee_tag (folded, name) VALUES (?, ?) ON CONFLICT (folded) DO NOTHING", folded,
                name.singleSpaced)
            try run("INSERT INTO mintee_task_tag (task, tag) VALUES (?, ?)", id, folded)
        }
    }

    /// Returns the tags of live tasks with their number of tasks, by name.
    package func taskTags() throws -> [TagUsage] {
        try rows(
            """
            SELECT mintee_tag.name, count(*) FROM mintee_tag JOIN mintee_task_tag ON tag = folded
                JOIN mintee_task t ON t.id = task WHERE t.deleted_at IS NULL GROUP BY folded ORDER BY folded
            """
        ) { TagUsage($0.text(0), count: $0.int(1)) }
    }

    /// Returns the stored spelling of the tag `name`; nil if no live task has it.
    package func tag(named name: String) throws -> String? {
        try row(
            """
            SELECT name FROM mintee_tag WHERE folded = ? AND EXISTS (SELECT 1 FROM mintee_task_tag
                JOIN mintee_task t ON t.id = task WHERE tag = folded AND t.deleted_at IS NULL)
            """, TagName.folded(name)
        ) { $0.text(0) }
    }
}
