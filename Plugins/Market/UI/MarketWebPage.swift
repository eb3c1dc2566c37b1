import HubKit

/// The page of prices in the web app.
enum MarketWebPage {
    static let routes = BoardRoutes.all + TokenRoutes.all + PortfolioRoutes.all + AlertRoutes.all

    static let declaration = PageDeclaration(
        icon: #"<path d="M4 4v16h16"/><path d="m7.5 14.5 3.6-4.3 3.2 2.6 5.2-6.3"/>"#,
        toolbar: PackageResources.toolbar_html, content: PackageResources.market_html, modules: modules,
        styles: [("market", PackageResources.market_css)], firstUse: firstUse,
        additions: [QuickAddition("Trade", icon: "coin", .open(path: "/market?view=trade"))])

    private static let modules = [
        ("market", PackageResources.market_js),
        ("page", PackageResources.page_js),
        ("money", PackageResources.money_js),
        ("board", PackageResources.board_js),
        ("lists", PackageResources.lists_js),
        ("token", PackageResources.token_js),
        ("charts", PackageResources.charts_js),
        ("portfolio", PackageResources.portfolio_js),
        ("trade", PackageResources.trade_js),
        ("alerts", PackageResources.alerts_js),
        ("providers", PackageResources.providers_js),
    ]

    private static let firstUse = FirstUse(
        "The crypto market",
        text:
            "Prices, watchlists, a portfolio with exact gains, and alerts. No prices are fetched before you open it.",
        steps: [FirstUse.Step("Open the market", path: "/market")]
    ) { (market: MarketPlugin) in
        if try await market.wasAsked() { return false }
        return try await market.tradeRecords().isEmpty
    }
}
