import Commands
import ContactsDomain
import HubKit

/// `hub contacts list`: lists the matching contacts by name.
enum ListCommand {
    private static let book = Option<String>(
        "book", "BOOK", help: "only contacts of this book or account; here: in no book",
        completion: BookSelection.completion)

    static let command = ContactCommands.entity.list(
        examples: [
            Example("hub contacts list --tag work", "contacts with a tag"),
            Example("hub contacts list --book posteo", "contacts of an account"),
            Example("hub contacts list --sort changed --reverse --limit 10", "the ten last changed"),
        ], by: ContactFilter.Order.self, parameters: [book], empty: ContactsCommand.empty
    ) { contacts, request, input in
        if request.isTrash { return try await contacts.entities.trash().map(\.summary) }
        var filter = ContactFilter()
        filter.words = SearchQuery(request.words)
        filter.tags = request.tags
        filter.since = request.since?.milliseconds
        filter.until = request.until?.milliseconds
        filter.order = request.order
        filter.isReversed = request.isReversed
        if let word = input[book] { filter.books = try await BookSelection(contacts).ids(word) }
        return try await contacts.filter(filter)
    }
}

extension ContactFilter.Order: ChoiceArgument {}
