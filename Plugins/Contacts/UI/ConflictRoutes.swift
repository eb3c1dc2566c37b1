import Commands
import ContactsDomain
import HubKit

/// The HTTP routes of conflicts, for the web page.
enum ConflictRoutes {
    static let all = [
        Route(
            .get, "/api/contacts/conflicts", summary: "list open conflicts with both versions",
            fields: ConflictView.fields
        ) {
            (contacts: ContactsPlugin, _) in
            .output(.list(try await contacts.shown(try await contacts.conflicts()), ConflictView.fields))
        },
        Route(
            .get, "/api/contacts/conflicts/{id}", summary: "show both versions of a contact",
            fields: ConflictView.fields
        ) {
            (contacts: ContactsPlugin, request) in
            let shown = try await contacts.shown([try await contacts.conflict(of: try request.id)])
            return .output(.record(shown[0], ConflictView.fields))
        },
        Route(
            .post, "/api/contacts/conflicts/{id}", summary: "resolve a conflict of a contact",
            query: [.init("take", "here, there or both")],
            fields: ContactListItem.fields
        ) {
            (contacts: ContactsPlugin, request) in
            guard let choice = request.query["take"].flatMap(CardMerge.Choice.init) else {
                throw HubError(
                    .usage, code: "choice-missing", "the request does not say which version to keep",
                    hint: "add take=here, take=there or take=both")
            }
            let result = try await contacts.resolveConflict(
                try request.id, taking: choice, operation: request.operation)
            let row = try await contacts.entities.listed(result.contact.summary)
            return .output(
                .changed("\(row.summary.name): \(result.words(CardMerge.Choices(choice)))", row, ContactListItem.fields)
            )
        },
    ]
}
