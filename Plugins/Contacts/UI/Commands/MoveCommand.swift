import ContactsDomain
import HubKit

/// `hub contacts move`: puts contacts into another book.
enum MoveCommand {
    private static let words = Arguments<String>(
        "SEL… BOOK", .oneOrMore, help: "contacts, then the book: account/book, its name, its account, or here")

    static let command = Command(
        "move", summary: "move contacts to another address book",
        discussion: [
            "The next sync sends them there and removes them where they were. here keeps them on this machine only."
        ],
        examples: [
            Example("hub contacts move lukasz posteo/Friends", "one contact"),
            Example("hub contacts move last here", "out of all books"),
        ], prominence: .more, parameters: [words], fields: ListedContact.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let given = input[words]
        guard given.count > 1, let last = given.last else {
            throw HubError(
                .usage, code: "missing-argument", "hub contacts move needs contacts and a book",
                hint: "hub contacts move \(given.first ?? "SEL") BOOK; hub contacts books list shows the books")
        }
        let book = try await contacts.resolveBook.one(last)
        let chosen = try await ContactSelection(contacts, input).contacts(Array(given.dropLast()))
        let place = book?.fullName ?? "no book, only here"
        let what = chosen.count == 1 ? chosen[0].name : "\(Numerals.grouped(chosen.count)) contacts"
        if input.dryRun { return .done("Would move \(what) to \(place)") }
        let moved = try await contacts.moveContacts(chosen.map(\.id), to: book, operation: Operation(input))
        if moved.isEmpty { return .done("Nothing changed") }
        let rows = try await contacts.listed(moved)
        let count = moved.count == 1 ? moved[0].name : "\(Numerals.grouped(moved.count)) contacts"
        var output = Output.report(rows, ListedContact.fields)
        output.human = ["\(count) moved to \(place); the next sync tells it. Undo: hub undo"]
        return output
    }
}
