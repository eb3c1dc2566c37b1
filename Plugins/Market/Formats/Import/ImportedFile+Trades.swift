import BigInteger

extension PortfolioImport {
    /// Creates what hub keeps of a file of another program. A row that the ledger has no place for becomes an issue.
    package init(_ file: ImportedFile, source: String) {
        self.init()
        issues = file.issues.map { Issue(line: $0.row, message: $0.message, excerpt: $0.excerpt) }
        omitted = file.omitted.map { ($0.key, $0.value.count) }.sorted { $0.0.rawValue < $1.0.rawValue }
            .map { Omission(reason: $0.0, count: $0.1) }
        for entry in file.entries {
            let mapping = LedgerMapping(
                entry: entry, source: source, title: file.title, hasTokenIDs: file.hasTokenIDs)
            do throws(RowProblem) { trades += try mapping.trades() } catch {
                issues += entry.rows.map { Issue(line: $0, message: error.message) }
            }
        }
        issues.sort { $0.line < $1.line }
    }
}

/// One entry of a file as entries of the ledger: one, and one for each fee that it has no room for.
private struct LedgerMapping {
    let entry: ImportedEntry
    let source: String
    let title: String
    let hasTokenIDs: Bool

    private typealias Tokens = PortfolioImport.Tokens

    func trades() throws(RowProblem) -> [PortfolioImport.ImportedTrade] {
        var fees = entry.fees
        var trade = try trade(&fees)
        trade.date = entry.day
        trade.time = entry.time
        trade.identity = identity
        trade.hasTokenIDs = hasTokenIDs
        trade.details.note = Trade.Details.cleanedNote(entry.note)
        trade.details.place = entry.place
        if entry.kind == .transfer { setPlaces(&trade.details) }
        if trade.kind != .fee { try take(&fees, to: &trade) }
        var trades = [trade]
        for (index, fee) in fees.enumerated() {
            guard let tokens = Self.tokens(fee) else { throw RowProblem("a fee is in another currency than the price") }
            var extra = PortfolioImport.ImportedTrade(line: entry.rows[0], .fee, tokens)
            (extra.date, extra.time, extra.currency) = (entry.day, entry.time, trade.currency)
            extra.hasTokenIDs = hasTokenIDs
            extra.identity = identity + "|fee \(index + 1)"
            extra.details.place = entry.place
            trades.append(extra)
        }
        return trades
    }

    /// A transfer has two places that differ; the one that the file is about is named, if no other is.
    private func setPlaces(_ details: inout Trade.Details) {
        details.destination = entry.destination
        guard entry.place.isEmpty, entry.destination.isEmpty else { return }
        if entry.sent == nil { details.destination = title } else { details.place = title }
    }

    /// The mark of the entry in any copy of the file: its id, or all that it says.
    private var identity: String {
        if let id = entry.id { return "\(source)|id|\(id)" }
        func text(_ amount: ImportedAmount?) -> String { amount.map { "\($0.amount) \($0.asset.word)" } ?? "" }
        let parts = [
            "\(entry.day)", entry.time.map(String.init) ?? "", entry.kind.word, text(entry.sent), text(entry.received),
            entry.fees.map(text).joined(separator: ","), entry.place, entry.destination,
        ]
        return "\(source)|\(parts.joined(separator: "|"))"
    }

    private static func tokens(_ amount: ImportedAmount?) -> Tokens? {
        guard let amount, case .coin(let reference) = amount.asset else { return nil }
        return Tokens(reference, amount: amount.amount)
    }

    private static func money(_ amount: ImportedAmount?) -> Money? {
        guard let amount, case .cash(let currency) = amount.asset else { return nil }
        return Money(amount.amount, currency)
    }

    private func trade(_ fees: inout [ImportedAmount]) throws(RowProblem) -> PortfolioImport.ImportedTrade {
        let (sent, received) = (Self.tokens(entry.sent), Self.tokens(entry.received))
        switch entry.kind {
        case .trade: return try bought(sent, received)
        case .transfer: return try moved(sent, received, &fees)
        case .income(let income):
            var trade = try valued(.income, received)
            trade.details.income = income
            return trade
        case .gift: return try valued(sent == nil ? .giftReceived : .giftGiven, sent ?? received)
        case .loss: return try named(.loss, sent)
        // What is paid with is sold for what it buys.
        case .payment: return try valued(.sell, sent)
        case .fee:
            guard sent == nil else { return try valued(.fee, sent) }
            return try valued(.fee, Self.tokens(fees.removeFirst()))
        }
    }

    private func named(_ kind: Trade.Kind, _ tokens: Tokens?) throws(RowProblem) -> PortfolioImport.ImportedTrade {
        guard let tokens else { throw RowProblem("it is about money, not about a coin") }
        return PortfolioImport.ImportedTrade(line: entry.rows[0], kind, tokens)
    }

    /// An entry with the value that the file says.
    private func valued(_ kind: Trade.Kind, _ tokens: Tokens?) throws(RowProblem) -> PortfolioImport.ImportedTrade {
        var trade = try named(kind, tokens)
        // A value that was rounded to zero is not known.
        guard let value = entry.value, !value.amount.isZero else { return trade }
        trade.value = .total(value.amount)
        trade.currency = value.currency
        return trade
    }

    private func bought(_ sent: Tokens?, _ received: Tokens?) throws(RowProblem) -> PortfolioImport.ImportedTrade {
        if let sent, let received {
            var trade = try valued(.swap, sent)
            trade.received = received
            return trade
        }
        let money = Self.money(sent == nil ? entry.sent : entry.received)
        var trade = try valued(sent == nil ? .buy : .sell, sent ?? received)
        if let money {
            trade.value = .total(money.amount)
            trade.currency = money.currency
        }
        return trade
    }

    /// What arrives is less than what left by a fee, if the file has none of its own.
    private func moved(
        _ sent: Tokens?, _ received: Tokens?, _ fees: inout [ImportedAmount]
    ) throws(RowProblem) -> PortfolioImport.ImportedTrade {
        guard let sent, let received, sent.amount != received.amount else {
            return try named(.transfer, sent ?? received)
        }
        guard sent.amount > received.amount else { throw RowProblem("more arrives than left") }
        let lost = ImportedAmount(sent.amount - received.amount, .coin(sent.token))
        if fees.isEmpty {
            fees = [lost]
        } else if fees != [lost] {
            throw RowProblem("what left is not what arrived and the fee")
        }
        return try named(.transfer, received)
    }

    /// Takes the fees that an entry of the ledger has room for: one, in its currency or in a coin.
    private func take(
        _ fees: inout [ImportedAmount], to trade: inout PortfolioImport.ImportedTrade
    ) throws(RowProblem) {
        if let index = fees.firstIndex(where: { !$0.asset.isCoin }), let money = Self.money(fees[index]) {
            guard trade.currency == nil || trade.currency == money.currency else {
                throw RowProblem("the fee is in another currency than the price")
            }
            trade.currency = money.currency
            trade.fee = money.amount
            fees.remove(at: index)
        } else if let tokens = Self.tokens(fees.first) {
            trade.feeTokens = tokens
            fees.removeFirst()
        }
    }
}

extension ImportedAsset {
    fileprivate var word: String {
        switch self {
        case .cash(let currency): currency.code
        case .coin(.id(let text)): "id \(text)"
        case .coin(.symbol(let text)), .coin(.name(let text)), .coin(.stock(let text)),
            .coin(.symbolAndName(let text, _)):
            text
        }
    }
}

extension ImportedEntry.Kind {
    fileprivate var word: String {
        switch self {
        case .trade: "trade"
        case .transfer: "transfer"
        case .income(let income): income.rawValue
        case .gift: "gift"
        case .loss: "loss"
        case .payment: "payment"
        case .fee: "fee"
        }
    }
}
