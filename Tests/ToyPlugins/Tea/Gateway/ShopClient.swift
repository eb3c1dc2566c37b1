import HTTPClient
import Sync
import SyncHTTP
import TeaDomain

/// A tea shop: `GET /orders` with an API key.
struct ShopClient: Sendable {
    private let client = HTTPClient()
    private let request: HTTPRequest

    init(_ account: Account, key: String, isBrief: Bool) throws(RemoteError) {
        guard var url = HTTPURL(account.place) else { throw .refused(reason: "the address is not a URL") }
        url.path = "/orders"
        request = HTTPRequest(
            .get, url, headers: ["Authorization": "Bearer \(key)"],
            deadlines: HTTPDeadlines(connect: .seconds(isBrief ? 10 : 30)), maximumBody: ShopOrder.maximumBytes)
    }

    func orders() async throws(RemoteError) -> [ShopOrder] {
        let response = try await client.succeed(request)
        if let orders = ShopOrder.read(response.body) { return orders }
        throw .malformed(reason: "the response is not a list of orders")
    }
}
