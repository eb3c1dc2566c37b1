import Commands
import HubKit

/// The table of all commands: those of the built-in plugins and hub's own.
enum RootCommand {
    /// `hub` itself, with help wrapped to `width` columns. Nothing below it is made before it is looked at.
    static func make(
        _ plugins: [any Plugin.Type], width: Int, externals: @escaping @Sendable () -> [String] = { [] },
        notes: @escaping @Sendable () -> [String], disabled: @escaping @Sendable () -> Set<String> = { [] }
    ) -> Command {
        let root: @Sendable () -> Command = {
            make(plugins, width: width, externals: externals, notes: notes, disabled: disabled)
        }
        return Command(
            group: "hub", summary: summary(of: plugins.map { $0.descriptor.content }),
            find: { name in plugins.lazy.map { $0.descriptor.command }.first { $0.name == name } },
            subcommands: [TodayCommand.command, SearchCommand.command] + plugins.map { $0.descriptor.command }
                + shared + [
                    ShowCommand.command(root: root), MCPCommand.command(root: root),
                    HelpCommand.command(
                        root: root, width: width, externals: externals, notes: notes, disabled: disabled,
                        alias: { host, word in try? (host as? Hub)?.aliases()[word] }),
                    ServiceCommands.packaged, CompletionCommand.command,
                    CompletionCommand.answering(root: root, externals: externals),
                    ManualCommand.command(root: root, version: HubVersion.number) {
                        [ConfigManual.page(for: ConfigSchema(of: plugins), version: HubVersion.number)]
                    },
                ]
        ).advising(advice(for: plugins.map { $0.descriptor.command.name }))
    }

    /// What is meant by the nouns of the start page, which are not the names of the plugins.
    private static func advice(for plugins: [String]) -> [String: String] {
        let nouns = [
            "contacts": ["people", "person", "address", "addresses", "book"],
            "mintee": ["habit", "habits", "task", "tasks", "todo", "todos"],
            "dictofun": ["voice", "record", "records", "recording", "recordings", "memo", "memos"],
            "market": ["price", "prices", "coin", "coins", "token", "portfolio"],
        ]
        return Dictionary(
            uniqueKeysWithValues: plugins.flatMap { plugin in
                (nouns[plugin] ?? []).map { ($0, "did you mean hub \(plugin)?") }
            })
    }

    /// `keeps people, notes and habits in one place.`
    private static func summary(of contents: [String]) -> String {
        guard let last = contents.last else { return "has no plugins." }
        let others = contents.dropLast().joined(separator: ", ")
        return "keeps \(others.isEmpty ? last : "\(others) and \(last)") in one place."
    }

    private static var shared: [Command] {
        [
            SyncCommand.command, UndoCommands.undo, UndoCommands.redo, HistoryCommand.command, StatusCommand.command,
            DoctorCommand.command, LogsCommand.command,
            ConfigCommands.command, BackupCommands.backup, BackupCommands.restore, ExportCommand.command,
            ImportCommand.command,
            ServeCommand.command,
            WebCommand.command, OpenCommand.command, DemoCommand.command, APICommands.command, DevicesCommands.command,
            JoinCommand.command, MachinesCommands.command,
            TrashCommands.command,
            PluginsCommands.command,
            SecretsCommands.command,
            EventsCommands.command, EventsCommands.flows, ServiceCommands.command,
            VersionCommand.command,
        ]
    }
}
