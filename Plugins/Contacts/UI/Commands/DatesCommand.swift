import CivilDate
import Commands
import ContactsDomain

/// `hub contacts dates`: lists upcoming birthdays, anniversaries and other dates.
enum DatesCommand {
    private static let days = Option<Int>("days", "N", in: 1...366, help: "number of days ahead (default: 30)")

    private static let format = Option<Format>(
        "as", "FORMAT", help: "output format: ics, a calendar of all dates or of those in --days")

    /// The output formats besides the list.
    private enum Format: String, ChoiceArgument {
        case ics
    }

    /// The output fields.
    static let fields = [
        Field<UpcomingDate>("day", "DAY", help: "day on which it returns") { .day($0.day) },
        Field<UpcomingDate>("name", "NAME", help: "name of the contact") { .text($0.contact.name) },
        Field<UpcomingDate>("label", "DATE", help: "birthday, anniversary, or the label of the date") {
            .text($0.occasion.label)
        },
        Field<UpcomingDate>("years", "YEARS", help: "full years on that day", align: .trailing) {
            FieldValue($0.years)
        },
        Field<UpcomingDate>("since", "SINCE", help: "date in the card") { .text($0.date.description) },
        Field<UpcomingDate>("id", "ID", help: "id of the contact", column: .onRequest) { .text($0.contact.id) },
        Field<UpcomingDate>(
            "photo", "PHOTO", help: "a text that changes with the picture; null for no picture", column: .onRequest
        ) { FieldValue($0.photo) },
    ]

    static let command = Command(
        "dates", summary: "list upcoming birthdays, anniversaries and other dates",
        examples: [
            Example("hub contacts dates", "the next 30 days"), Example("hub contacts dates --days 7", "a week"),
            Example("hub contacts dates --as ics -o dates.ics", "a calendar of all of them"),
            Example("hub contacts set lukasz date.first-met=2020-01-02", "add one"),
        ], prominence: .more, parameters: [days, format], fields: fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let count = input[days] ?? 30
        if input[format] == .ics, input[days] == nil {
            return Output(.bytes(contacts.exportCards(by: DateCalendar())))
        }
        let found = try await contacts.dates(from: contacts.clock.today, days: count)
        if input[format] == .ics {
            var seen = Set<String>()
            let ids = found.map(\.contact.id).filter { seen.insert($0).inserted }
            return Output(.bytes(contacts.exportCards(ids, by: DateCalendar())))
        }
        return .list(found, fields, empty: Diagnostic("No dates in the next \(count) days"))
    }
}
