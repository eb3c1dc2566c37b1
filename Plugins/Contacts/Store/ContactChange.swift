package import ContactsDomain
import HubKit
import SQLite

/// The change of a contact by one operation, from the rows of history.
package struct ContactChange: Sendable {
    /// `made`, `changed`, `removed`, `restored` or `destroyed`.
    package let verb: String
    /// The changed fields.
    package let fields: [FieldChange]
}

extension [RowChange] {
    /// Creates the change from the contact's own row; nil if it is not among these.
    var contactChange: ContactChange? {
        guard let row = last(where: { $0.table == "contacts_contact" }) else { return nil }
        let first = first { $0.table == "contacts_contact" } ?? row
        let before = first.before["card"]?.bytes.map { Card($0).details } ?? ContactDetails()
        let after = row.after["card"]?.bytes.map { Card($0).details }
        let fields = after.map { before.changes(to: $0) } ?? []
        return ContactChange(verb: verb(first, row), fields: fields)
    }

    private func verb(_ first: RowChange, _ last: RowChange) -> String {
        switch last.kind {
        case .insert: return "made"
        case .delete: return "destroyed"
        case .update:
            guard let deleted = last.after["deleted_at"] else { return "changed" }
            return deleted == .null ? "restored" : "removed"
        }
    }
}

extension Value {
    /// The bytes of a blob.
    fileprivate var bytes: [UInt8]? {
        guard case .blob(let bytes) = self else { return nil }
        return bytes
    }
}

extension EntityRows {
    /// The card in the rows of a contact; nil if the contact did not exist.
    var contactCard: Card? { self["contacts_contact"]?.first?["card"]?.bytes.map { Card($0) } }
}
