package import Commands
package import Storage

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
    package let configKeys: [any ConfigDeclaration]
    /// The plugin's tables: their migrations, and which of them have history and undo.
    package let schema: PluginSchema
    /// `hub <id>` and all below it.
    package let command: Command
    /// The services that run in `hub serve`.
    package let services: [ServiceDeclaration]
    /// The daily jobs, with or without `hub serve`.
    package let daily: [DailyJob]
    /// The page in the web app.
    package var page: PageDeclaration? { makePage() }
    /// The HTTP routes, beginning with those of the entities.
    package var routes: [Route] {
        let entities = entities
        let items = entities.map(\.item)
        return (entities.flatMap(\.routes) + makeRoutes()).map { $0.about(items) }
    }
    /// What pages need to know of the entities, in the order of their declarations.
    package var entities: [EntityWeb] { declared.compactMap { $0.web() } }
    /// The name of the plugin in the web app: that of its page, else its title.
    package var pageTitle: String { page?.name ?? title }
    /// The singular noun of the items that the page shows by their ids: that of the first entity; nil without entities.
    package var itemNoun: String? { declared.first?.names.noun.one }
    /// The listeners for other programs and machines.
    package let listeners: [ListenerDeclaration]
    /// The collections for devices such as phones.
    package let collections: [CollectionDeclaration]
    /// The trees of files for devices.
    package let folders: [FolderDeclaration]
    /// Topics that this plugin emits.
    package var emits: [TopicDeclaration] { makeTopics() }
    /// The automatic actions on other plugins' events.
    package let flows: [FlowDeclaration]
    /// The buttons of its desktop notifications.
    package let notificationActions: [NotificationActions]
    /// The plugin's part of `hub search`, `hub today`, `hub sync`, `hub status`, `hub trash` and `hub history`.
    package let providers: Providers
    /// The checks of `hub doctor`.
    package let checks: [DoctorCheck]
    /// The files that it imports when they are opened with hub.
    package let openers: [FileOpener]
    /// Its part in the store of `hub demo`; nil for none.
    package var demo: DemoDeclaration? { makeDemo() }
    /// What it offers to assistants.
    package var tools: ToolDeclarations { makeTools() }
    /// Its part of `hub export` and `hub import`; nil for none.
    package var export: ExportDeclaration? { makeExport() }

    /// Returns the labels of one of its items: `tag:home` for each tag and `folder:diary` for its folder, in lower case.
    package func labels(of id: String, _ host: any PluginHost) async throws -> [String] {
        var labels: [String] = []
        for entity in declared { labels += try await entity.labels(host, id) }
        return labels
    }

    /// Returns what the item with the full id `id` was at a point; nil if its entity keeps no versions.
    package func earlier(_ host: any PluginHost, _ id: String, at point: HistoryPoint) async throws -> EarlierState? {
        for entity in declared {
            if let state = try await entity.earlier(host, id, point) { return state }
        }
        return nil
    }

    // A command needs no page, and each process would make them all.
    private let makePage: @Sendable () -> PageDeclaration?
    private let makeRoutes: @Sendable () -> [Route]
    private let makeTopics: @Sendable () -> [TopicDeclaration]
    private let makeDemo: @Sendable () -> DemoDeclaration?
    private let makeTools: @Sendable () -> ToolDeclarations
    private let makeExport: @Sendable () -> ExportDeclaration?
    private let declared: [EntityDeclaration]

    /// Creates the description; what follows from `entities` and `accounts` is added to the providers, settings and
    /// services. The page, routes, topics and what pages need to know of entities are made when they are asked for.
    package init(
        id: String, title: String, summary: String, content: String, firstStep: String,
        configKeys: [any ConfigDeclaration] = [],
        schema: PluginSchema, command: Command, services: [ServiceDeclaration] = [],
        daily: [DailyJob] = [], page: @autoclosure @escaping @Sendable () -> PageDeclaration? = nil,
        routes: @autoclosure @escaping @Sendable () -> [Route] = [],
        listeners: [ListenerDeclaration] = [], collections: [CollectionDeclaration] = [],
        folders: [FolderDeclaration] = [],
        emits: @autoclosure @escaping @Sendable () -> [TopicDeclaration] = [],
        flows: [FlowDeclaration] = [], notificationActions: [NotificationActions] = [],
        entities: [EntityDeclaration] = [], accounts: AccountDeclaration? = nil, providers: Providers = Providers(),
        checks: [DoctorCheck] = [], openers: [FileOpener] = [],
        demo: @autoclosure @escaping @Sendable () -> DemoDeclaration? = nil,
        tools: @autoclosure @escaping @Sendable () -> ToolDeclarations = ToolDeclarations(),
        export: @autoclosure @escaping @Sendable () -> ExportDeclaration? = nil
    ) {
        self.id = id
        self.title = title
        self.summary = summary
        self.content = content
        self.firstStep = firstStep
        self.configKeys = configKeys + (accounts?.keys ?? []).map { LiveKey($0) }
        self.schema = schema
        self.command = command
        self.services = services + [accounts?.service].compactMap(\.self)
        self.daily = daily
        makePage = page
        makeRoutes = routes
        declared = entities
        self.listeners = listeners
        self.collections = collections
        self.folders = folders
        makeTopics = emits
        self.flows = flows
        self.notificationActions = notificationActions
        self.providers = providers.adding(accounts).adding(entities)
        self.checks = checks + [accounts?.check].compactMap(\.self)
        self.openers = openers
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
