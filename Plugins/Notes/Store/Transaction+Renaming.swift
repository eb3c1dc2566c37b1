import NotesDomain
import SQLite
import Storage
import TextCRDT

/// Edits that got the names of others: a store that was copied or is older than it was goes on under the agent of the other one.
extension Transaction {
    /// The most agents of one note that are renamed at once.
    private static let maximumRenamed = 64

    /// Gives the edits of a note that a patch has otherwise, under the same names, and those of the same agents after them, to
    /// agents of their own, so that both can be merged. The patch has all edits of its replica, which was last seen to have the
    /// version `shared`: what was typed since becomes one piece, although it may begin with the same letters.
    /// - Returns: whether the patch can be merged then.
    func renameConflicts(of id: String, with patch: NotePatch, since shared: NoteVersion) throws -> Bool {
        var document = try document(of: id)
        for _ in 0..<Self.maximumRenamed {
            guard let (field, event) = document.conflict(with: patch) else {
                try setText(CurrentTexts(document), of: document, id)
                return true
            }
            // It follows the old name directly, so what was inserted at the same place keeps its order.
            let following = "\(event.agent)!\(Identifier.make())"
            let agent = EventID.isAcceptable(agent: following) ? following : Identifier.make()
            let own = document[field].events(since: shared[field]).filter { $0.agent == event.agent }
            let first = min(event.sequence, own.map(\.sequences.lowerBound).min() ?? event.sequence)
            try document.rename(event.agent, from: first, to: agent, in: field)
            try TextLog(transaction: self, note: id).pack(document)
            try renameRows(of: id, field, EventID(agent: event.agent, sequence: first), to: agent)
            if try Self.machine(ofAgent: event.agent) == self.agent() { try renewAgent() }
        }
        return false
    }

    /// Changes what other tables say of the edits of an agent from `first` on.
    private func renameRows(of id: String, _ field: NoteField, _ first: EventID, to agent: String) throws {
        let (old, start) = (first.agent, first.sequence)
        for (table, columns, place) in [
            ("notes_batch", "note, field, agent, first, last, person, at, change", ""),
            ("notes_pending", "note, change, field, agent, first, last, person, at, inserted, deleted", ""),
            (
                "notes_effect", "edit, note, field, agent, first, last, in_force, place",
                "(SELECT 1 + max(e.place) FROM notes_effect e WHERE e.edit = notes_effect.edit)"
            ),
        ] {
            // The part of a row from the first renamed edit on becomes a row of its own.
            let values = columns.replacing("first", with: "?1").replacing("place", with: place)
            try run(
                """
                INSERT INTO \(table) (\(columns)) SELECT \(values) FROM \(table)
                WHERE note = ?2 AND field = ?3 AND agent = ?4 AND first < ?1 AND last >= ?1
                """, start, id, field.rawValue, old)
        }
        for table in ["notes_batch", "notes_pending", "notes_effect"] {
            try run(
                """
                UPDATE \(table) SET last = ? WHERE note = ? AND field = ? AND agent = ? AND first < ? AND last >= ?
                """, start - 1, id, field.rawValue, old, start, start)
            try run(
                """
                UPDATE \(table) SET agent = ?, first = first - ?, last = last - ?
                WHERE note = ? AND field = ? AND agent = ? AND first >= ?
                """, agent, start, start, id, field.rawValue, old, start)
        }
        for table in [
            "import", "mirror", "mirror_write", "read", "earlier_read", "remote", "sent",
        ] {
            let column = table == "import" ? field.rawValue : "\(field.rawValue)_version"
            for version in try rows(
                "SELECT DISTINCT \(column) FROM notes_\(table) WHERE note = ? AND instr(\(column), ?) > 0", id, old,
                body: { $0.text(0) })
            {
                let heads = Version(column: version).heads.map { head in
                    head.agent == old && head.sequence >= start
                        ? EventID(agent: agent, sequence: head.sequence - start) : head
                }
                try run(
                    "UPDATE OR REPLACE notes_\(table) SET \(column) = ? WHERE note = ? AND \(column) = ?",
                    Version(heads).column, id, version)
            }
        }
    }
}
