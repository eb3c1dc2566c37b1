package import HubKit

extension CalendarAccountManager {
    static let calendar = ConfigKey(
        "accounts.*.calendar", .text, default: "Mintee", help: "calendar for tasks; created if missing")

    /// The accounts of Mintee: CalDAV servers.
    package static let kind = AccountKind(
        plugin: "mintee", things: "calendars",
        addresses: AccountAddresses(
            "URL|E-MAIL", help: "URL of a CalDAV server, or an e-mail address",
            description: "a URL or an e-mail address", examples: "https://dav.example.org or ada@example.org",
            server: "caldav"),
        collections: .one(calendar, Option("calendar", "NAME", help: "calendar for tasks (default: Mintee)")),
        unit: "days", withoutPassword: "use another CalDAV server, such as your own",
        texts: AccountTexts(
            accounts: "CalDAV servers to sync with", prominence: .more,
            add: (
                "connect a CalDAV server",
                "The first sync creates a separate calendar for tasks, which any reminders app shows next to its own lists.",
                [
                    Example("hub mintee accounts add posteo https://posteo.de:8443 --user ada", "a server"),
                    Example(
                        "hub mintee accounts add work ada@example.org --password-command \"pass work\"",
                        "server found by e-mail address"),
                ]
            ),
            edit: Example("hub mintee accounts edit posteo --calendar Habits", "another calendar"),
            remove: "Tasks are kept, and nothing is deleted on the server.", found: ("calendar", "calendars"),
            sync: (
                "sync tasks with your calendars",
                "Each due day becomes a separate to-do in the calendar. Ticks and notes made there are synced back; if both "
                    + "sides changed a day, the later change wins. A to-do that is deleted there is created again."
            ),
            firstSteps: [Example("hub mintee accounts add NAME URL", "show tasks in a phone's reminders app")]))
}
