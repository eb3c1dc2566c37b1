import Commands
import HubKit
import Storage
import Sync
import TeaDomain

/// The accounts in tea shops: each delivered order adds leaves to a tea.
struct TeaShops: AccountBackend {
    static let kind = AccountKind(
        plugin: "tea", things: "orders",
        addresses: AccountAddresses(
            "URL", help: "address of the shop", description: "a URL", examples: "https://shop.example.org",
            server: "shop"),
        secret: .key, unit: "orders",
        texts: AccountTexts(
            accounts: "manage tea shops", add: ("connect a tea shop", "", shops),
            edit: Example("hub tea accounts edit leaf --every 1h", "sync less often"), remove: "Teas are kept.",
            found: ("order", "orders"), sync: ("add the leaves of delivered orders", ""), firstSteps: shops))
    private static let shops = [
        Example("hub tea accounts add leaf https://shop.example.org", "asks for the API key"),
        Example("hub tea accounts add leaf shop.example.org --key-command 'pass leaf'", "with a password manager"),
    ]

    let store: Store

    func connect(to account: Account, password: String?, isBrief: Bool) throws -> ShopClient {
        try ShopClient(account, key: password ?? "", isBrief: isBrief)
    }

    func discover(_ account: Account, over shop: ShopClient) async throws -> [String] {
        try await shop.orders().map(\.id)
    }

    func sync(
        _ account: Account, over shop: ShopClient, _ request: SyncRequest, into report: inout SyncReport<SyncNotes>
    ) async throws {
        let orders = try await shop.orders()
        for (index, order) in orders.enumerated() {
            let isNew = try await store.write(request.operation) { transaction in
                try transaction.deliver(order, of: account.name, isPlan: request.isDryRun)
            }
            report.run.received.new += isNew ? 1 : 0
            request.progress(index + 1, orders.count)
        }
    }
}

extension Transaction {
    /// Adds the leaves of an order to its tea, which is created if there is none of this name. Returns false if the
    /// order was added before.
    fileprivate func deliver(_ order: ShopOrder, of account: String, isPlan: Bool) throws -> Bool {
        if try hasOrder(order.id, of: account) { return false }
        if isPlan { return true }
        let known = try teas(inTrash: false).first { $0.name == order.tea }
        var tea = known ?? Tea(id: Identifier.make(), name: order.tea, grams: 0)
        tea.grams += order.grams
        try note(order: order.id, of: account, for: tea.id)
        _ = try store(tea, known == nil ? Tea.topics.added : Tea.topics.changed)
        return true
    }
}
