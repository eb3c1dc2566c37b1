import BigInteger
import CivilDate

/// What the entries of a ledger do to the tokens of each portfolio and place, in order, after what exceeds the holdings was taken out.
struct LedgerSteps {
    /// Tokens that arrive.
    struct Acquisition {
        let key: Ledger.Key
        let trade: Trade
        let amount: BigDecimal
        /// What they cost; nil when it is not known.
        let cost: Worth?
    }

    /// Tokens that leave for good.
    struct Removal {
        let key: Ledger.Key
        let trade: Trade
        let use: Ledger.Disposal.Use
        let amount: BigDecimal
        /// What they were worth; nil when it is not known.
        let value: Worth?
        /// Whether they leave at their cost, without a gain.
        let isAtCost: Bool
        /// The fee that lessens the proceeds; nil when it is not known.
        let fee: Worth?
    }

    /// Tokens that change their place.
    struct Move {
        let source: Ledger.Key
        let target: Ledger.Key
        let amount: BigDecimal
    }

    enum Step {
        case acquire(Acquisition)
        case dispose(Removal)
        case move(Move)
    }

    private(set) var steps: [Step] = []
    private(set) var shortfalls: [Ledger.Shortfall] = []
    private(set) var incomes: [Ledger.Income] = []
    private(set) var valuer: Valuer
    private let perPlace: Bool
    private var held: [Ledger.Key: BigDecimal] = [:]

    init(_ trades: [Trade], perPlace: Bool, _ valuation: Valuation) {
        self.perPlace = perPlace
        valuer = Valuer(valuation)
        for trade in Trade.ordered(trades) { add(trade) }
    }

    private mutating func add(_ trade: Trade) {
        let value = valuer.value(trade)
        let fee = valuer.fee(trade, value: value)
        let cost: Worth? =
            if let value, let fee {
                Worth(amount: value.amount + fee.amount, isByClose: value.isByClose || fee.isByClose)
            } else { nil }
        switch trade.kind {
        case .buy, .giftReceived: acquire(trade.tokenID, trade.amount, trade, cost: cost)
        case .income:
            acquire(trade.tokenID, trade.amount, trade, cost: cost)
            incomes.append(
                Ledger.Income(trade: trade, value: value?.amount, isByClose: value?.isByClose ?? false))
        case .sell: dispose(.sell, trade, value, fee)
        case .swap:
            dispose(.swap, trade, value, fee)
            if let received = trade.received { acquire(received.tokenID, received.amount, trade, cost: value) }
        case .giftGiven: dispose(.gift, trade, value, fee, isAtCost: trade.value == nil)
        case .loss: dispose(.loss, trade, value, fee)
        case .fee: dispose(.fee, trade, value, Worth(amount: 0))
        case .transfer: if perPlace { move(trade) }
        }
        if let coin = trade.fee.coin {
            remove(key(coin.tokenID, trade), trade, .fee, coin.amount, value: fee, fee: Worth(amount: 0))
        }
    }

    private func key(_ tokenID: String, _ trade: Trade, at place: String? = nil) -> Ledger.Key {
        Ledger.Key(
            tokenID: tokenID, portfolio: trade.details.portfolio,
            place: perPlace ? place ?? trade.details.place : nil)
    }

    private mutating func acquire(_ tokenID: String, _ amount: BigDecimal, _ trade: Trade, cost: Worth?) {
        let key = key(tokenID, trade)
        held[key, default: 0] += amount
        steps.append(.acquire(Acquisition(key: key, trade: trade, amount: amount, cost: cost)))
    }

    private mutating func dispose(
        _ use: Ledger.Disposal.Use, _ trade: Trade, _ value: Worth?, _ fee: Worth?, isAtCost: Bool = false
    ) {
        remove(key(trade.tokenID, trade), trade, use, trade.amount, value: value, isAtCost: isAtCost, fee: fee)
    }

    private mutating func remove(
        _ key: Ledger.Key, _ trade: Trade, _ use: Ledger.Disposal.Use, _ amount: BigDecimal, value: Worth?,
        isAtCost: Bool = false, fee: Worth?
    ) {
        guard take(amount, key, trade, use) else { return }
        steps.append(
            .dispose(
                Removal(
                    key: key, trade: trade, use: use, amount: amount, value: value, isAtCost: isAtCost, fee: fee)))
    }

    private mutating func move(_ trade: Trade) {
        let (source, target) = (
            key(trade.tokenID, trade), key(trade.tokenID, trade, at: trade.details.destination)
        )
        guard take(trade.amount, source, trade, nil) else { return }
        held[target, default: 0] += trade.amount
        steps.append(.move(Move(source: source, target: target, amount: trade.amount)))
    }

    /// Takes tokens out of what is held; false, and a shortfall, if there are too few.
    private mutating func take(
        _ amount: BigDecimal, _ key: Ledger.Key, _ trade: Trade, _ use: Ledger.Disposal.Use?
    ) -> Bool {
        let known = held[key] ?? 0
        guard amount <= known else {
            shortfalls.append(
                Ledger.Shortfall(trade: trade, use: use, key: key, amount: amount, held: known))
            return false
        }
        held[key] = known - amount
        return true
    }
}
