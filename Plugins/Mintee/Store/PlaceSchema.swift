import MinteeDomain
import SQLite
import Storage

/// The table of the places of tasks on a day; a task without section and number has no row.
package enum PlaceSchema {
    /// The SQL statements of the migration.
    package static let tables = """
        CREATE TABLE mintee_place (
            task TEXT PRIMARY KEY REFERENCES mintee_task(id),
            section TEXT CONSTRAINT I_11 CHECK (trim(section) <> ''),
            position INTEGER CONSTRAINT I_12 CHECK (position >= 0)
        ) STRICT, WITHOUT ROWID;
        """
}

/// The place of a task on a day.
struct TaskPlace: Hashable, Sendable {
    /// The section; nil for none.
    var section: String?
    /// The number in the manual order; nil for none.
    var position: Int?
}

extension Transaction {
    /// Returns the places of all tasks that have one, or of one task.
    func places(of id: String? = nil) throws -> [String: TaskPlace] {
        var found: [String: TaskPlace] = [:]
        try scan(
            "SELECT task, section, position FROM mintee_place\(id == nil ? "" : " WHERE task = ?")",
            arguments: id.map { [$0] } ?? []
        ) { row in
            found[row.text(0)] = TaskPlace(section: row.optionalText(1), position: row.optionalInt(2))
            return true
        }
        return found
    }

    /// Sets the section of a task; nil for none.
    func setSection(_ section: String?, of id: String) throws {
        var place = try places(of: id)[id] ?? TaskPlace()
        place.section = section
        try setPlace(place, of: id)
    }

    /// Sets the numbers of tasks in the manual order.
    func setPositions(_ positions: [(id: String, position: Int?)]) throws {
        let places = try places()
        for (id, position) in positions {
            var place = places[id] ?? TaskPlace()
            if place.position == position { continue }
            place.position = position
            try setPlace(place, of: id)
        }
    }

    private func setPlace(_ place: TaskPlace, of id: String) throws {
        if place == TaskPlace() {
            try run("DELETE FROM mintee_place WHERE task = ?", id)
        } else {
            try run(
                """
                INSERT INTO mintee_place (task, section, position) VALUES (?, ?, ?)
                ON CONFLICT (task) DO UPDATE SET section = excluded.section, position = excluded.position
                WHERE section IS NOT excluded.section OR position IS NOT excluded.position
                """, id, place.section, place.position)
        }
    }
}
