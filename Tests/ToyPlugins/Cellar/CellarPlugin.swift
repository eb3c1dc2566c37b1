import CellarDomain
import CivilDate
import Commands
package import HubKit
import Storage

/// The plugin with its use cases.
package struct CellarPlugin: Plugin {
    let context: Context
    let bottles: Entities<Bottle>
    var store: Store { context.store }

    /// Creates the plugin.
    package init(context: Context) {
        self.context = context
        bottles = Entities(Bottle.kind, in: context.store, context: context)
    }

    /// The commands, routes, services, settings and tables of the plugin.
    package static let descriptor = PluginDescriptor(
        id: "cellar", title: "Cellar", summary: "bottles and their days", content: "bottles",
        firstStep: "hub cellar new NAME", configKeys: [CellarKeys.daysAhead], schema: CellarSchema.schema,
        command: CellarCommands.tree, services: services,
        page: PageDeclaration(
            icon: #"<circle cx="12" cy="12" r="8"/>"#, modules: [("cellar", PackageResources.cellar_js)]),
        routes: CellarRoutes.all, emits: CellarEvents.declarations,
        entities: [EntityDeclaration(CellarCommands.bottles, web: CellarCommands.web)],
        providers: Providers(search: search, today: today), checks: checks)

    private static let services = [
        ServiceDeclaration("days", summary: "remind of days", every: .seconds(900), clock: { $0.context.clock }) {
            (plugin: CellarPlugin) in try await plugin.remindOfDays()
        }
    ]

    private static let search = SearchProvider(words: Bottle.words, detail: { $0.day?.description ?? "" }) {
        (plugin: CellarPlugin, words, limit) in try await Array(plugin.search(words).prefix(limit))
    }

    private static let today = TodayProvider { (plugin: CellarPlugin, day) in
        try await plugin.search([]).filter { $0.day == day }.map { TodayItem(id: $0.id, text: $0.name) }
    }

    private static let checks = [
        DoctorCheck(derived: "cellar index", fine: "the index matches all items") { (plugin: CellarPlugin) in
            try await plugin.staleTexts().map { "the text of \($0) is stale" }
        } rebuild: { plugin in
            try await plugin.rebuildTexts()
        }
    ]
}

/// The settings under `plugins.cellar`.
enum CellarKeys {
    static let daysAhead = ConfigKey(
        "days_ahead", .integer(in: 0...365), default: 0, help: "number of days to remind ahead")
}
