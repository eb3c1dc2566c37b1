import BigInteger
import Commands
import HubKit
import MarketDomain

/// The HTTP routes of alerts.
enum AlertRoutes {
    static let all = [
        Route(.get, "/api/market/alerts", summary: "list the alerts") { (market: MarketPlugin, _) in
            .output(.list(try await market.listAlerts(), fields))
        },
        Route(.post, "/api/market/alerts", summary: "create an alert: kind is above, below or change") {
            (market: MarketPlugin, request) in
            var form = try FormValues(request, market)
            let token = try await form.token("token", market)
            let condition = condition(&form)
            let currency = Currency(form.text("currency") ?? market.currency.code)
            if currency == nil { form.note("currency", "must be a currency code such as eur") }
            try form.check()
            guard let token, let condition, let currency else { throw HubError(field: "token", "must not be empty") }
            let record = try await market.createAlert(
                on: token, condition, in: currency, command: nil, operation: request.operation)
            return .created(
                .record(try await market.alerts.listed(record), AlertCommands.recordFields),
                location: "/api/market/alerts/\(record.id)")
        },
        Route(.put, "/api/market/alerts/{id}", summary: "switch an alert on or off") {
            (market: MarketPlugin, request) in
            guard let isOn = try request.json(example: #"{"enabled": true}"#)["enabled"]?.bool else {
                throw HubError(field: "enabled", "must be true or false")
            }
            try await market.setAlerts([try request.id], enabled: isOn, operation: request.operation)
            return .output(.done(isOn ? "on" : "off"))
        },
        Route(.delete, "/api/market/alerts/{id}", summary: "move an alert to the trash") {
            (market: MarketPlugin, request) in
            try await market.alerts.delete([try request.id], operation: request.operation)
            return .output(.done(market.alerts.trashTerm))
        },
        Route(
            .post, "/api/market/alerts/{id}/test", summary: "trigger an alert once to test its notification and command"
        ) {
            (market: MarketPlugin, request) in
            let record = try await market.testAlert(try request.id, operation: request.operation)
            return .output(.record(try await market.alerts.listed(record), AlertCommands.recordFields))
        },
    ]

    /// The condition of a form; a change has a percentage in `value` and a time such as `1h` in `period`.
    private static func condition(_ form: inout FormValues) -> AlertCondition? {
        let kind = form.text("kind") ?? ""
        guard ["above", "below", "change"].contains(kind) else {
            form.note("kind", "must be above, below or change")
            return nil
        }
        let value = form.decimal("value", example: kind == "change" ? "-5" : "100000")
        if form.isWrong("value") { return nil }
        let text =
            switch kind {
            case "above": "> \(value)"
            case "below": "< \(value)"
            default: "\(value)% in \(form.text("period") ?? "1d")"
            }
        do throws(AlertCondition.Problem) { return try AlertCondition(text) } catch {
            switch error {
            case .period: form.note("period", "must be from 1 minute to 31 days")
            case .percentage: form.note("value", "must not be zero, nor a fall of more than 100 %")
            case .bound: form.note("value", "must be above zero")
            case .malformed, .number: form.note("value", "must be a number")
            }
            return nil
        }
    }

    private static let fields = [
        Field<AlertView>("id", "ID", help: "id of the alert") { .text($0.record.id) },
        Field<AlertView>("name", "NAME", help: "the alert in words") { .text($0.record.name) },
        Field<AlertView>("token", "TOKEN", help: "id of the token") { .text($0.record.key.text) },
        Field<AlertView>("symbol", "COIN", help: "symbol of the token") { .text($0.record.symbol) },
        Field<AlertView>("kind", "KIND", help: "above, below or change") { .text($0.record.condition.kind) },
        Field<AlertView>("value", "VALUE", help: "bound, or change in percent") { $0.record.condition.value },
        Field<AlertView>("seconds", "PERIOD", help: "period of a change in seconds") { $0.record.condition.seconds },
        Field<AlertView>("currency", "CURRENCY", help: "currency of the bound") { .text($0.record.currency.code) },
        Field<AlertView>("digits", "DIGITS", help: "digits that prices are shown with") { view in
            RouteFields.digits(of: view.state.last?.price, view.record.currency)
        },
        Field<AlertView>("state", "STATE", help: "waiting, raised or off") { .text(AlertCommands.state($0)) },
        Field<AlertView>("last_price", "LAST PRICE", help: "last price that was checked") {
            RouteFields.decimal($0.state.last?.price)
        },
        Field<AlertView>("raised_at", "RAISED", help: "time when it was last raised") { FieldValue($0.raisedAt) },
        Field<AlertView>("command", "COMMAND", help: "command to run") { FieldValue($0.record.command) },
    ]
}

/// The parts of a condition, which the page puts into words.
extension AlertCondition {
    var kind: String {
        switch self {
        case .above: "above"
        case .below: "below"
        case .change: "change"
        }
    }

    /// The bound, or the change in percent.
    var value: FieldValue {
        switch self {
        case .above(let bound), .below(let bound): .decimal(bound.description)
        case .change(let percent, _): .decimal(percent.description)
        }
    }

    /// The period of a change.
    var seconds: FieldValue {
        if case .change(_, let period) = self { .integer(Int(period.components.seconds)) } else { .null }
    }
}
