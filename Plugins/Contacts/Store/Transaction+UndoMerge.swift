import ContactsDomain
import SQLite
import Storage

/// Undo and redo of a contact that was changed later, by a sync for example.
extension Transaction {
    /// Applies a change of undo or redo to a contact as it is now, three ways: other values of the card are kept. Returns the
    /// values that were changed later and therefore stay; nil if the change cannot be made.
    func mergeOutdatedChange(_ change: OutdatedChange) throws -> [String]? {
        guard change.table == "contacts_contact", case .text(let id)? = change.key.first, let now = try contact(id)
        else { return nil }
        // A contact that was deleted later would change unseen in the trash.
        guard now.deletedAt == nil || change.wanted["deleted_at"] != nil else { return nil }
        var merged = now.card
        var kept: [String] = []
        if case .blob(let before)? = change.expected["card"], case .blob(let after)? = change.wanted["card"] {
            let (base, wanted) = (Card(before), Card(after))
            let merge = CardMerge(ours: now.card, ourBase: base, theirBase: base, theirs: wanted)
            merged = merge.card.recordingMerges(of: wanted, since: base)
            kept = merge.conflicts.map { "\($0.name) \($0.ours ?? "removed")" }
        }
        let isEdited = merged.bytes != now.card.bytes
        var columns: [(name: String, value: Value)] = []
        for (column, wanted) in change.wanted.sorted(by: { $0.key < $1.key }) {
            switch column {
            case "card", "revision", "changed_at": continue
            // The imported state is stored as long as the card differs from it.
            case "imported" where change.wanted["card"].map { $0 != .blob(merged.bytes) } ?? false: continue
            default: break
            }
            let current = try row("SELECT \(column) FROM contacts_contact WHERE id = ?", id) { $0.value(0) }
            if current == wanted { continue }
            guard current == change.expected[column] else { return nil }
            columns.append((column, wanted))
        }
        if !isEdited, columns.isEmpty { return kept.isEmpty ? [] : nil }
        if isEdited { columns.append(("card", .blob(merged.revised(at: self.now.milliseconds).bytes))) }
        let assignments = columns.map { "\($0.name) = ?, " }.joined()
        try run(
            "UPDATE contacts_contact SET \(assignments)revision = revision + 1, changed_at = ? WHERE id = ?",
            arguments: columns.map(\.value) + [self.now.milliseconds, id])
        return kept
    }
}
