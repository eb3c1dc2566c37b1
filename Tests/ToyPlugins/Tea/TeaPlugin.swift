import Commands
import HubKit
import Storage
import TeaDomain

/// The toy plugin: teas, with the leaves that are left of each.
struct TeaPlugin: AccountPlugin {
    let context: Context
    let teas: Entities<Tea>
    let accounts: AccountManager<TeaShops>
    var store: Store { context.store }
    var log: Log { context.log }

    init(context: Context) {
        self.context = context
        teas = Entities(Tea.kind, in: context.store, context: context)
        accounts = AccountManager(context, TeaShops(store: context.store))
    }

    static let descriptor = PluginDescriptor(
        id: "tea", title: "Tea", summary: "teas and pots", content: "teas", firstStep: "hub tea new Sencha",
        configKeys: [TeaKeys.lowGrams], schema: TeaSchema.schema, command: TeaCommands.tree, services: services,
        page: PageDeclaration(
            icon: #"<path d="M4 9h13v6a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5zm13 1.5h1.5a2 2 0 0 1 0 5H17"/>"#,
            modules: [("tea", PackageResources.tea_js)]),
        routes: TeaRoutes.all, emits: TeaEvents.declarations,
        entities: [EntityDeclaration(TeaCommands.teas, web: TeaCommands.web)],
        accounts: AccountDeclaration(of: TeaPlugin.self), providers: Providers(search: search), checks: checks)

    static let itemFields = [Field<String>("order", "ORDER", help: "number of the order") { .text($0) }]
    static func line(_ order: String) -> String { order }

    private static let services = [
        ServiceDeclaration("leaves", summary: "remind of low teas", every: .seconds(900), clock: { $0.context.clock }) {
            (tea: TeaPlugin) in try await tea.remindOfLowTeas()
        }
    ]

    private static let search = SearchProvider(words: Tea.words, detail: { (tea: Tea) in "\(tea.grams) g" }) {
        (tea: TeaPlugin, words, limit) in try await Array(tea.search(words).prefix(limit))
    }

    private static let checks = [
        DoctorCheck(derived: "tea index", fine: "the index matches every tea") { (tea: TeaPlugin) in
            try await tea.store.read { try $0.teasWithStaleText() }.map { "the text of \($0) is stale" }
        } rebuild: { tea in
            try await tea.store.write(Operation("tea reindex", kind: .cache)) { transaction in
                try transaction.reindexTeas(try transaction.teasWithStaleText())
            }
        }
    ]
}

enum TeaKeys {
    static let lowGrams = ConfigKey(
        "low_grams", .integer(in: 0...1000), default: 20, help: "leaves in grams below which a tea is running out")
}
