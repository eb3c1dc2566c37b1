package import Commands
package import HubKit
package import Storage
import Synchronization

/// hub while it runs: the built-in plugins and all that they share, each part made when it is first asked for.
///
/// A command that needs no config reads none, and one that needs no database opens none.
package final class Hub: PluginHost {
    /// The mode of the process: the threads that the store uses, and the process that delivers events.
    package enum Mode: Sendable {
        /// One command, then the end.
        case command
        /// `hub serve`.
        case daemon
    }

    /// The built-in plugins, in the order of the help.
    package let plugins: [any Plugin.Type]
    /// The environment of the process.
    package let environment: ProcessEnvironment
    /// The folders of hub.
    package let directories: Directories
    /// The config file and what can be done with it.
    package let configManager: ConfigManager
    /// The mode of the process.
    package let mode: Mode
    /// Time.
    package let clock: any Clock
    /// The log of background work.
    package let log: Log
    /// The bus that announces commits, in this and other processes.
    package let bus: EventBus

    /// The watcher of folders, one for all plugins.
    private let watcher = DirectoryWatcher()

    /// The start time.
    let start: Instant

    /// The options that every command shares.
    let options: ParameterValues

    private struct Parts {
        var configuration: Configuration?
        var database: Database?
        var built: [ObjectIdentifier: any AnyObject & Sendable] = [:]
        var isAnswerToShell = false
    }

    private let parts = Mutex(Parts())

    /// A hub with `plugins`, set up by the options that every command shares.
    package init(
        plugins: [any Plugin.Type], environment: ProcessEnvironment, options: ParameterValues = ParameterValues(),
        mode: Mode = .command, clock: any Clock = SystemClock(), log: Log
    ) {
        self.plugins = plugins
        self.options = options
        self.environment = environment
        self.mode = mode
        self.clock = clock
        self.log = log
        start = clock.now
        directories = Directories(environment: environment, data: options[GlobalOptions.data], makesRuntime: true)
        configManager = ConfigManager(
            schema: ConfigSchema(of: plugins),
            environment: environment, option: options[GlobalOptions.config])
        bus = EventBus(directory: directories.runtime.map { $0 + "/events" })
    }

    /// Where a command works, for a report of an error.
    package var context: [String] {
        ["hub \(HubVersion.number)", "store \(directories.data)/hub.db", "config \(configManager.file.path)"]
    }

    /// Whether an option or a variable says where the data lies.
    var isDataNamed: Bool { options[GlobalOptions.data] != nil }

    /// The descriptors of the built-in plugins, enabled or not.
    package var descriptors: [PluginDescriptor] { plugins.map { $0.descriptor } }

    /// The settings in force; throws all that is wrong with them at once.
    package func configuration() throws -> Configuration {
        try parts.withLock { parts in
            if let known = parts.configuration { return known }
            let loaded = try configManager.load().checked()
            parts.configuration = loaded
            return loaded
        }
    }

    /// The command lines of the `[alias]` table by their names.
    package func aliases() throws -> [String: String] {
        let config = try configuration().core
        return config.names(for: HubKeys.alias).reduce(into: [:]) { $0[$1] = config[HubKeys.alias, $1] }
    }

    /// The descriptors of the plugins that the config file leaves on.
    package func enabledDescriptors() throws -> [PluginDescriptor] {
        let enabled = try configuration().core[HubKeys.enabledPlugins(among: descriptors.map(\.id))]
        return descriptors.filter { enabled.contains($0.id) }
    }

    /// Returns the plugin named `word`, enabled or not; throws `not-found`.
    func descriptor(named word: String) throws -> PluginDescriptor {
        if let found = descriptors.first(where: { $0.id == word }) { return found }
        let ids = descriptors.map(\.id)
        throw HubError(
            .notFound, code: "no-plugin", "no plugin named \"\(word)\"",
            hint: Suggestion.nearest(to: word, in: ids).map { "did you mean \($0)?" }
                ?? "available plugins: \(ids.joined(separator: ", "))")
    }

    /// The store, which opens its file when it is first used.
    package func database() throws -> Database {
        if let known = parts.withLock(\.database) { return known }
        let schemas = try enabledDescriptors().map(\.schema)
        return parts.withLock { parts in
            if let known = parts.database { return known }
            let made = Database(
                at: .directory(directories.data), plugins: schemas, clock: clock,
                executors: mode == .command ? .main : .queues)
            made.onCommit { [bus] topics in bus.announce(.some(topics)) }
            parts.database = made
            return made
        }
    }

    /// The last operation of the person that was recorded in this process.
    package var lastEdit: Operation? { openedDatabase?.lastEdit }

    /// The database, when something has asked for it.
    package var openedDatabase: Database? { parts.withLock(\.database) }

    /// The use cases of a plugin, or this hub itself for hub's own commands.
    package func plugin<P: Sendable>(_ type: P.Type) throws -> P {
        let key = ObjectIdentifier(type)
        if let known = parts.withLock({ $0.built[key] }) as? PluginCell<P> { return try known.plugin(build) }
        guard type is any Plugin.Type else {
            if let own = own(type) { return own }
            throw HubError(.internal, code: "no-plugin", "\(type) is not a plugin")
        }
        let cell = parts.withLock { parts in
            let cell = parts.built[key] as? PluginCell<P> ?? PluginCell<P>()
            parts.built[key] = cell
            return cell
        }
        return try cell.plugin(build)
    }

    /// Returns the part that one of hub's own commands requests, so that `hub config` works while the config is
    /// invalid.
    private func own<P: Sendable>(_ type: P.Type) -> P? {
        // The user has just run a command, so the keyring may prompt for its password.
        let secrets = SecretManager(secrets: SystemSecrets(promptTime: .seconds(60)))
        return self as? P ?? configManager as? P ?? secrets as? P
    }

    /// The same hub for `hub serve`: its store works on queues, and its log speaks to the journal, or to a file beside
    /// standard error.
    package func asDaemon() -> Hub {
        let isInJournal = environment["JOURNAL_STREAM"] != nil
        // A config that cannot be read is told of by what reads it next.
        let isJSON = (try? configuration().core[HubKeys.logFormat]) == "json"
        let log = Log.standardError(
            isVerbose: options[GlobalOptions.verbose], journal: isInJournal, json: isJSON ? clock : nil)
        return Hub(
            plugins: plugins, environment: environment, options: options, mode: .daemon, clock: clock,
            log: isInJournal ? log : LogFile(path: serveLogPath, clock: clock).joining(log))
    }

    /// A hub of the same process that reads the config again and opens its own store.
    func renewed() -> Hub {
        Hub(plugins: plugins, environment: environment, options: options, mode: mode, clock: clock, log: log)
    }

    /// The path of the log of `hub serve` when there is no journal.
    var serveLogPath: String { directories.state + "/serve.log" }

    /// Says that a shell waits for the words of a completion, so the process is to do nothing else.
    package func answerShell() { parts.withLock { $0.isAnswerToShell = true } }

    /// Whether nothing may be done once the command has answered: a plan changes nothing, and a shell does not wait.
    var endsAtOnce: Bool { options[GlobalOptions.dryRun] || parts.withLock(\.isAnswerToShell) }

    /// The warnings about the config for the user; empty when no command has read it.
    package var configWarnings: [Diagnostic] {
        let known = parts.withLock { $0.isAnswerToShell ? nil : $0.configuration }
        return (known?.warnings ?? []).map { .warning($0.lines[0], code: "config-warning", hint: "hub config check") }
    }

    /// Closes what was opened.
    func close() async {
        bus.close()
        await openedDatabase?.close()
    }

    private func build<P: Sendable>(_ type: P.Type) throws -> P {
        guard let plugin = type as? any Plugin.Type else {
            throw HubError(.internal, code: "no-plugin", "\(type) is not a plugin")
        }
        let descriptor = plugin.descriptor
        guard try enabledDescriptors().contains(where: { $0.id == descriptor.id }) else {
            throw HubError(
                .config, code: "plugin-disabled", "the plugin \(descriptor.id) is disabled; its data is kept",
                hint: "hub plugins enable \(descriptor.id)")
        }
        guard let built = try plugin.init(context: context(for: descriptor)) as? P else {
            throw HubError(.internal, code: "no-plugin", "\(type) could not be created")
        }
        return built
    }

    private func context(for descriptor: PluginDescriptor) throws -> Context {
        let database = try database()
        let locale = StoreLocale(
            environment, data: directories.data, isKept: !options[GlobalOptions.dryRun])
        return Context(
            config: locale.completing(try configuration().config(for: descriptor.id)),
            store: database.store(for: descriptor.id),
            clock: clock, locks: FileLocks(directory: directories.locks, clock: clock),
            // The user has just run a command, so the keyring may prompt for its password.
            secrets: SystemSecrets(promptTime: mode == .command ? .seconds(60) : .zero), directories: directories,
            log: log.labelled(descriptor.id),
            settings: PluginSettings(configManager, plugin: descriptor.id) { locale.completing($0) },
            bus: bus, watcher: watcher, isOffline: options[GlobalOptions.offline], program: environment.program,
            absentFiles: WeakAbsentFiles(self))
    }
}

/// One plugin, which is built once: callers that ask for it meanwhile wait. A plugin gets no host when it is built, so it cannot ask
/// for another one then. A failure is not kept.
///
/// Each request of a server looks it up, and finding out whether an object is of a class is much quicker than whether a value is
/// of a type.
private final class PluginCell<P: Sendable>: Sendable {
    private let built = Mutex<P?>(nil)

    func plugin(_ build: (P.Type) throws -> P) throws -> P {
        try built.withLock { built in
            if let built { return built }
            let made = try build(P.self)
            built = made
            return made
        }
    }
}
