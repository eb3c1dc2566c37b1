import Commands
import ContactsDomain
import HubKit

/// The HTTP routes of contacts besides those that every entity has. Each route calls the use case of the command with the
/// same name.
enum ContactRoutes {
    static let all =
        ConflictRoutes.all + api + SavedSearchCommands<ContactsPlugin>.routes + ListRoutes.all + FileRoutes.all
        + EditRoutes.all
        + DuplicateRoutes.all + GroupRoutes.all

    private static let api = [
        Route(
            .get, "/api/contacts/birthdays", summary: "list birthdays of the next 30 days, or of the given days",
            query: [.init("days", "number of days, 1 to 366")],
            fields: BirthdaysCommand.fields
        ) {
            (contacts: ContactsPlugin, request) in
            let days = request.query["days"].flatMap(Int.init).map { min(max($0, 1), 366) } ?? 30
            let found = try await contacts.birthdays(from: contacts.clock.today, days: days)
            return .output(.list(found, BirthdaysCommand.fields))
        },
        Route(
            .get, "/api/contacts/dates",
            summary: "list birthdays, anniversaries and other dates of the next 30 days, or of the given days",
            query: [.init("days", "number of days, 1 to 366")],
            fields: DatesCommand.fields
        ) {
            (contacts: ContactsPlugin, request) in
            let days = request.query["days"].flatMap(Int.init).map { min(max($0, 1), 366) } ?? 30
            let found = try await contacts.dates(from: contacts.clock.today, days: days)
            return .output(.list(found, DatesCommand.fields))
        },
    ]
}
