import CivilDate
import HubKit

/// `hub today`: what matters now, from all plugins, on one page.
enum TodayCommand {
    private struct Line: Sendable {
        let plugin: String
        let item: TodayItem
    }

    private static let day = Arguments<DateExpression>("DATE", .optional)

    private static let fields = [
        Field<Line>("plugin", "PLUGIN", help: "the plugin it comes from") { .text($0.plugin) },
        Field<Line>("text", "WHAT", help: "what it is") { .text($0.item.text) },
        Field<Line>("ref", "REF", help: "plugin and id", column: .onRequest) { .text("\($0.plugin):\($0.item.id)") },
    ]

    static let command = Command(
        "today", summary: "what matters now, from all plugins",
        examples: [
            Example("hub today", "birthdays and all else that is due"), Example("hub today tomorrow", "one day ahead"),
        ], parameters: [day], fields: fields
    ) { (hub: Hub, input: Input) in
        let today = hub.clock.today
        let asked = input[day].first?.day(today: today) ?? today
        var lines: [Line] = []
        for descriptor in try hub.enabledDescriptors() {
            guard let provider = descriptor.providers.today else { continue }
            lines += try await provider.items(hub, asked).map { Line(plugin: descriptor.id, item: $0) }
        }
        return .list(lines, fields, empty: Note("Nothing is due on \(asked)"))
    }
}
