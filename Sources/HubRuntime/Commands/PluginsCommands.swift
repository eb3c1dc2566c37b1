import Commands
import HubKit
import Storage

/// `hub plugins`: list, enable and disable plugins.
enum PluginsCommands {
    private struct Row: Sendable {
        let descriptor: PluginDescriptor
        let isEnabled: Bool
    }

    private static let name = Argument<String>(
        "PLUGIN", help: "name of the plugin",
        completion: .from(Hub.self) { hub, _ in hub.descriptors.map { CompletionWord($0.id, $0.summary) } })

    private static let fields = [
        Field<Row>("id", "PLUGIN", help: "name of the plugin") { .text($0.descriptor.id) },
        Field<Row>("enabled", "STATE", help: "whether it is enabled", cell: { $0.isEnabled ? "on" : "off" }) {
            .bool($0.isEnabled)
        },
        Field<Row>("summary", "SUMMARY", help: "short description") { .text($0.descriptor.summary) },
        Field<Row>("services", "SERVICES", help: "services that it runs in hub serve", column: .onRequest) {
            FieldValue($0.descriptor.services.map(\.id))
        },
        Field<Row>("routes", "ROUTES", help: "HTTP routes that it serves", column: .onRequest) {
            FieldValue($0.descriptor.routes.map { "\($0.method.rawValue) \($0.pattern)" })
        },
        Field<Row>("topics", "TOPICS", help: "topics of the events that it publishes", column: .onRequest) {
            FieldValue($0.descriptor.emits.map(\.topic.text))
        },
        Field<Row>("settings", "SETTINGS", help: "settings in the config file", column: .onRequest) { row in
            FieldValue(row.descriptor.configKeys.map { "plugins.\(row.descriptor.id).\($0.erased.path)" })
        },
        Field<Row>("tables", "TABLES", help: "tables with history and undo", column: .onRequest) {
            FieldValue($0.descriptor.schema.recorded.map(\.name))
        },
    ]

    static let command = Command(
        group: "plugins", aliases: ["plugin"], summary: "list, enable and disable plugins", prominence: .full,
        view: "list", subcommands: [list, info, toggle("enable", to: true), toggle("disable", to: false)])

    private static let list = Command(
        "list", summary: "list built-in plugins and whether they are enabled",
        examples: [
            Example("hub plugins", "list all plugins"),
            Example("hub plugins --json=id,routes", "list the HTTP routes of each plugin"),
        ], fields: fields
    ) { (hub: Hub, _: Input) in .list(try rows(of: hub), fields) }

    private static let info = Command(
        "info", summary: "show everything a plugin declares",
        examples: [
            Example("hub plugins info contacts", "show its services, routes, topics, settings and tables"),
            Example("hub plugins info contacts --json=settings", "list only its settings"),
        ], parameters: [name], fields: fields
    ) { (hub: Hub, input: Input) in .record(try row(named: input[name], of: hub), fields) }

    private static func toggle(_ verb: String, to isEnabled: Bool) -> Command {
        Command(
            verb, summary: isEnabled ? "enable a plugin" : "disable a plugin; its data is kept",
            examples: [
                Example("hub plugins \(verb) contacts", isEnabled ? "enable the plugin" : "disable the plugin"),
                Example("hub plugins \(verb) contacts --dry-run", "show what would change"),
            ], parameters: [name],
            changes: true
        ) { (hub: Hub, input: Input) in
            let row = try row(named: input[name], of: hub)
            let id = row.descriptor.id
            guard row.isEnabled != isEnabled else {
                return .done("\(id) is already \(isEnabled ? "enabled" : "disabled")")
            }
            let wanted = try rows(of: hub).filter { $0.descriptor.id == id ? isEnabled : $0.isEnabled }
            let list = "[" + wanted.map { "\"\($0.descriptor.id)\"" }.joined(separator: ", ") + "]"
            _ = try hub.configManager.set("plugins.enabled", to: list, dryRun: input.dryRun)
            if input.dryRun { return .done("Would \(isEnabled ? "enable" : "disable") \(id)") }
            let state = isEnabled ? "enabled" : "disabled; its data is kept"
            return .done("\(id) is \(state). To revert: hub plugins \(isEnabled ? "disable" : "enable") \(id)")
        }
    }

    private static func rows(of hub: Hub) throws -> [Row] {
        let enabled = Set(try hub.enabledDescriptors().map(\.id))
        return hub.descriptors.map { Row(descriptor: $0, isEnabled: enabled.contains($0.id)) }
    }

    private static func row(named word: String, of hub: Hub) throws -> Row {
        let descriptor = try hub.descriptor(named: word)
        let isEnabled = try hub.enabledDescriptors().contains { $0.id == descriptor.id }
        return Row(descriptor: descriptor, isEnabled: isEnabled)
    }
}
