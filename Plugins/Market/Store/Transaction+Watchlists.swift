package import MarketDomain
import SQLite
package import Storage

/// The user's lists of tokens.
extension Transaction {
    /// Returns the lists by name, each in its order.
    package func watchlists() throws -> [Watchlist] {
        let entries = try rows("SELECT list, token FROM market_watch ORDER BY list, position, token") {
            (list: $0.text(0), token: $0.text(1))
        }
        var lists: [Watchlist] = []
        for entry in entries {
            if lists.last?.name != entry.list { lists.append(Watchlist(name: entry.list)) }
            _ = lists[lists.count - 1].add(entry.token)
        }
        return lists
    }

    /// Returns a list; an empty one when there is none of this name.
    package func watchlist(_ name: String) throws -> Watchlist {
        Watchlist(
            name: name,
            ids: try rows("SELECT token FROM market_watch WHERE list = ? ORDER BY position, token", name) {
                $0.text(0)
            })
    }

    /// Stores a list in the place of the one with its name.
    package func storeWatchlist(_ list: Watchlist) throws {
        let old = try watchlist(list.name).ids
        for id in old where !list.ids.contains(id) {
            try run("DELETE FROM market_watch WHERE list = ? AND token = ?", list.name, id)
        }
        for (position, id) in list.ids.enumerated() {
            try run(
                """
                INSERT INTO market_watch (list, token, position) VALUES (?, ?, ?)
                ON CONFLICT (list, token) DO UPDATE SET position = excluded.position
                WHERE position <> excluded.position
                """, list.name, id, position)
        }
    }
}
