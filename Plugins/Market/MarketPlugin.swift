package import Commands
package import HubKit
package import MarketDomain
import MarketKnownProviders
import Storage

/// The plugin for prices, portfolio and alerts. Its use cases are methods, each in a file of `Application`.
package struct MarketPlugin: Plugin {
    /// The tables of the plugin.
    let store: Store
    /// The trades of the portfolio, with the use cases that all entities share.
    package let trades: Entities<TradeRecord>
    /// The alerts, likewise.
    package let alerts: Entities<AlertRecord>
    /// The providers of prices.
    let gateways: any MarketGateways
    /// What this process knows of their health.
    let health: ProviderHealthRecord
    /// The fetches that run.
    let fetches = FetchTurns()
    /// The charts that it fetched lately.
    let charts = ChartCache()
    /// The settings of the process.
    package let config: Config
    /// The source of the current time.
    package let clock: any Clock
    /// Rights to outer resources across processes.
    let locks: FileLocks
    /// The bus that announces commits.
    let bus: EventBus
    /// The log of the background service.
    let log: Log
    /// Whether nothing may go out to the network.
    package let isOffline: Bool

    /// Creates the plugin with the providers of the config file.
    package init(context: Context) throws { self.init(context: context, GatewaySettings(context)) }

    /// Creates the plugin with providers at other addresses, for tests.
    package init(context: Context, _ settings: GatewaySettings) {
        let keeper = StoredCallBudget(store: context.store, clock: context.clock)
        self.init(
            context: context, gateways: SystemMarketGateways(settings, keeper: keeper, clock: context.clock))
    }

    /// Creates the plugin with other providers, for tests.
    package init(context: Context, gateways: any MarketGateways) {
        store = context.store
        trades = Entities(TradeRecord.kind, in: context.store, context: context)
        alerts = Entities(AlertRecord.kind, in: context.store, context: context)
        self.gateways = gateways
        health = ProviderHealthRecord(context.config[MarketKeys.providers])
        config = context.config
        clock = context.clock
        locks = context.locks
        bus = context.bus
        log = context.log
        isOffline = context.isOffline
    }

    /// The currency of prices and values.
    package var currency: Currency { Currency(config[HubKeys.currency]) ?? .usd }

    /// The commands, services, events and providers of the plugin.
    package static let descriptor = PluginDescriptor(
        id: "market", title: "Market", summary: "prices, portfolio, alerts", content: "prices",
        firstStep: "hub market",
        configKeys: MarketKeys.all, schema: MarketSchema.schema { try $1.announceMarket($0) },
        command: MarketCommand.tree, services: services,
        page: MarketWebPage.declaration, routes: MarketWebPage.routes, emits: MarketEvents.declarations, flows: flows,
        entities: entities, providers: MarketProviders.all, demo: DemoPortfolio.declaration,
        tools: ToolDeclarations(lists: toolLists), export: export)

    private static let toolLists = [
        ToolList("prices", "tokens with the last known prices, by rank", command: "list"),
        ToolList("portfolio", "what is held, with its value and gain", command: "portfolio", "list"),
        ToolList("trades", "entries of the ledger", command: "portfolio", "history"),
        ToolList("alerts", "price alerts", command: "alerts", "list"),
    ]

    private static let entities = [
        EntityDeclaration(PortfolioCommands.entity, web: PortfolioRoutes.trades),
        EntityDeclaration(AlertCommands.entity, web: AlertRoutes.entity),
    ]

    private static let services = [
        ServiceDeclaration("prices", summary: "refresh needed prices and raise alerts") {
            (market: MarketPlugin) in PriceService(market: market)
        },
        ServiceDeclaration("contracts", summary: "match the coins of providers by their contracts, once a week") {
            (market: MarketPlugin) in ContractService(market: market)
        },
    ]

    private static let flows = [
        FlowDeclaration(
            "alert-command", summary: "run the command of a raised alert", on: ["app.market/alert-raised"]
        ) { (market: MarketPlugin, event, _) in try await market.runAlertCommand(event) }
    ]
}

extension Transaction {
    /// Publishes the changes of `ids` by undo or redo; names of lists are among them.
    func announceMarket(_ ids: [String]) throws {
        for id in ids {
            if try TradeRecord.kind.announce(id, in: self) { continue }
            if try AlertRecord.kind.announce(id, in: self) { continue }
            let key = TokenKey(id)
            if let token = try token(key) { try emit(coin: key, token.token.name) }
            // A trade or an alert that is gone as well looks like an id; anything else is the name of a list.
            guard id.utf8.count == Identifier.length, Identifier.isPrefix(id) else {
                try emit(watchlist: id)
                continue
            }
            for topic in [MarketEvents.tradesChanged, MarketEvents.alertsChanged] {
                try emit(
                    Event(topic, subject: id) { body in
                        body.name("name")
                        body.value("")
                    })
            }
        }
    }

    /// Publishes that a list changed.
    func emit(watchlist name: String) throws {
        try emit(
            Event(MarketEvents.watchlistsChanged, subject: String(name.prefix(100))) { body in
                body.name("name")
                body.value(name)
            })
    }
}
