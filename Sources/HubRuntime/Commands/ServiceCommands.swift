import Commands
import Glibc
import HubKit

/// `hub service`: lets the user's systemd run `hub serve`.
enum ServiceCommands {
    static let command = Command(
        group: "service", summary: "manage the systemd unit of hub serve", prominence: .full,
        subcommands: [install, uninstall])

    /// The hidden command that prints the unit of a package, which runs hub for each user who enables it.
    static let packaged: Command = {
        let program = Argument<String>("PROGRAM", help: "where hub is installed, such as /usr/bin/hub")
        return Command("__unit", summary: "print the systemd unit of a package", parameters: [program], isHidden: true)
        {
            (_: any PluginHost, input: Input) in
            let text = ServiceUnit(program: input[program]).text
            return .text(text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init))
        }
    }()

    private static let install = Command(
        "install", summary: "install and start the systemd unit",
        examples: [
            Example("hub service install", "write the unit, enable and start it"),
            Example("hub service install --dry-run", "print the unit"),
        ], changes: true
    ) { (hub: Hub, input: Input) in
        let unit = try unit(hub)
        if input.dryRun {
            return .text(unit.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        }
        let report = try await installer(hub).install(unit)
        let output = Output.done("Installed \(report.path)\(report.isActive ? "; hub serve is running" : "")")
        guard let problem = report.problem else { return output }
        var partly = output.noting(
            .warning(
                "systemd could not start the unit: \(problem)",
                hint: "systemctl --user enable --now \(ServiceUnit.name)"))
        partly.exit = .partly
        return partly
    }

    /// The unit for the store and the config that this command has: the folders that options or variables named, and
    /// those that the config file names.
    static func unit(_ hub: Hub, program: String? = nil) throws -> ServiceUnit {
        let environment = hub.environment
        var arguments: [String] = []
        if hub.isDataNamed { arguments += ["--data", hub.directories.data] }
        if hub.configManager.file.isNamed { arguments += ["--config", hub.configManager.file.path] }
        let variables = ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"].compactMap { name in
            environment[name].flatMap { $0.hasPrefix("/") ? (name: name, value: $0) : nil }
        }
        let own = [hub.directories.data, hub.directories.config, hub.directories.state, hub.directories.cache]
        let named = try hub.configuration().entries.compactMap { entry -> String? in
            guard !entry.setting.key.isSecret, case .text(let text)? = entry.winner.value else { return nil }
            return text.hasPrefix("/") && text.count > 1 ? text : nil
        }
        var writable: [String] = []
        for folder in own + named where !folder.hasPrefix(environment.home + "/") && !writable.contains(folder) {
            writable.append(folder)
        }
        return ServiceUnit(
            program: try program ?? self.program(), arguments: arguments + ["serve"], environment: variables,
            writable: writable)
    }

    private static let uninstall = Command(
        "uninstall", summary: "stop hub serve and remove the systemd unit",
        examples: [
            Example("hub service uninstall", "remove the unit; your data is kept"),
            Example("hub service uninstall --dry-run", "show what would be removed"),
        ], changes: true
    ) { (hub: Hub, input: Input) in
        if input.dryRun { return .done("Would stop hub serve and remove the unit") }
        guard let report = try await installer(hub).uninstall() else { return .done("No unit is installed") }
        return .done("Removed \(report.path)")
    }

    private static func installer(_ hub: Hub) -> ServiceInstaller {
        ServiceInstaller(environment: hub.environment)
    }

    /// The absolute path of this program.
    private static func program() throws -> String {
        guard let path = realpath("/proc/self/exe", nil) else { throw SystemError("realpath /proc/self/exe") }
        defer { free(path) }
        return String(cString: path)
    }
}
