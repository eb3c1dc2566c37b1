import BigInteger

/// An entry of the ledger as the texts of a file have it; nil for what the file does not say.
struct TradeText {
    let line: Int
    let token: String
    let amount: String
    /// The kind; nil for a purchase, or a sale if the amount is negative.
    var kind: Trade.Kind?
    var reference: TokenReference?
    var symbol: String?
    var price: String?
    var total: String?
    var fee: String?
    var currency: String?
    var date: String?
    var tradeID: String?
    var received: (reference: TokenReference?, symbol: String?, amount: String?) = (nil, nil, nil)
    var feeToken: (reference: TokenReference?, symbol: String?) = (nil, nil)
    var feeValue: String?
    var details = Trade.Details()

    init(line: Int, token: String, amount: String) {
        self.line = line
        self.token = token
        self.amount = amount
    }

    private typealias Issue = PortfolioImport.Issue

    private func issue(_ message: String) -> Issue { Issue(line: line, message: message) }

    /// The entry. Throws what is wrong with the texts.
    func trade() throws(PortfolioImport.Issue) -> PortfolioImport.ImportedTrade {
        guard !TokenLabel.cleaned(token).isEmpty else { throw issue("the token is missing") }
        let signed = try PortfolioImport.number(amount, "amount", line)
        guard !signed.isZero else { throw issue("the amount is zero") }
        if let kind, signed.isNegative {
            throw issue(
                kind == .buy
                    ? "the amount of a purchase is negative; write sell and no sign if tokens were sold"
                    : "the amount of a \(kind == .sell ? "sale" : kind.rawValue) is negative; write it without a sign")
        }
        var trade = PortfolioImport.ImportedTrade(
            line: line, kind ?? (signed.isNegative ? .sell : .buy),
            PortfolioImport.Tokens(reference ?? TokenReference(token), symbol: symbol, amount: signed.magnitude))
        trade.value = try value()
        trade.received = try receivedTokens()
        if trade.kind == .swap, trade.received == nil {
            throw issue(
                "a swap needs what was received, in the columns received (or received_symbol) and received_amount")
        }
        if trade.kind == .transfer, details.place == details.destination {
            throw issue("a transfer needs two places, in the columns place and destination")
        }
        try readFee(&trade)
        trade.currency = try code()
        if let date {
            guard let moment = PortfolioImport.moment(date) else {
                throw issue("invalid date \"\(date.prefix(30))\"; write it as 2026-01-31")
            }
            (trade.date, trade.time) = (moment.day, moment.time)
        }
        trade.details = details
        trade.tradeID = tradeID
        return trade
    }

    private func value() throws(PortfolioImport.Issue) -> Trade.Value? {
        let price = try number(price, "price")
        let total = try number(total, "total")
        guard price == nil || total == nil else { throw issue("a row has a price of one token or a total, not both") }
        return price.map { .each($0) } ?? total.map { .total($0) }
    }

    private func receivedTokens() throws(PortfolioImport.Issue) -> PortfolioImport.Tokens? {
        guard received.reference != nil || received.amount != nil else { return nil }
        guard let reference = received.reference, let amount = try number(received.amount, "received amount"),
            !amount.isZero
        else { throw issue("what was received needs a token and an amount") }
        return PortfolioImport.Tokens(reference, symbol: received.symbol, amount: amount)
    }

    private func readFee(_ trade: inout PortfolioImport.ImportedTrade) throws(PortfolioImport.Issue) {
        let amount = try number(fee, "fee") ?? 0
        guard let reference = feeToken.reference else {
            trade.fee = amount
            return
        }
        guard !amount.isZero else { return }
        trade.feeTokens = PortfolioImport.Tokens(reference, symbol: feeToken.symbol, amount: amount)
        trade.feeValue = try number(feeValue, "value of the fee")
    }

    private func code() throws(PortfolioImport.Issue) -> Currency? {
        guard let currency else { return nil }
        guard let code = Currency(currency) else { throw issue("invalid currency \"\(currency.prefix(20))\"") }
        return code
    }

    private func number(_ text: String?, _ what: String) throws(PortfolioImport.Issue) -> BigDecimal? {
        guard let text else { return nil }
        let number = try PortfolioImport.number(text, what, line)
        guard !number.isNegative else { throw issue("price and fee cannot be negative") }
        return number
    }
}
