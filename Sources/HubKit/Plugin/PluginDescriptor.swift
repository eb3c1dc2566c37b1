package import Commands
package import Storage
import Synchronization

/// The static description of a plugin, available before it runs.
package struct PluginDescriptor: Sendable {
    /// The plugin's word on the command line, in table names and topics: `[a-z][a-z0-9]*`.
    package let id: String
    /// The plugin's name as a title, such as `Contacts`.
    package let title: String
    /// The summary, in a few lower-case words.
    package let summary: String
    /// The data that the plugin holds, in one plural noun for the first line of the help, such as `people`.
    package let content: String
    /// The first command a newcomer should type.
    package let firstStep: String
    /// The settings under `plugins.<id>` of the config file.
    package var configKeys: [any ConfigDeclaration] { keys.value }
    /// The plugin's tables: their migrations, and which of them have history and undo.
    package let schema: PluginSchema
    /// `hub <id>` and all below it.
    package let command: Command
    /// The services that run in `hub serve`.
    package var services: [ServiceDeclaration] { makeServices() + [accounts.value?.service].compactMap(\.self) }
    /// The daily jobs, with or without `hub serve`.
    package var daily: [DailyJob] { makeDaily() }
    /// The page in the web app.
    package var page: PageDeclaration? { makePage() }
    /// The HTTP routes, beginning with those of the entities.
    package var routes: [Route] {
        let entities = entities
        let items = entities.map(\.item)
        return (entities.flatMap(\.routes) + makeRoutes()).map { $0.about(items) }
    }
    /// What pages need to know of the entities, in the order of their declarations.
    package var entities: [EntityWeb] { declared.value.compactMap { $0.web() } }
    /// The name of the plugin in the web app: that of its page, else its title.
    package var pageTitle: String { page?.name ?? title }
    /// The singular noun of the items that the page shows by their ids: that of the first entity; nil without entities.
    package var itemNoun: String? { declared.value.first?.names.noun.one }
    /// The listeners for other programs and machines.
    package var listeners: [ListenerDeclaration] { makeListeners() }
    /// The collections for devices such as phones.
    package var collections: [CollectionDeclaration] { makeCollections() }
    /// The trees of files for devices.
    package var folders: [FolderDeclaration] { makeFolders() }
    /// What it exchanges with other machines of the person besides its documents; nil for nothing.
    package var exchange: MachineExchange? { makeExchange() }
    /// Topics that this plugin emits.
    package var emits: [TopicDeclaration] { makeTopics() }
    /// The automatic actions on other plugins' events.
    package var flows: [FlowDeclaration] { makeFlows() }
    /// The buttons of its desktop notifications.
    package var notificationActions: [NotificationActions] { makeActions() }
    /// The plugin's part of `hub search`, `hub today`, `hub sync`, `hub status`, `hub trash` and `hub history`.
    package var providers: Providers { completeProviders.value }
    /// The checks of `hub doctor`.
    package var checks: [DoctorCheck] { makeChecks() }
    /// The files that it imports when they are opened with hub.
    package var openers: [FileOpener] { makeOpeners() }
    /// Its part in the store of `hub demo`; nil for none.
    package var demo: DemoDeclaration? { makeDemo() }
    /// What it offers to assistants.
    package var tools: ToolDeclarations { makeTools() }
    /// Its part of `hub export` and `hub import`; nil for none.
    package var export: ExportDeclaration? { makeExport() }

    /// Returns the labels of one of its items: `tag:home` for each tag and `folder:diary` for its folder, in lower case.
    package func labels(of id: String, _ host: any PluginHost) async throws -> [String] {
        var labels: [String] = []
        for entity in declared.value { labels += try await entity.labels(host, id) }
        return labels
    }

    /// Returns what the item with the full id `id` was at a point; nil if its entity keeps no versions.
    package func earlier(_ host: any PluginHost, _ id: String, at point: HistoryPoint) async throws -> EarlierState? {
        for entity in declared.value {
            if let state = try await entity.earlier(host, id, point) { return state }
        }
        return nil
    }

    // A command needs little of its own plugin and next to nothing of the others, and each process would make all of it.
    private let keys: OnDemand<[any ConfigDeclaration]>
    private let makeServices: @Sendable () -> [ServiceDeclaration]
    private let makeDaily: @Sendable () -> [DailyJob]
    private let makeListeners: @Sendable () -> [ListenerDeclaration]
    private let makeCollections: @Sendable () -> [CollectionDeclaration]
    private let makeFolders: @Sendable () -> [FolderDeclaration]
    private let makeExchange: @Sendable () -> MachineExchange?
    private let makeFlows: @Sendable () -> [FlowDeclaration]
    private let makeActions: @Sendable () -> [NotificationActions]
    private let completeProviders: OnDemand<Providers>
    private let makeChecks: @Sendable () -> [DoctorCheck]
    private let makeOpeners: @Sendable () -> [FileOpener]
    private let makePage: @Sendable () -> PageDeclaration?
    private let makeRoutes: @Sendable () -> [Route]
    private let makeTopics: @Sendable () -> [TopicDeclaration]
    private let makeDemo: @Sendable () -> DemoDeclaration?
    private let makeTools: @Sendable () -> ToolDeclarations
    private let makeExport: @Sendable () -> ExportDeclaration?
    private let declared: OnDemand<[EntityDeclaration]>
    private let accounts: OnDemand<AccountDeclaration?>

    /// Creates the description; what follows from `entities` and `accounts` is added to the providers, settings and
    /// services. All but the names, the tables and the command is made when it is asked for.
    package init(
        id: String, title: String, summary: String, content: String, firstStep: String,
        configKeys: @autoclosure @escaping @Sendable () -> [any ConfigDeclaration] = [],
        schema: PluginSchema, command: Command,
        services: @autoclosure @escaping @Sendable () -> [ServiceDeclaration] = [],
        daily: @autoclosure @escaping @Sendable () -> [DailyJob] = [],
        page: @autoclosure @escaping @Sendable () -> PageDeclaration? = nil,
        routes: @autoclosure @escaping @Sendable () -> [Route] = [],
        listeners: @autoclosure @escaping @Sendable () -> [ListenerDeclaration] = [],
        collections: @autoclosure @escaping @Sendable () -> [CollectionDeclaration] = [],
        folders: @autoclosure @escaping @Sendable () -> [FolderDeclaration] = [],
        exchange: @autoclosure @escaping @Sendable () -> MachineExchange? = nil,
        emits: @autoclosure @escaping @Sendable () -> [TopicDeclaration] = [],
        flows: @autoclosure @escaping @Sendable () -> [FlowDeclaration] = [],
        notificationActions: @autoclosure @escaping @Sendable () -> [NotificationActions] = [],
        entities: @autoclosure @escaping @Sendable () -> [EntityDeclaration] = [],
        accounts: @autoclosure @escaping @Sendable () -> AccountDeclaration? = nil,
        providers: @autoclosure @escaping @Sendable () -> Providers = Providers(),
        checks: @autoclosure @escaping @Sendable () -> [DoctorCheck] = [],
        openers: @autoclosure @escaping @Sendable () -> [FileOpener] = [],
        demo: @autoclosure @escaping @Sendable () -> DemoDeclaration? = nil,
        tools: @autoclosure @escaping @Sendable () -> ToolDeclarations = ToolDeclarations(),
        export: @autoclosure @escaping @Sendable () -> ExportDeclaration? = nil
    ) {
        self.id = id
        self.title = title
        self.summary = summary
        self.content = content
        self.firstStep = firstStep
        self.schema = schema
        self.command = command
        let (declared, accounts) = (OnDemand(entities), OnDemand(accounts))
        (self.declared, self.accounts) = (declared, accounts)
        keys = OnDemand { configKeys() + (accounts.value?.keys ?? []).map { LiveKey($0) } }
        makeServices = services
        makeDaily = daily
        makePage = page
        makeRoutes = routes
        makeListeners = listeners
        makeCollections = collections
        makeFolders = folders
        makeExchange = exchange
        makeTopics = emits
        makeFlows = flows
        makeActions = notificationActions
        completeProviders = OnDemand { providers().adding(accounts.value).adding(declared.value) }
        makeChecks = { checks() + [accounts.value?.check].compactMap(\.self) }
        makeOpeners = openers
        makeDemo = demo
        makeTools = tools
        makeExport = export
    }
}

/// A feature module of hub.
///
/// It has two phases. The static `descriptor` says all that can be said without running anything: help, completion, man
/// pages, config validation and docs come from it, with no database open. The value itself is built lazily from a
/// `Context` and is the list of the plugin's use cases: its commands, routes, services and flows call those and nothing
/// else. Nothing in a plugin is global.
package protocol Plugin: Sendable {
    /// The declaration of what the plugin is and offers.
    static var descriptor: PluginDescriptor { get }

    /// Builds the use cases over `context`; called at most once per process, when one of them is first needed.
    init(context: Context) throws
}

/// A value that is made when it is first asked for, and once.
private final class OnDemand<Value: Sendable>: Sendable {
    private let known = Mutex<Value?>(nil)
    private let make: @Sendable () -> Value

    init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    var value: Value {
        if let value = known.withLock(\.self) { return value }
        // Outside of the lock, since it may ask for others. If two threads make it, the first value stays.
        let made = make()
        return known.withLock { value in
            if let value { return value }
            value = made
            return made
        }
    }
}
