import ContactsDomain
import SQLite
import Storage

extension [RowChange] {
    /// The changed fields of a contact, from the change of its row; nil if it is not among these.
    var contactChanges: [FieldChange]? {
        guard let row = last(where: { $0.table == "contacts_contact" }) else { return nil }
        let first = first { $0.table == "contacts_contact" } ?? row
        guard let after = row.after["card"]?.bytes.map({ Card($0) }) else { return [] }
        return first.before["card"]?.bytes.map { Card($0).changes(to: after) }
            ?? Card.empty(after.version).changes(to: after)
    }
}

extension EntityRows {
    /// The card in the rows of a contact; nil if the contact did not exist.
    var contactCard: Card? { self["contacts_contact"]?.first?["card"]?.bytes.map { Card($0) } }
}

extension Value {
    /// The bytes of a blob.
    fileprivate var bytes: [UInt8]? {
        guard case .blob(let bytes) = self else { return nil }
        return bytes
    }
}
