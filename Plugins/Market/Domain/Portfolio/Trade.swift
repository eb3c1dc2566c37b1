package import BigInteger
package import CivilDate

/// An entry of the ledger: a purchase or sale of a token, or anything else that changes what is held, where, or at which cost.
///
/// It never changes, and is an object: a ledger has each entry in many places, and copies of a structure would count the references of all
/// its texts and numbers.
package final class Trade: Sendable {
    /// What happened to the tokens.
    package enum Kind: String, CaseIterable, Sendable {
        case buy, sell
        /// One token was given for another.
        case swap
        /// Tokens moved between places of their owner.
        case transfer
        case income
        case giftReceived = "gift-received"
        case giftGiven = "gift-given"
        /// Tokens were lost or stolen.
        case loss
        /// Tokens were spent as a fee alone.
        case fee

        /// Whether the tokens of the entry arrive.
        package var isAcquisition: Bool { self == .buy || self == .income || self == .giftReceived }
        /// Whether the tokens of the entry leave for good.
        package var isDisposal: Bool { !isAcquisition && self != .transfer }
        /// Whether an entry of this kind can have a price or a total.
        package var hasValue: Bool { self != .transfer && self != .loss }
    }

    /// The source of an income.
    package enum Income: String, CaseIterable, Sendable { case staking, airdrop, interest, mining, other }

    /// What the tokens were worth, in the currency of the entry.
    package enum Value: Hashable, Sendable {
        /// The price of one token.
        case each(BigDecimal)
        /// The value of all tokens.
        case total(BigDecimal)

        /// The value of `amount` tokens.
        package func total(of amount: BigDecimal) -> BigDecimal {
            switch self {
            case .each(let price): price * amount
            case .total(let total): total
            }
        }

        /// Whether it is below zero.
        package var isNegative: Bool {
            switch self {
            case .each(let number), .total(let number): number.isNegative
            }
        }
    }

    /// A number of tokens.
    package struct Tokens: Hashable, Sendable {
        /// The id of the token.
        package let tokenID: String
        /// The number, above zero.
        package let amount: BigDecimal

        package init(tokenID: String, amount: BigDecimal) {
            self.tokenID = tokenID
            self.amount = amount
        }
    }

    /// The fee of an entry, in its currency or in a coin.
    package enum Fee: Hashable, Sendable {
        case money(BigDecimal)
        /// Tokens that were spent, and what they were worth in the currency of the entry; nil if that is not known.
        case coin(Tokens, value: BigDecimal?)

        /// No fee.
        package static let nothing = Fee.money(0)

        /// The fee in the currency; nil for a coin.
        package var money: BigDecimal? { if case .money(let amount) = self { amount } else { nil } }
        /// The fee in a coin; nil for none.
        package var coin: Tokens? { if case .coin(let tokens, _) = self { tokens } else { nil } }
        /// Whether there is no fee.
        package var isNone: Bool { self == .nothing }
    }

    /// What is noted of an entry beside its numbers.
    package struct Details: Hashable, Sendable {
        /// The source of an income; nil for another kind.
        package var income: Income?
        /// The wallet or exchange where it happened, or where a transfer began; empty when it is not named.
        package var place = ""
        /// The wallet or exchange where a transfer ended.
        package var destination = ""
        /// The name of the portfolio; empty for the one without a name.
        package var portfolio = ""
        /// A remark of the user.
        package var note = ""
        /// The tags in their order.
        package var tags: [String] = []

        package init() {}

        /// The maximum number of characters of a note.
        package static let maximumNote = 2000

        /// Returns a note of a bounded length, without control characters but line ends.
        package static func cleanedNote(_ text: String) -> String {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return String(lines.map { TokenLabel.cleaned(String($0)) }.joined(separator: "\n").prefix(maximumNote))
        }

        /// Returns the tags of a text with commas between them, each once.
        package static func tags(_ text: String) -> [String] {
            text.split(whereSeparator: { $0 == "," || $0.isNewline }).map { TokenLabel.cleaned(String($0)) }.reduce(
                into: []) { tags, tag in
                    let isKnown = tags.contains { $0.lowercased() == tag.lowercased() }
                    if !tag.isEmpty, !isKnown { tags.append(tag) }
                }
        }
    }

    /// The reason why values are not an entry.
    package enum Problem: Error, Hashable, Sendable {
        /// The amount is not above zero.
        case amount
        /// The price is below zero.
        case price
        /// The fee is below zero, or its coin has no amount.
        case fee
        /// A transfer or loss has a price.
        case valueOfKind
        /// A swap does not say what was received, or another kind does.
        case received
        /// A transfer begins and ends at the same place, or another kind has a destination.
        case places
        /// A kind other than income has a source of income.
        case income
        /// An entry that is a fee has another fee.
        case feeOfFee
    }

    /// The id of the stored entry.
    package let id: String
    /// The id of the token; of a swap, the one that was given.
    package let tokenID: String
    /// What happened.
    package let kind: Kind
    /// The number of tokens, above zero.
    package let amount: BigDecimal
    /// What they were worth; nil when it is not known.
    package let value: Value?
    /// What a swap gave; nil for another kind.
    package let received: Tokens?
    /// The fee: it adds to the cost of what is acquired, and lessens the proceeds of what is disposed of.
    package let fee: Fee
    /// The currency of value and fee.
    package let currency: Currency
    /// The day.
    package let date: CivilDate
    /// The time of the day in seconds from midnight; nil when it is not known.
    package let time: Int?
    /// Places, portfolio, note and tags.
    package let details: Details

    /// Creates an entry.
    package init(
        id: String, tokenID: String, kind: Kind, amount: BigDecimal, value: Value?, received: Tokens? = nil,
        fee: Fee = .nothing, currency: Currency, date: CivilDate, time: Int? = nil, details: Details = Details()
    ) throws(Problem) {
        guard amount > 0 else { throw .amount }
        guard !(value?.isNegative ?? false) else { throw .price }
        guard value == nil || kind.hasValue else { throw .valueOfKind }
        switch fee {
        case .money(let money): guard !money.isNegative else { throw .fee }
        case .coin(let tokens, let value):
            guard tokens.amount > 0, !(value?.isNegative ?? false) else { throw .fee }
        }
        guard kind != .fee || fee.isNone else { throw .feeOfFee }
        guard (kind == .swap) == (received != nil), received.map({ $0.amount > 0 && $0.tokenID != tokenID }) ?? true
        else { throw .received }
        let isMove = details.place != details.destination
        guard kind == .transfer ? isMove : details.destination.isEmpty else { throw .places }
        guard kind == .income || details.income == nil else { throw .income }
        self.id = id
        self.tokenID = tokenID
        self.kind = kind
        self.amount = amount
        self.value = value
        self.received = received
        self.fee = fee
        self.currency = currency
        self.date = date
        self.time = time
        self.details = details
    }

    /// Creates an entry with a price of one token, nil if it is not known, and a fee in the currency.
    package convenience init(
        id: String, tokenID: String, kind: Kind, amount: BigDecimal, price: BigDecimal?, fee: BigDecimal = 0,
        currency: Currency, date: CivilDate, time: Int? = nil
    ) throws(Problem) {
        try self.init(
            id: id, tokenID: tokenID, kind: kind, amount: amount, value: price.map { .each($0) }, fee: .money(fee),
            currency: currency, date: date, time: time)
    }

    private init(_ trade: Trade, _ name: (String) throws -> String) rethrows {
        id = trade.id
        tokenID = try name(trade.tokenID)
        kind = trade.kind
        amount = trade.amount
        value = trade.value
        received = try trade.received.map { Tokens(tokenID: try name($0.tokenID), amount: $0.amount) }
        if case .coin(let tokens, let value) = trade.fee {
            fee = .coin(Tokens(tokenID: try name(tokens.tokenID), amount: tokens.amount), value: value)
        } else {
            fee = trade.fee
        }
        currency = trade.currency
        date = trade.date
        time = trade.time
        details = trade.details
    }

    /// Returns the same entry with other ids of its tokens.
    package func renamingTokens(_ name: (String) throws -> String) rethrows -> Trade { try Trade(self, name) }

    /// The value of all tokens; nil when it is not known.
    package var total: BigDecimal? { value?.total(of: amount) }

    /// The price of one token; nil when it is not known, or only the total is.
    package var price: BigDecimal? { if case .each(let price)? = value { price } else { nil } }

    /// The ids of all tokens of the entry.
    package var tokenIDs: [String] {
        [tokenID] + (received.map { [$0.tokenID] } ?? []) + (fee.coin.map { [$0.tokenID] } ?? [])
    }

    /// The changes of what is held, in all places together; a transfer changes nothing but by a fee in a coin.
    package var changes: [(tokenID: String, amount: BigDecimal)] {
        var changes: [(tokenID: String, amount: BigDecimal)] = []
        if kind != .transfer { changes.append((tokenID, kind.isAcquisition ? amount : -amount)) }
        if let received { changes.append((received.tokenID, received.amount)) }
        if let coin = fee.coin { changes.append((coin.tokenID, -coin.amount)) }
        return changes
    }

    /// The changes of what is held at a place, or with nil in all places together.
    package func changes(at place: String?) -> [(tokenID: String, amount: BigDecimal)] {
        guard let place, kind == .transfer else { return changes }
        func isThere(_ name: String) -> Bool { name.lowercased() == place.lowercased() }
        return (isThere(details.place) ? [(tokenID, -amount)] + changes : [])
            + (isThere(details.destination) ? [(tokenID, amount)] : [])
    }

    /// Returns entries by day, and those of one day as given. If the time of an entry is known, those of its day are in the order
    /// of their times; without a time what arrives comes first, then swaps and transfers after all times, then what leaves.
    package static func ordered(_ trades: [Trade]) -> [Trade] {
        let timed = Set(trades.filter { $0.time != nil }.map(\.date))
        func rank(_ trade: Trade) -> Int {
            guard timed.contains(trade.date) else { return 0 }
            if let time = trade.time { return time }
            return trade.kind.isAcquisition ? -1 : trade.kind == .swap || trade.kind == .transfer ? 86_400 : 86_401
        }
        return trades.map { (trade: $0, rank: rank($0)) }.sorted {
            ($0.trade.date, $0.rank) < ($1.trade.date, $1.rank)
        }.map(\.trade)
    }
}

extension Trade: Hashable {
    /// Whether all that is noted of both is equal.
    package static func == (one: Trade, other: Trade) -> Bool {
        one === other
            || one.id == other.id && one.tokenID == other.tokenID && one.kind == other.kind
                && one.amount == other.amount && one.value == other.value && one.received == other.received
                && one.fee == other.fee && one.currency == other.currency && one.date == other.date
                && one.time == other.time && one.details == other.details
    }

    /// Entries with one id are mostly one.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(tokenID)
        hasher.combine(amount)
    }
}
