import CivilDate
import Commands
import ContactsDomain

/// `hub contacts birthdays`: lists upcoming birthdays.
enum BirthdaysCommand {
    private static let days = Option<Int>("days", "N", in: 1...366, help: "number of days ahead (default: 30)")

    private static let format = Option<Format>(
        "as", "FORMAT", help: "output format: ics, a calendar of all birthdays or of --days")

    /// The output formats besides the list.
    private enum Format: String, ChoiceArgument {
        case ics
    }

    /// The output fields.
    static let fields = [
        Field<UpcomingDate>("day", "DAY", help: "day of the birthday") { .day($0.day) },
        Field<UpcomingDate>("name", "NAME", help: "name of the contact") { .text($0.contact.name) },
        Field<UpcomingDate>("age", "TURNS", help: "age on that day", align: .trailing) {
            FieldValue($0.years)
        },
        Field<UpcomingDate>("born", "BORN", help: "date of birth in the card") { .text($0.date.description) },
        Field<UpcomingDate>("id", "ID", help: "id of the contact", column: .onRequest) {
            .text($0.contact.id)
        },
    ]

    static let command = Command(
        "birthdays", summary: "list upcoming birthdays",
        examples: [
            Example("hub contacts birthdays", "the next 30 days"), Example("hub contacts birthdays --days 7", "a week"),
            Example("hub contacts birthdays --as ics -o birthdays.ics", "a calendar of all birthdays"),
        ], prominence: .more, parameters: [days, format], fields: fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let count = input[days] ?? 30
        if input[format] == .ics, input[days] == nil {
            return Output(.bytes(contacts.exportCards(by: DateCalendar(isOnlyBirthdays: true))))
        }
        let found = try await contacts.birthdays(from: contacts.clock.today, days: count)
        if input[format] == .ics {
            return Output(
                .bytes(contacts.exportCards(found.map(\.contact.id), by: DateCalendar(isOnlyBirthdays: true))))
        }
        return .list(found, fields, empty: Diagnostic("No birthdays in the next \(count) days"))
    }
}
