import HubKitTesting
import HubRuntimeTesting
import NetworkTestSupport
import Synchronization

@testable import Tea

/// A tea shop on the loopback interface, with the key `secret`.
final class FakeShop: Sendable {
    private let orders = Mutex<[(id: String, tea: String, grams: Int)]>([])
    private let status = Mutex(200)
    private let server = Mutex<ScriptedServer?>(nil)

    init() throws {
        let server = try ScriptedServer { [weak self] connection in
            while let request = connection.request(), let shop = self {
                let (status, body) = shop.respond(to: request)
                connection.answer(status, ["Content-Type: application/json"], body)
            }
        }
        self.server.withLock { $0 = server }
    }

    var url: String { "http://127.0.0.1:\(server.withLock { $0?.port ?? 0 })" }

    /// Delivers an order.
    func deliver(_ id: String, _ tea: String, _ grams: Int) { orders.withLock { $0.append((id, tea, grams)) } }

    /// Responds with another status from now on.
    func fail(with code: Int) { status.withLock { $0 = code } }

    private func respond(to request: ScriptedRequest) -> (Int, String) {
        guard request.headers["authorization"] == "Bearer secret" else { return (401, "") }
        guard request.method == "GET", request.target == "/orders" else { return (404, "") }
        let code = status.withLock(\.self)
        if code != 200 { return (code, "") }
        let list = orders.withLock(\.self).map { #"{"id":"\#($0.id)","tea":"\#($0.tea)","grams":\#($0.grams)}"# }
        return (200, "{\"orders\":[\(list.joined(separator: ","))]}")
    }
}

extension TestHub {
    /// The names of the teas with their leaves, as programs get them.
    func teas() async -> [String] {
        await run("tea list --plain=name,grams").output.split(separator: "\n").map {
            String($0.replacing("\t", with: " "))
        }
    }
}
