import ContactsDomain
import HubKit
import Storage

extension ContactsPlugin {
    /// What `hub export` writes: each card as it is stored, in a folder for each book, and what cards cannot hold.
    static let export = ExportDeclaration(
        "`BOOK/ID.vcf`: each contact as a vCard, in a folder for its address book",
        [
            ExportKind("address books", [ExportTable("contacts_local_book", item: "id")]),
            ExportKind("contacts", tables, files: files) { item, contents, transaction in
                guard let card = contents["card"] else { throw ExportKind.missing("card", of: item.id) }
                var item = item
                item.set("card", to: card, in: "contacts_contact")
                try transaction.insertItem(item, in: tables)
                try transaction.reindexItems([item.id])
            },
            ExportKind("pairs of different people", [ExportTable("contacts_apart", item: "pair")]),
            ExportKind("saved searches", [ExportTable("contacts_search", item: "id")]),
        ])

    // A book of an account belongs to this machine. A contact of one that comes back is in none.
    private static let tables = [
        ExportTable("contacts_contact", item: "id", omitting: ["card"], onlyBeginning: ["book": Book.localStart])
    ]

    private static let files: @Sendable (ItemRows, Transaction) throws -> [ExportFile] = { item, transaction in
        let found = try transaction.exportedCard(item.id)
        let book = try found.book.flatMap { try transaction.book($0)?.name } ?? "local"
        return [ExportFile("card", "\(book)/\(item.id).vcf", .bytes(found.card))]
    }
}
