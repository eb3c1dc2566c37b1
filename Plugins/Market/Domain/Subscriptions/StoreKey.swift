/// The name of a piece of the store, an event or a subscription: `layer.context/entity`, such as `domain.market/prices`.
package struct StoreKey: Hashable, Sendable {
    /// The layers of the architecture.
    package enum Layer: String, CaseIterable, Sendable {
        case gate, domain, app, ui
    }

    /// The layer that owns it: no other layer writes it.
    package let layer: Layer
    /// The context, such as `market`.
    package let context: String
    /// The entity, such as `prices`.
    package let entity: String

    /// Parses a name; nil for anything but a layer and two words of lower-case letters, digits and dashes.
    package init?(_ text: some StringProtocol) {
        let parts = String(text).split(separator: "/" as Character, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let names = parts[0].split(separator: "." as Character, omittingEmptySubsequences: false)
        guard names.count == 2, let layer = Layer(rawValue: String(names[0])), StoreKey.isWord(names[1]),
            StoreKey.isWord(parts[1])
        else { return nil }
        self.layer = layer
        context = String(names[1])
        entity = String(parts[1])
    }

    private init(_ layer: Layer, _ entity: String) {
        self.layer = layer
        context = "market"
        self.entity = entity
    }

    private static func isWord(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    /// The order of tokens.
    package static let leaderboard = StoreKey(.domain, "leaderboard")
    /// The names and pictures of tokens.
    package static let tokens = StoreKey(.domain, "tokens")
    /// The prices of tokens.
    package static let prices = StoreKey(.domain, "prices")
    /// The user's lists.
    package static let watchlists = StoreKey(.domain, "watchlists")
    /// The trades of the portfolio.
    package static let trades = StoreKey(.domain, "trades")
    /// The user's alerts.
    package static let alerts = StoreKey(.domain, "alerts")
    /// The state of the board.
    package static let board = StoreKey(.app, "board")
    /// What a screen shows of the board, and in which order.
    package static let boardScreen = StoreKey(.ui, "board-screen")
    /// The health of providers.
    package static let providers = StoreKey(.gate, "providers")
}

extension StoreKey: CustomStringConvertible {
    /// The name.
    package var description: String { "\(layer.rawValue).\(context)/\(entity)" }
}
