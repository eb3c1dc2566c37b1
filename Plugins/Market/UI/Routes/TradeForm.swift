import BigInteger
import CivilDate
import Commands
import HubKit
import MarketDomain
import MarketKnownProviders

/// The form of an entry of the ledger, as the routes read it.
enum TradeForm {
    /// The entry of a form; what is wrong is named at its field.
    static func trade(_ request: RouteRequest, _ market: MarketPlugin) async throws -> Trade {
        var form = try FormValues(request, market)
        let token = try await form.token("token", market)
        let kind = kind(&form)
        if kind == nil { form.note("kind", "must be one of \(kinds)") }
        let amount = form.decimal("amount", example: "0.5")
        let value = value(&form, isRequired: kind.map { $0 == .buy || $0 == .sell } ?? true)
        let received = kind == .swap ? try await received(&form, market) : nil
        let fee = kind == .fee ? nil : try await fee(&form, market)
        let day = form.day("day", otherwise: market.clock.today)
        let time = time(&form)
        let currency = Currency(form.text("currency") ?? market.currency.code)
        if currency == nil { form.note("currency", "must be a currency code such as eur") }
        var details = Trade.Details()
        details.income = kind == .income ? income(&form) ?? .other : nil
        details.place = name("place", form) ?? ""
        details.destination = kind == .transfer ? name("destination", form) ?? "" : ""
        if kind == .transfer, details.place == details.destination {
            form.note("destination", "must be another place than the one before")
        }
        details.portfolio = name("portfolio", form) ?? ""
        details.note = form.note("note") ?? ""
        details.tags = form.tags("tags") ?? []
        try form.check()
        guard let token, let kind, let currency else { throw HubError(field: "token", "must not be empty") }
        do throws(Trade.Problem) {
            return try Trade(
                id: Identifier.make(), tokenID: token.key.text, kind: kind, amount: amount,
                value: kind.hasValue ? value : nil, received: received, fee: fee ?? .nothing, currency: currency,
                date: day,
                time: time, details: details)
        } catch { throw HubError(error) }
    }

    /// A changed entry, by the fields that are there.
    static func change(_ request: RouteRequest, _ market: MarketPlugin) async throws -> TradeChange {
        var (form, change) = (try FormValues(request, market), TradeChange())
        if form.has("kind") {
            change.kind = kind(&form)
            if change.kind == nil { form.note("kind", "must be one of \(kinds)") }
        }
        if form.has("amount") { change.amount = form.decimal("amount", example: "0.5") }
        if form.has("price") || form.has("total") {
            change.value = value(&form, isRequired: false)
            change.dropsValue = change.value == nil
        }
        if form.has("received_amount"), form.text("received_amount") != nil {
            change.received = try await received(&form, market)
        }
        if form.has("fee") { change.fee = try await fee(&form, market) ?? Trade.Fee.nothing }
        if form.text("day") != nil { change.date = form.day("day", otherwise: market.clock.today) }
        change.time = time(&form)
        change.dropsTime = form.has("time") && form.text("time") == nil
        if let text = form.text("currency") {
            change.currency = Currency(text)
            if change.currency == nil { form.note("currency", "must be a currency code such as eur") }
        }
        change.income = income(&form)
        if form.has("place") { change.place = name("place", form) ?? "" }
        if form.has("destination") { change.destination = name("destination", form) ?? "" }
        if form.has("portfolio") { change.portfolio = name("portfolio", form) ?? "" }
        if form.has("note") { change.note = form.note("note") ?? "" }
        if form.has("tags") { change.tags = form.tags("tags") ?? [] }
        try form.check()
        return change
    }

    private static let kinds = Trade.Kind.allCases.map(\.rawValue).joined(separator: ", ")

    private static func kind(_ form: inout FormValues) -> Trade.Kind? { form.text("kind").flatMap(Trade.Kind.init) }

    private static func name(_ field: String, _ form: FormValues) -> String? {
        form.text(field).map { TokenLabel.cleaned($0) }
    }

    private static func income(_ form: inout FormValues) -> Trade.Income? {
        guard let text = form.text("income") else { return nil }
        let income = Trade.Income(rawValue: text)
        if income == nil {
            form.note("income", "must be one of \(Trade.Income.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return income
    }

    private static func time(_ form: inout FormValues) -> Int? {
        guard let text = form.text("time") else { return nil }
        let time = try? TradeTime.parse(argument: text).seconds
        if time == nil { form.note("time", "must be a time such as 08:26") }
        return time
    }

    /// The price of one token, or the value of all; nil if neither is known.
    private static func value(_ form: inout FormValues, isRequired: Bool) -> Trade.Value? {
        if form.text("price") == nil, form.text("total") != nil {
            return .total(form.decimal("total", example: "42000"))
        }
        guard form.text("price") != nil || isRequired && !form.isTrue("unknown_price") else { return nil }
        let price = form.decimal("price", example: "42000")
        if form.text("total") != nil { form.note("total", "must be empty if the price of one token is given") }
        return .each(price)
    }

    private static func received(_ form: inout FormValues, _ market: MarketPlugin) async throws -> Trade.Tokens? {
        let token = try await form.token("received_token", market)
        let amount = form.decimal("received_amount", example: "0.05")
        return token.map { Trade.Tokens(tokenID: $0.key.text, amount: amount) }
    }

    private static func fee(_ form: inout FormValues, _ market: MarketPlugin) async throws -> Trade.Fee? {
        let amount = form.decimal("fee", otherwise: 0, example: "12")
        guard form.text("fee_token") != nil, !amount.isZero else { return .money(amount) }
        let token = try await form.token("fee_token", market)
        let value: BigDecimal? =
            form.text("fee_value") == nil ? nil : form.decimal("fee_value", example: "3")
        return token.map { .coin(Trade.Tokens(tokenID: $0.key.text, amount: amount), value: value) }
    }
}

extension FormValues {
    /// A note with its line ends; nil when it is missing or blank.
    func note(_ name: String) -> String? {
        let text = Trade.Details.cleanedNote(raw(name) ?? "")
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    /// The tags of a list, or of a text with commas between them; nil when there are none.
    func tags(_ name: String) -> [String]? {
        let tags = Trade.Details.tags(list(name)?.joined(separator: ",") ?? raw(name) ?? "")
        return tags.isEmpty ? nil : tags
    }
}
