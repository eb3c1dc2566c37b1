import Commands
import MarketDomain
import Storage

/// The rows whose prices change, for a pipe.
struct PriceStream: AsyncSequence, Sendable {
    let market: MarketPlugin
    let currency: Currency
    let fields: [Field<RankedRow>]
    let isOffline: Bool

    init(_ market: MarketPlugin, _ currency: Currency, _ fields: [Field<RankedRow>], isOffline: Bool) {
        self.market = market
        self.currency = currency
        self.fields = fields
        self.isOffline = isOffline
    }

    func makeAsyncIterator() -> Iterator {
        let keeper = Task { [market, isOffline] in
            if !isOffline { try await market.watchBoard(as: market.newReader()) { PricesInSight(places: 0..<100) } }
        }
        return Iterator(
            stream: self, changes: market.boardChanges().makeAsyncIterator(), keeper: Keeper(task: keeper))
    }

    struct Iterator: AsyncIteratorProtocol {
        let stream: PriceStream
        var changes: ChangeNotifier.Iterator
        let keeper: Keeper
        private var known: [TokenKey: StoredPrice]?

        init(stream: PriceStream, changes: ChangeNotifier.Iterator, keeper: Keeper) {
            self.stream = stream
            self.changes = changes
            self.keeper = keeper
        }

        /// The rows whose price differs from the one before; at first all that are known.
        mutating func next() async throws -> Rows? {
            while true {
                if known != nil, await changes.next() == nil { return nil }
                let rows = try await stream.market.storedBoard(BoardQuery(currency: stream.currency)).rows
                let changed = rows.filter { item in item.row.price.map { known?[item.row.key] != $0 } ?? false }
                known = Dictionary(rows.compactMap { item in item.row.price.map { (item.row.key, $0) } }) { first, _ in
                    first
                }
                if !changed.isEmpty { return Rows(changed, stream.fields) }
            }
        }
    }

    /// The task that keeps the board live, cancelled together with the reader.
    final class Keeper: Sendable {
        private let task: Task<Void, any Error>

        init(task: Task<Void, any Error>) { self.task = task }

        deinit { task.cancel() }
    }
}
