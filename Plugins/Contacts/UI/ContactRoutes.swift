import ContactsDomain
import HubKit

/// What contacts answer over HTTP: the page, and the JSON that it and other programs read. Each route calls the use case
/// of the command with the same name.
enum ContactRoutes {
    static let all = pages + ConflictRoutes.all + api + DuplicateRoutes.all

    private static let pages = [
        asset("/contacts", "the page", PackageResources.contacts_html, "text/html; charset=utf-8"),
        asset("/contacts/contacts.css", "its looks", PackageResources.contacts_css, "text/css; charset=utf-8"),
        asset("/contacts/contacts.js", "its script", PackageResources.contacts_js, "text/javascript; charset=utf-8"),
    ]

    private static let api = [
        Route(.get, "/api/contacts", summary: "list contacts, or those that match q, best first") {
            (contacts: ContactsPlugin, request) in
            let limit = request.query["limit"].flatMap(Int.init).map { min(max($0, 1), GetContacts.maximumLimit) } ?? 50
            let text = request.query["q"] ?? ""
            guard text.allSatisfy(\.isWhitespace) else {
                let found = try await contacts.search(text, limit: limit).rows
                return .output(.list(try await contacts.listed(found), ListedContact.fields))
            }
            let page = try await contacts.getContacts(after: request.query["after"], limit: limit)
            return .page(
                .list(try await contacts.listed(page.rows), ListedContact.fields),
                next: page.next.map { "/api/contacts?limit=\(limit)&after=\($0)" })
        },
        Route(.get, "/api/contacts/count", summary: "count the contacts") { (contacts: ContactsPlugin, _) in
            .output(
                .record(
                    try await contacts.search("", limit: 1).total,
                    [
                        Field("contacts", "CONTACTS", help: "how many there are") { .integer($0) }
                    ]))
        },
        Route(.get, "/api/contacts/{id}", summary: "all that is known of one contact") {
            (contacts: ContactsPlugin, request) in
            .output(try await details(request, contacts))
        },
        Route(.delete, "/api/contacts/{id}", summary: "move a contact to the trash") {
            (contacts: ContactsPlugin, request) in
            try await contacts.delete(
                [try id(request)], expecting: request.ifMatch.flatMap(Int.init), operation: request.operation)
            return .output(.done("in the trash for \(DeleteContacts.trashDays) days"))
        },
    ]

    private static func details(_ request: RouteRequest, _ contacts: ContactsPlugin) async throws -> Output {
        let contact = try await contacts.getDetails(try id(request))
        let short = try await contacts.shortenIDs([contact.id])[contact.id] ?? contact.id
        return .record(try await contacts.shown(contact, shortID: short), ShownContact.fields)
    }

    private static func id(_ request: RouteRequest) throws -> String {
        guard let id = request.captures["id"] else {
            throw HubError(.usage, code: "id-missing", "the path names no contact")
        }
        return id
    }

    private static func asset(_ path: String, _ summary: String, _ bytes: [UInt8], _ type: String) -> Route {
        Route(.get, path, summary: summary) { (_: ContactsPlugin, _) in .asset(bytes, contentType: type) }
    }
}
