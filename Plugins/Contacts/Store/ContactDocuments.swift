import ContactsDomain
import Storage

/// What hubs exchange of contacts: the whole card, whether it is in the trash, and in which book of no account it is. In which address book of
/// which account a contact is, stays with the machine that has the account.
enum ContactDocuments {
    static let all = [
        DocumentKind(
            "contact-books",
            tables: [DocumentTable("contacts_local_book", subject: "id", rules: ["created_at": .least])],
            uniqueName: "name"),
        DocumentKind(
            "contacts", noun: ("contact", "contacts"),
            tables: [
                DocumentTable(
                    "contacts_contact", subject: "id",
                    rules: [
                        "card": .merged { try merge($0) }, "revision": .revision, "book": .beginning(Book.localStart),
                        "created_at": .least, "changed_at": .greatest, "deleted_at": .trash, "origin": .note,
                    ], groups: [["origin", "imported", "origins"]])
            ], match: ["source"]),
        DocumentKind("contacts-apart", tables: [DocumentTable("contacts_apart", subject: "first")]),
        DocumentKind("contacts-searches", tables: [DocumentTable("contacts_search", subject: "id")]),
    ]

    /// Merges two versions of a card as a sync with an account does. Of a conflict both values are kept where that is possible, else the
    /// other machine's.
    private static func merge(_ conflict: CellConflict) throws -> CellMerge {
        let (ours, theirs) = (Card(conflict.ours), Card(conflict.theirs))
        // Without a common version each value was added, and none is removed.
        let base =
            conflict.base.map { Card($0) } ?? Card("BEGIN:VCARD\r\nVERSION:\(ours.version.rawValue)\r\nEND:VCARD\r\n")
        let found = CardMerge(ours: ours, ourBase: base, theirBase: base, theirs: theirs)
        if found.conflicts.isEmpty { return CellMerge(found.card.bytes) }
        let choices = Dictionary(
            found.conflicts.map { ($0.name, $0.canKeepBoth ? CardMerge.Choice.both : .there) }, uniquingKeysWith: { $1 }
        )
        let merged = CardMerge(
            ours: ours, ourBase: base, theirBase: base, theirs: theirs,
            choices: CardMerge.Choices(.there, byField: choices))
        return CellMerge(
            merged.card.bytes,
            lost: found.conflicts.filter { !$0.canKeepBoth }.map {
                "\($0.name) \($0.ours ?? "removed"), now \($0.theirs ?? "removed")"
            })
    }
}
