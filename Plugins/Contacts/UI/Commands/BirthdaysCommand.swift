import CivilDate
import ContactsDomain
import HubKit

/// `hub contacts birthdays`: whose birthday is near.
enum BirthdaysCommand {
    private static let days = Option<Int>("days", "N", in: 1...366, help: "the coming N days; 30 unless given")

    private static let format = Option<Format>("as", "FORMAT", help: "ics: a calendar, of all birthdays without --days")

    /// The formats beside a list.
    private enum Format: String, ChoiceArgument {
        case ics
    }

    /// What a row tells.
    static let fields = [
        Field<GetBirthdays.Birthday>("day", "DAY", help: "the day on which it is kept") { .day($0.day) },
        Field<GetBirthdays.Birthday>("name", "NAME", help: "whose it is") { .text($0.contact.name) },
        Field<GetBirthdays.Birthday>("age", "TURNS", help: "the age that is reached", align: .trailing) {
            FieldValue($0.age)
        },
        Field<GetBirthdays.Birthday>("born", "BORN", help: "the date on the card") { .text($0.born.description) },
        Field<GetBirthdays.Birthday>("id", "ID", help: "the contact's id", column: .onRequest) { .text($0.contact.id) },
    ]

    static let command = Command(
        "birthdays", summary: "whose birthday is near",
        examples: [
            Example("hub contacts birthdays", "the next 30 days"), Example("hub contacts birthdays --days 7", "a week"),
            Example("hub contacts birthdays --as ics -o birthdays.ics", "a calendar of all"),
        ], prominence: .more, parameters: [days, format], fields: fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let count = input[days] ?? 30
        if input[format] == .ics, input[days] == nil {
            return Output(.bytes(contacts.exportCards(by: BirthdayCalendar())))
        }
        let found = try await contacts.getBirthdays(from: contacts.clock.today, days: count)
        if input[format] == .ics {
            return Output(.bytes(contacts.exportCards(found.map(\.contact.id), by: BirthdayCalendar())))
        }
        return .list(found, fields, empty: Note("No birthdays in the next \(count) days"))
    }
}
