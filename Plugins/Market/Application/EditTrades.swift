import BigInteger
import CivilDate
package import HubKit
package import MarketDomain
import MarketKnownProviders
import Storage

extension MarketPlugin {
    /// Stores an entry of the ledger. Throws `oversold` when more would leave than is held on that day or later.
    package func addTrade(_ trade: Trade, operation: Operation) async throws -> TradeRecord {
        try await store.write(operation) { transaction in
            let trade = try trade.renamingTokens { try preferred(TokenKey($0), transaction).text }
            let known = try tradeRecords(transaction)
            try refuseOversold(known.map(\.trade) + [trade], before: known, transaction)
            try transaction.insertTrade(trade)
            let record = try TradeRecord.kind.item(trade.id, in: transaction)
            try transaction.emit(MarketEvents.tradesChanged, record)
            return record
        }
    }

    /// Changes an entry; what `change` does not say stays. Throws as ``addTrade`` does, and `changed` if the entry has another
    /// revision than `revision`.
    package func editTrade(
        _ id: String, _ change: TradeChange, expecting revision: Int? = nil, operation: Operation
    ) async throws -> TradeRecord {
        try await store.write(operation) { transaction in
            let record = try TradeRecord.kind.live(id, expecting: revision, in: transaction)
            let trade: Trade
            do throws(Trade.Problem) { trade = try change.applied(to: record.trade) } catch { throw HubError(error) }
            guard trade != record.trade else { return record }
            let known = try tradeRecords(transaction)
            try refuseOversold(known.map { $0.id == id ? trade : $0.trade }, before: known, transaction)
            return try transaction.storeTrade(trade)
        }
    }

    /// Throws `oversold` if more disposals exceed what was held than before.
    private func refuseOversold(_ trades: [Trade], before: [TradeRecord], _ transaction: Transaction) throws {
        func shortfalls(_ trades: [Trade]) -> [Ledger.Shortfall] {
            Ledger(trades, basis: .fifo, in: Valuation(in: currency)).shortfalls
        }
        let (old, new) = (shortfalls(before.map(\.trade)), shortfalls(trades))
        guard new.count > old.count, let shortfall = new.last(where: { !old.contains($0) }) else { return }
        let symbol = try transaction.token(TokenKey(shortfall.key.tokenID))?.token.symbol ?? shortfall.key.tokenID
        let verb =
            switch shortfall.use {
            case .sell: "sold"
            case .swap: "swapped"
            case .gift: "given"
            case .loss: "lost"
            case .fee: "paid as a fee"
            case nil: "moved"
            }
        throw HubError(
            .invalid, code: "oversold",
            "\(shortfall.amount) \(symbol) cannot be \(verb) on \(shortfall.trade.date): \(shortfall.held) are held",
            hint: "hub market portfolio history lists the entries")
    }
}

extension Transaction {
    /// Replaces the values of a stored entry, publishes the change and returns the entry.
    func storeTrade(_ trade: Trade) throws -> TradeRecord {
        try updateTrade(trade)
        let changed = try TradeRecord.kind.item(trade.id, in: self)
        try emit(MarketEvents.tradesChanged, changed)
        return changed
    }
}

extension HubError {
    /// The error of values that are not an entry of the ledger.
    package init(_ problem: Trade.Problem) {
        let text =
            switch problem {
            case .amount: "the amount must be above zero"
            case .price: "the price cannot be negative"
            case .fee: "the fee cannot be negative, and a fee in a coin must be above zero"
            case .valueOfKind: "a transfer and a loss have no price"
            case .received: "a swap, and nothing else, says which other token was received"
            case .places: "a transfer, and nothing else, goes from one place to another"
            case .income: "only an income has a source"
            case .feeOfFee: "an entry that is a fee has no other fee"
            }
        self.init(.invalid, code: "invalid-trade", text)
    }
}
