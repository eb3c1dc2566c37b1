import HubKitTesting
import HubRuntimeTesting
import TeaDomain
import Testing

@testable import Tea

/// The accounts of the toy plugin, with a shop on the loopback interface.
struct TeaShopTests {
    private func connected(_ shop: FakeShop) async throws -> TestHub {
        let hub = try TestHub(TeaPlugin.self)
        let added = await hub.run("tea accounts add leaf \(shop.url) --key-command 'echo secret'")
        #expect(added.exit == 0, "\(added.all)")
        return hub
    }

    @Test func `orders add leaves, each once, and undo takes them back`() async throws {
        let shop = try FakeShop()
        shop.deliver("o1", "Sencha", 100)
        shop.deliver("o2", "Assam", 50)
        let hub = try await connected(shop)
        #expect(await hub.run("tea new Sencha --grams 10").exit == 0)
        #expect(await hub.run("tea sync --dry-run").all.contains("would receive 2 new"))
        #expect(await hub.teas() == ["Sencha 10"])
        #expect(await hub.run("tea sync").all.contains("received 2 new"))
        #expect(await hub.teas() == ["Assam 50", "Sencha 110"])
        shop.deliver("o3", "Assam", 5)
        #expect(await hub.run("sync").all.contains("received 1 new"))
        #expect(await hub.run("tea sync").all.contains("up to date"))
        #expect(await hub.teas() == ["Assam 55", "Sencha 110"])
        #expect(await hub.run("status").output.contains("leaf"))

        // The order is forgotten with its leaves, so that the next sync adds it.
        let operations = await hub.run("history --plain=id,name").output.split(separator: "\n")
        let sync = try #require(operations.first { $0.contains("tea sync") }?.split(separator: "\t").first)
        let undone = await hub.run("undo \(sync)")
        #expect(undone.exit == 0, "\(undone.all)")
        #expect(await hub.teas() == ["Assam 50", "Sencha 110"])
        #expect(await hub.run("tea sync").all.contains("received 1 new"))
        #expect(await hub.teas() == ["Assam 55", "Sencha 110"])
    }

    @Test func `an account is tested before it is added, and its failures are told`() async throws {
        let shop = try FakeShop()
        let hub = try TestHub(TeaPlugin.self)
        let denied = await hub.run("tea accounts add leaf \(shop.url) --key-command 'echo wrong'")
        #expect(denied.exit == 77, "\(denied.all)")
        #expect(await hub.run("tea accounts list").all.contains("hub tea accounts add leaf"))
        let other = try await connected(shop)
        shop.fail(with: 500)
        #expect(await other.run("tea sync").exit == 69)
        #expect(await other.run("tea status --plain=state").output == "failing\n")
        shop.fail(with: 200)
        #expect(await other.run("tea sync").exit == 0)
        #expect(await other.run("tea accounts rm leaf --yes").exit == 0)
        #expect(await other.run("tea accounts list").all.contains("No accounts"))
    }

    @Test func `a list of orders is read, and invalid orders are left out`() {
        let text = """
            {"orders": [{"id": "1", "tea": "Sencha", "grams": 5}, {"id": 2, "tea": "x", "grams": 1}, {"id": "3"},
            {"id": "4", "tea": " ", "grams": 1}, {"id": "5", "tea": "Assam", "grams": 0}]}
            """
        let orders = ShopOrder.read(Array(text.utf8))
        #expect(orders?.map { "\($0.id) \($0.tea) \($0.grams)" } == ["1 Sencha 5"])
        for text in ["", "[]", "{}", #"{"orders": 1}"#, String(repeating: "[", count: 100_000)] {
            #expect(ShopOrder.read(Array(text.utf8)) == nil, "\(text.prefix(20))")
        }
    }
}
