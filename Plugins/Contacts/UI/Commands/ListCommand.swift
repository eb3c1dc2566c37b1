import Commands
import ContactsDomain
import HubKit

/// `hub contacts list`: lists the matching contacts by name.
enum ListCommand {
    private static let book = Option<String>(
        "book", "BOOK", help: "only contacts of this book or account; here: in no book",
        completion: BookSelection.completion)

    private static let group = GroupsCommands.filter

    static let command = ContactCommands.entity.listing(
        examples: [
            Example("hub contacts list --tag work", "contacts with a tag"),
            Example("hub contacts list --book posteo", "contacts of an account"),
            Example("hub contacts list org:acme no:email", "by fields, as in hub contacts search"),
            Example("hub contacts list --sort changed --reverse --limit 10", "the ten last changed"),
        ], by: ContactFilter.Order.self, parameters: [group, book], empty: ContactsCommand.empty
    ) { contacts, request, input in
        if request.isTrash {
            let found = try await contacts.entities.trash().map(\.summary)
            return (found, found.count)
        }
        var filter = ContactFilter()
        filter.query = try await contacts.query(request.words)
        filter.tags = request.tags
        filter.since = request.since?.milliseconds
        filter.until = request.until?.milliseconds
        filter.order = request.order
        filter.isReversed = request.isReversed
        if let word = input[book] { filter.books = try await BookSelection(contacts).ids(word) }
        filter.groups = try await GroupsCommands.ids(input[group], contacts, input)
        return try await contacts.list(filter, limit: request.limit == .max ? nil : request.limit)
    }
}

extension ContactFilter.Order: ChoiceArgument {}
