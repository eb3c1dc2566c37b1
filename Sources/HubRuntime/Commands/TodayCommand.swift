import CivilDate
import Commands
import HubKit

/// `hub today`: what matters now, from all plugins, on one page.
enum TodayCommand {
    private struct Line: Sendable {
        let plugin: String
        let item: TodayItem
        /// The day that the plugin shows.
        let day: CivilDate
        /// Whether that is another one than the calendar's.
        let isOtherDay: Bool
    }

    private static let day = Arguments<DateExpression>("DATE", .optional)

    private static let fields = [
        Field<Line>("plugin", "PLUGIN", help: "name of the plugin") { .text($0.plugin) },
        Field<Line>("text", "ITEM", help: "description of the item") {
            .text($0.isOtherDay ? "\($0.item.text) (\($0.day))" : $0.item.text)
        },
        Field<Line>("date", "DATE", help: "day of the item", column: .onRequest) { .day($0.day) },
        Field<Line>("ref", "REF", help: "plugin:id of the item", column: .onRequest) {
            .text("\($0.plugin):\($0.item.id)")
        },
    ]

    static let command = Command(
        "today", summary: "what matters now, from all plugins",
        examples: [
            Example("hub today", "show birthdays and everything else due today"),
            Example("hub today tomorrow", "show tomorrow"),
        ], parameters: [day], fields: fields
    ) { (hub: Hub, input: Input) in
        let today = hub.clock.today
        let asked = input[day].first?.day(today: today) ?? today
        var lines: [Line] = []
        for descriptor in try hub.enabledDescriptors() {
            guard let provider = descriptor.providers.today else { continue }
            let due = try await provider.items(hub, today, input[day].first)
            lines += due.items.map {
                Line(plugin: descriptor.id, item: $0, day: due.day, isOtherDay: due.day != asked)
            }
        }
        return .list(lines, fields, empty: Diagnostic("Nothing is due on \(asked)"))
    }
}
