import ContactsDomain
import HubKit

/// `hub contacts list`: lists the matching contacts by name.
enum ListCommand {
    private static let words = Arguments<String>("WORD", .zeroOrMore, help: "only contacts that match all words")
    private static let book = Option<String>(
        "book", "BOOK", help: "only contacts of this book or account; here: in no book",
        completion: BookSelection.completion)
    private static let sort = Option<ContactFilter.Order>("sort", "FIELD", help: "sort by name, created or changed")

    static let command = Command(
        "list", summary: "list contacts",
        examples: [
            Example("hub contacts list --tag work", "contacts with a tag"),
            Example("hub contacts list --book posteo", "contacts of an account"),
            Example("hub contacts list --sort changed --reverse --limit 10", "the ten last changed"),
        ],
        parameters: [
            words, ContactCommands.tags, book, sort, SharedOptions.reverse, SharedOptions.limit, SharedOptions.since,
            SharedOptions.until,
            SharedOptions.trash,
        ], fields: ContactListItem.fields
    ) { (contacts: ContactsPlugin, input: Input) in
        if input[SharedOptions.trash] {
            let trashed = try await contacts.entities.trash().map(\.summary)
            let shown = Array(trashed.prefix(input.rowLimit()))
            return .list(
                try await contacts.entities.listed(shown), ContactListItem.fields,
                count: Output.count(shown.count, of: trashed.count, "contacts"),
                empty: Diagnostic("No contacts in the trash")
            )
        }
        var filter = filter(input, contacts)
        if let word = input[book] { filter.books = try await BookSelection(contacts).ids(word) }
        let found = try await contacts.filter(filter)
        let rows = try await contacts.entities.listed(Array(found.prefix(input.rowLimit())))
        let isFiltered = filter != ContactFilter()
        return .list(
            rows, ContactListItem.fields, count: Output.count(rows.count, of: found.count, "contacts"),
            empty: isFiltered ? Diagnostic("No contacts match") : ContactsCommand.empty)
    }

    private static func filter(_ input: Input, _ contacts: ContactsPlugin) -> ContactFilter {
        var filter = ContactFilter()
        filter.words = SearchQuery(input[words].joined(separator: " "))
        filter.tags = input[ContactCommands.tags]
        let now = contacts.clock.now
        filter.since = input[SharedOptions.since]?.instant(now: now, in: .system).milliseconds
        filter.until = SharedOptions.end(of: input[SharedOptions.until], now: now)?.milliseconds
        filter.order = input[sort] ?? .name
        filter.isReversed = input[SharedOptions.reverse]
        return filter
    }
}

extension ContactFilter.Order: ChoiceArgument {}
