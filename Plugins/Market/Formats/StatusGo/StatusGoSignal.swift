package import JSON
package import MarketDomain
package import Time

/// A signal of status-go, from its WebSocket.
package enum StatusGoSignal: Sendable {
    /// The answer to a request of a page.
    case pageDone(StatusGoPage)
    /// The live page as its provider has it now, its values dated back by ``listAge``.
    case pageUpdated(StatusGoPage)
    case pricesUpdated(StatusGoPrices)
    /// Whether the provider behind status-go answers.
    case marketStatus(isUp: Bool)
    /// A login ended; the error is empty when it succeeded.
    case login(error: String, keyUID: String?)
    case stopped
    /// Routes for a transfer, for the request with this uuid.
    case routes(uuid: String, JSONValue)
    /// Any other signal, by its type.
    case other(String)

    /// How much older the values of an update of the page may be than its arrival. The backend takes them from its list of
    /// markets, which it asks for less often than for prices, so they must not replace a newer price.
    package static let listAge = Duration.seconds(30)

    private static let limits = JSONReader.Limits(bytes: 16 << 20, depth: 32, isLenient: true)

    /// Decodes one text frame.
    package init(_ frame: [UInt8], arrival: Instant) throws(GatewayError) {
        let json: JSONValue
        do throws(JSONReader.Problem) { json = try JSONReader.read(frame, limits: StatusGoSignal.limits) } catch {
            throw .malformed("signal: \(error.kind.reason) at byte \(error.offset)")
        }
        guard let type = json["type"]?.string else { throw .malformed("signal without a type") }
        switch type {
        case "wallet": self = try StatusGoSignal.wallet(json["event"], arrival: arrival)
        case "node.login":
            let event = json["event"]
            let keyUID = event?["settings"]?["key-uid"]?.string ?? event?["account"]?["key-uid"]?.string
            self = .login(error: TokenLabel.cleaned(event?["error"]?.string ?? ""), keyUID: keyUID)
        case "node.stopped": self = .stopped
        case "wallet.suggested.routes":
            guard let event = json["event"], let uuid = event["Uuid"]?.string ?? event["uuid"]?.string else {
                throw .malformed("routes without a uuid")
            }
            self = .routes(uuid: uuid, event)
        default: self = .other(type)
        }
    }

    private static func wallet(_ event: JSONValue?, arrival: Instant) throws(GatewayError) -> StatusGoSignal {
        guard let type = event?["type"]?.string else { throw .malformed("wallet signal without a type") }
        // What the signal says is text that holds JSON.
        let message = event?["message"]?.string ?? ""
        switch type {
        case "wallet-fetch-leaderboard-page-done":
            return .pageDone(try StatusGoLeaderboard.page(message, arrival: arrival))
        case "wallet-leaderboard-page-data-updated":
            return .pageUpdated(try StatusGoLeaderboard.page(message, arrival: arrival - listAge))
        case "wallet-leaderboard-page-prices-updated":
            return .pricesUpdated(try StatusGoLeaderboard.prices(message, arrival: arrival))
        case "wallet-market-status-changed": return .marketStatus(isUp: message == "up")
        default: return .other(type)
        }
    }
}
