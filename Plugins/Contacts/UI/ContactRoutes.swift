import Commands
import ContactsDomain
import HubKit

/// The HTTP routes of contacts: the JSON that the page and other programs read. Each route calls the use case
/// of the command with the same name.
enum ContactRoutes {
    static let all = ConflictRoutes.all + api + ListRoutes.all + FileRoutes.all + EditRoutes.all + DuplicateRoutes.all

    private static let api = [
        Route(.get, "/api/contacts", summary: "list contacts, or search for q, best match first") {
            (contacts: ContactsPlugin, request) in
            let limit = request.query["limit"].flatMap(Int.init).map { min(max($0, 1), ContactPage.maximumCount) } ?? 50
            let text = request.query["q"] ?? ""
            guard text.allSatisfy(\.isWhitespace) else {
                let found = try await contacts.search(text, limit: limit).rows
                return .output(.list(try await contacts.entities.listed(found), ContactListItem.fields))
            }
            let page = try await contacts.contactPage(after: request.query["after"], limit: limit)
            return .page(
                .list(try await contacts.entities.listed(page.rows), ContactListItem.fields),
                next: page.next.map { "/api/contacts?limit=\(limit)&after=\($0)" })
        },
        Route(.get, "/api/contacts/count", summary: "count the contacts") { (contacts: ContactsPlugin, _) in
            .output(
                .record(
                    try await contacts.search("", limit: 1).total,
                    [
                        Field("contacts", "CONTACTS", help: "number of contacts") { .integer($0) }
                    ]))
        },
        Route(.get, "/api/contacts/{id}", summary: "show all fields of a contact") {
            (contacts: ContactsPlugin, request) in
            .output(try await details(request, contacts))
        },
        Route(
            .get, "/api/contacts/birthdays", summary: "list birthdays of the next 30 days, or of the given days"
        ) {
            (contacts: ContactsPlugin, request) in
            let days = request.query["days"].flatMap(Int.init).map { min(max($0, 1), 366) } ?? 30
            let found = try await contacts.birthdays(from: contacts.clock.today, days: days)
            return .output(.list(found, BirthdaysCommand.fields))
        },
    ]

    private static func details(_ request: RouteRequest, _ contacts: ContactsPlugin) async throws -> Output {
        let contact = try await contacts.entities.get(try request.id)
        let short = try await contacts.entities.shortID(of: contact.id)
        return .record(
            try await contacts.shown(contact, shortID: short), ContactView.fields + ContactView.pageFields)
    }
}
