import ContactsDomain
import HubKit

/// Members of groups in the web app.
enum GroupRoutes {
    static let all = [
        Route(
            .post, "/api/contacts/groups/add",
            summary: "add contacts to the group with an id, or to a new group of a name",
            body: #"{"ids": ["…"], "group": "…"}"#
        ) {
            (contacts: ContactsPlugin, request) in
            let body = try EntitySelection(request)
            let result: MembershipChange
            if let group = body.word("group") {
                result = try await contacts.addMembers(body.ids, to: group, operation: request.operation)
            } else if let name = body.word("name") {
                let book = try await contacts.bookForGroup(nil, of: body.ids)
                result = try await contacts.createGroup(
                    name, of: body.ids, book: book?.id, operation: request.operation)
            } else {
                throw HubError(field: "group", "must be the id of a group, unless name gives a new one")
            }
            return EntityWeb.changed(result.changed.count)
        },
        Route(
            .post, "/api/contacts/groups/remove", summary: "remove contacts from the group with an id",
            body: #"{"ids": ["…"], "group": "…"}"#
        ) {
            (contacts: ContactsPlugin, request) in
            let body = try EntitySelection(request)
            guard let group = body.word("group") else { throw HubError(field: "group", "must be the id of a group") }
            let result = try await contacts.removeMembers(body.ids, from: group, operation: request.operation)
            return EntityWeb.changed(result.changed.count)
        },
    ]
}
