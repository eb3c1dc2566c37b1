import Commands
import ContactsDomain
import HubKit

/// The HTTP routes of saved searches, with the use cases of `hub contacts searches`.
enum SearchRoutes {
    static let all = [
        Route(
            .get, "/api/contacts/searches", summary: "list saved searches", fields: SearchesCommands.fields
        ) { (contacts: ContactsPlugin, _) in
            .output(.list(try await contacts.searches(), SearchesCommands.fields))
        },
        Route(
            .post, "/api/contacts/searches", summary: "save a search under a name, or change it",
            body: #"{"name": "family", "query": "tag:family"}"#, fields: SearchesCommands.fields
        ) { (contacts: ContactsPlugin, request) in
            let body = try request.json(example: #"{"name": "family", "query": "tag:family"}"#)
            guard let name = body["name"]?.string else { throw HubError(field: "name", "must be a text") }
            guard let query = body["query"]?.string else { throw HubError(field: "query", "must be a text") }
            let saved = try await contacts.saveSearch(name, query, operation: request.operation)
            return .output(.record(saved, SearchesCommands.fields))
        },
        Route(
            .delete, "/api/contacts/searches/{name}", summary: "delete a saved search",
            fields: SearchesCommands.fields
        ) { (contacts: ContactsPlugin, request) in
            let removed = try await contacts.deleteSearch(request.captures["name"] ?? "", operation: request.operation)
            return .output(.record(removed, SearchesCommands.fields))
        },
    ]
}
