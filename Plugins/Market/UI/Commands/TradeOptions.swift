import BigInteger
import CivilDate
import Commands
import HubKit
import MarketDomain
import MarketKnownProviders

/// The options of the commands that record or correct entries of the ledger.
enum TradeOptions {
    static let amount = Argument<NumberArgument>("AMOUNT", help: "number of tokens, an exact decimal")
    static let price = Option<NumberArgument>("price", "PRICE", help: "price of one token")
    static let total = Option<NumberArgument>(
        "total", "VALUE", help: "value of all tokens, instead of the price of one")
    static let unknownPrice = Flag("unknown-price", help: "the price is not known; neither is the gain then")
    static let fee = Option<NumberArgument>("fee", "FEE", help: "fee, in the currency or the coin of --fee-in")
    static let feeToken = Option<String>(
        "fee-in", "TOKEN", help: "coin in which the fee was paid", completion: MarketOptions.completion)
    static let feeValue = Option<NumberArgument>("fee-value", "VALUE", help: "what the fee in a coin was worth")
    static let date = Option<DateExpression>("date", "DATE", help: "day of the entry (default: today)")
    static let time = Option<TradeTime>("time", "HH:MM", help: "time of the day, for the order of a day's entries")
    static let place = Option<String>("place", "PLACE", help: "wallet or exchange where it happened")
    static let source = Option<String>("from", "PLACE", help: "wallet or exchange where the transfer began")
    static let destination = Option<String>("to", "PLACE", help: "wallet or exchange where the transfer ended")
    static let portfolio = Option<String>("portfolio", "NAME", help: "portfolio that it belongs to")
    static let note = Option<String>("note", "TEXT", help: "remark")
    static let tags = Option<[String]>(
        "tag", "TAG", help: "tag (can be repeated)", completion: PortfolioCommands.entity.tagCompletion)
    static let income = Option<Trade.Income>(
        "source", "SOURCE", help: "source of the income: staking, airdrop, interest, mining or other")

    /// What each command takes beside its price.
    static let common: [any ParameterDeclaration] = [
        fee, feeToken, feeValue, date, time, MarketOptions.currency, place, portfolio, note, tags,
    ]

    /// The number of an option.
    static func decimal(
        _ option: Option<NumberArgument>, _ input: Input, _ market: MarketPlugin
    ) throws(HubError) -> BigDecimal? {
        try input[option].map { typed throws(HubError) in try MarketOptions.decimal(typed, market) }
    }

    /// The value of `--price` or `--total`; nil without them.
    static func value(_ input: Input, _ market: MarketPlugin) throws(HubError) -> Trade.Value? {
        let price = try decimal(price, input, market)
        let total = try decimal(total, input, market)
        guard [price != nil, total != nil, input[unknownPrice]].filter({ $0 }).count < 2 else {
            throw HubError(
                .usage, code: "two-prices", "only one of --price, --total and --unknown-price can be given")
        }
        return price.map { .each($0) } ?? total.map { .total($0) }
    }

    /// The fee; nil without one. What a coin is worth is the value of `--fee-value`.
    static func fee(_ input: Input, _ market: MarketPlugin) async throws -> Trade.Fee? {
        let amount = try decimal(fee, input, market)
        guard let word = input[feeToken] else {
            guard input[feeValue] == nil else {
                throw HubError(
                    .usage, code: "fee-in-missing", "--fee-value needs the coin of the fee", hint: "add --fee-in TOKEN")
            }
            return amount.map { .money($0) }
        }
        guard let amount else {
            throw HubError(.usage, code: "fee-missing", "--fee-in needs the amount of the fee", hint: "add --fee FEE")
        }
        let token = try await MarketOptions.tokenToChange(word, market, input)
        return .coin(
            Trade.Tokens(tokenID: token.key.text, amount: amount), value: try decimal(feeValue, input, market))
    }

    /// What is noted of the entry.
    static func details(_ input: Input, hasPlace: Bool) -> Trade.Details {
        var details = Trade.Details()
        if hasPlace { details.place = TokenLabel.cleaned(input[place] ?? "") }
        details.portfolio = TokenLabel.cleaned(input[portfolio] ?? "")
        details.note = Trade.Details.cleanedNote(input[note] ?? "")
        details.tags = Trade.Details.tags(input[tags].joined(separator: ","))
        return details
    }

    static let filterPortfolio = Option<String>("portfolio", "NAME", help: "only this portfolio")
    static let filterPlace = Option<String>("place", "PLACE", help: "only this wallet or exchange")
    static let filterTag = Option<String>(
        "tag", "TAG", help: "only entries with this tag", completion: PortfolioCommands.entity.tagCompletion)
    static let perPlace = Flag("per-place", help: "match the tokens of each place with each other only")

    /// What a view can be limited to.
    static let filters: [any ParameterDeclaration] = [filterPortfolio, filterPlace, filterTag]

    /// The filter of the options.
    static func filter(_ input: Input, perPlace isPerPlace: Bool = false) -> PortfolioFilter {
        var filter = PortfolioFilter()
        (filter.portfolio, filter.place, filter.tag) = (
            input[filterPortfolio], input[filterPlace], input[filterTag]
        )
        filter.isPerPlace = isPerPlace
        return filter
    }
}

extension Trade.Income: ChoiceArgument {}
