package import BigInteger
package import CivilDate

/// Money or a coin, as a file of another program names it.
package enum ImportedAsset: Hashable, Sendable {
    case cash(Currency)
    case coin(TokenReference)

    /// The asset of a ticker symbol; nil for an empty one.
    package init?(symbol text: some StringProtocol) {
        let symbol = TokenLabel.cleaned(String(text)).uppercased()
        guard !symbol.isEmpty else { return nil }
        if FiatCodes.all.contains(symbol.lowercased()), let currency = Currency(symbol) {
            self = .cash(currency)
        } else {
            self = .coin(.symbol(symbol))
        }
    }

    /// Whether it is a coin.
    package var isCoin: Bool { if case .coin = self { true } else { false } }
}

/// An amount of money or of a coin, above zero.
package struct ImportedAmount: Hashable, Sendable {
    /// The number of units.
    package var amount: BigDecimal
    /// The unit.
    package let asset: ImportedAsset

    package init(_ amount: BigDecimal, _ asset: ImportedAsset) {
        self.amount = amount
        self.asset = asset
    }
}

/// One transaction of a file, in terms that all formats share: what left, what came, and why.
package struct ImportedEntry: Hashable, Sendable {
    /// The reason of a transaction. Its direction follows from which of ``sent`` and ``received`` is there.
    package enum Kind: Hashable, Sendable {
        /// One thing was given for another. A side that the file does not tell is missing.
        case trade
        /// A coin moved between places of its owner, as far as the file says; a place that it does not know is missing.
        case transfer
        /// A coin was received as income.
        case income(Trade.Income)
        /// A coin was received or given for nothing.
        case gift
        /// A coin was lost or stolen.
        case loss
        /// A coin was paid for goods or services.
        case payment
        /// A coin was charged as a fee by itself.
        case fee
    }

    /// The numbers of the rows that it is made of, the first one first.
    package let rows: [Int]
    /// The day in UTC, if the file says its zone.
    package let day: CivilDate
    /// The time of the day in seconds; nil when the file has none.
    package let time: Int?
    /// The reason.
    package var kind: Kind
    /// What left.
    package var sent: ImportedAmount?
    /// What came.
    package var received: ImportedAmount?
    /// The fees, each beside ``sent`` and ``received``, which do not include it.
    package var fees: [ImportedAmount] = []
    /// The value of the whole without fees, if the file has one.
    package var value: Money?
    /// The id that the other program gives it; nil for a file without ids.
    package var id: String?
    /// Its remark; empty without one.
    package var note = ""
    /// Where it happened, or where it left; empty when the file does not say.
    package var place = ""
    /// Where it arrived, for a transfer; empty when the file does not say.
    package var destination = ""

    init(rows: [Int], moment: ImportedMoment, kind: Kind) {
        self.rows = rows
        day = moment.day
        time = moment.time
        self.kind = kind
    }

    /// Whether it has a coin on one of its sides, or as its fee alone.
    var hasCoin: Bool {
        let sides = [sent, received].compactMap(\.self)
        return (sides.isEmpty ? fees : sides).contains { $0.asset.isCoin }
    }
}

/// The day and the time of a row.
struct ImportedMoment: Hashable, Sendable {
    let day: CivilDate
    /// Seconds of the day.
    let time: Int?
}

/// A file of another program: each of its rows is in an entry, left out for a reason, or an issue.
package struct ImportedFile: Hashable, Sendable {
    /// A reason to keep nothing of a row, which is as it should be.
    package enum Omission: String, CaseIterable, Sendable {
        /// Money moved, and no coin.
        case cash
        /// A coin moved between accounts of one place, such as staking, and is still there.
        case internalMove
        /// It did not happen: it failed, was cancelled, waits, or is marked as ignored.
        case unfinished

        /// The rows in words, for several of them.
        package var words: String {
            switch self {
            case .cash: "of money alone"
            case .internalMove: "inside of one place"
            case .unfinished: "not completed, or marked as ignored"
            }
        }
    }

    /// A row that was not understood.
    package struct Issue: Hashable, Sendable {
        /// The number of its first line, counted from 1; of a value that has no line, its place in its list.
        package let row: Int
        /// Why, in one sentence.
        package let message: String
        /// The beginning of the row; empty where there is nothing to see.
        package let excerpt: String
    }

    /// The name of the format, such as `Kraken ledgers`.
    package let title: String
    /// Whether ids of coins in it are ids for certain.
    var hasTokenIDs = false
    /// The number of rows, without the header and empty ones.
    package internal(set) var rowCount = 0
    /// The entries in the order of their first rows.
    package internal(set) var entries: [ImportedEntry] = []
    /// The numbers of the rows that are left out, by the reason.
    package internal(set) var omitted: [Omission: [Int]] = [:]
    /// The rows that were not understood, in their order.
    package internal(set) var issues: [Issue] = []

    init(title: String) { self.title = title }
}

/// The reason why a row, or rows that belong together, were not understood.
struct RowProblem: Error {
    let message: String

    init(_ message: String) { self.message = message }

    /// A value that has no place in the format.
    init(unknown value: String, in column: String) {
        self.init("the \(column) \"\(TokenLabel.cleaned(String(value.prefix(40))))\" is not known")
    }
}

/// What becomes of a row.
enum RowResult {
    case entry(ImportedEntry)
    case omitted(ImportedFile.Omission)
}

extension ImportedEntry {
    /// Returns the entry, or the reason to leave it out; throws for a transaction that its kind does not allow.
    func checked() throws(RowProblem) -> RowResult {
        guard sent != nil || received != nil || !fees.isEmpty else { throw RowProblem("the amount is zero") }
        let isAllowed =
            switch kind {
            case .trade, .transfer: sent != nil || received != nil
            case .income: sent == nil && received != nil
            case .gift: (sent == nil) != (received == nil)
            case .loss, .payment: sent != nil && received == nil
            case .fee: received == nil
            }
        guard isAllowed else { throw RowProblem("the amounts do not fit its kind") }
        guard hasCoin else {
            if fees.contains(where: { $0.asset.isCoin }) { throw RowProblem("money moves, and the fee is a coin") }
            return .omitted(.cash)
        }
        if kind == .trade, let sent, let received, sent.asset == received.asset {
            guard sent.amount == received.amount, fees.isEmpty else {
                throw RowProblem("the same coin is given and received")
            }
            return .omitted(.internalMove)
        }
        if kind == .transfer, let sent, let received, sent.asset != received.asset {
            throw RowProblem("a transfer has two different coins")
        }
        if kind == .transfer, !place.isEmpty, place.lowercased() == destination.lowercased() {
            guard fees.isEmpty else { throw RowProblem("a transfer with a fee leaves and arrives at the same place") }
            return .omitted(.internalMove)
        }
        return .entry(self)
    }
}
