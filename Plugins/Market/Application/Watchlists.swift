package import MarketDomain
import MarketKnownProviders
package import Storage

extension MarketPlugin {
    /// The name of the list that is meant when none is given.
    package static let defaultList = "favorites"

    /// Returns the lists by name.
    package func watchlists() async throws -> [Watchlist] { try await store.read { try watchlists($0) } }

    /// Returns the rows of a list in its order, after fetching what is too old.
    package func watchlist(
        _ name: String, in currency: Currency, isOffline: Bool
    ) async throws -> (rows: [RankedRow], origin: PriceOrigin) {
        let tokens = try await store.read { transaction in
            try watchlist(name, transaction).ids.map { text -> KnownToken in
                let key = TokenKey(text)
                // A token whose name is not known any more is shown by its id.
                guard
                    let known = try transaction.token(key)
                        ?? Token(id: key.id).map({
                            KnownToken(key: key, token: $0, rank: nil)
                        })
                else { throw HubError(.internal, code: "damaged-list", "the stored list \(name) cannot be read") }
                return known
            }
        }
        return try await prices(of: tokens, in: currency, isOffline: isOffline)
    }

    /// Adds tokens at the end of a list, or puts them at a place from 1, and returns those that it did not have.
    package func addToWatchlist(
        _ name: String, _ keys: [TokenKey], place: Int? = nil, operation: Operation
    ) async throws -> [TokenKey] {
        try await store.write(operation) { transaction in
            let keys = try keys.map { try preferred($0, transaction) }
            var list = try watchlist(name, transaction)
            let before = list
            let added = keys.filter { list.add($0.text) }
            if let place {
                for (offset, key) in keys.enumerated() { _ = list.move(key.text, to: place - 1 + offset) }
            }
            if list != before {
                try transaction.storeWatchlist(list)
                try transaction.emit(watchlist: name)
            }
            return added
        }
    }

    /// Takes tokens out of a list; throws `not-in-list` when one is not there.
    package func removeFromWatchlist(_ name: String, _ keys: [TokenKey], operation: Operation) async throws {
        try await store.write(operation) { transaction in
            let keys = try keys.map { try preferred($0, transaction) }
            var list = try watchlist(name, transaction)
            for key in keys where !list.remove(key.text) {
                throw HubError(
                    .notFound, code: "not-in-list", "\(key.text) is not in the list \(name)",
                    hint: "hub market watchlist list shows the lists")
            }
            try transaction.storeWatchlist(list)
            try transaction.emit(watchlist: name)
        }
    }
}
