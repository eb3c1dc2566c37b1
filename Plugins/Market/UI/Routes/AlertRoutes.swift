import BigInteger
import Commands
import HubKit
import MarketDomain

/// The HTTP routes of alerts: those that every entity has, and those that create, switch and test them.
enum AlertRoutes {
    static let entity = AlertCommands.entity.web(
        at: "/api/market/alerts",
        rowFields: AlertCommands.fields.filter { !["id", "name"].contains($0.descriptor.name) } + pageFields,
        summary: \.view.record
    ) { market, query in
        EntityPage(
            query, of: try await market.listAlerts().map { AlertCommands.Row(view: $0, shortID: $0.record.id) })
    }

    static let all = [
        Route(
            .post, "/api/market/alerts", summary: "create an alert", details: "`kind` is above, below or change",
            body: #"{"token": "bitcoin", "kind": "above", "value": "100000", "currency": "eur", "period": "1d"}"#,
            required: ["token", "kind", "value"],
            fields: AlertCommands.recordFields
        ) {
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
        Route(
            .put, "/api/market/alerts/{id}", summary: "switch an alert on or off",
            body: #"{"enabled": true}"#, required: ["enabled"]
        ) {
            (market: MarketPlugin, request) in
            guard let isOn = try request.json(example: #"{"enabled": true}"#)["enabled"]?.bool else {
                throw HubError(field: "enabled", "must be true or false")
            }
            try await market.setAlerts([try request.id], enabled: isOn, operation: request.operation)
            return .output(.done(isOn ? "on" : "off"))
        },
        Route(
            .post, "/api/market/alerts/{id}/test",
            summary: "trigger an alert once to test its notification and command",
            fields: AlertCommands.recordFields, isForPages: true
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

    /// The fields of an alert that the page puts into words.
    private static let pageFields: [Field<AlertCommands.Row>] = [
        Field("kind", "KIND", help: "above, below or change", column: .onRequest) {
            .text($0.view.record.condition.kind)
        },
        Field("value", "VALUE", help: "bound, or change in percent", column: .onRequest) {
            $0.view.record.condition.value
        },
        Field("seconds", "PERIOD", help: "period of a change in seconds", column: .onRequest) {
            $0.view.record.condition.seconds
        },
        Field("digits", "DIGITS", help: "digits that prices are shown with", column: .onRequest) { row in
            RouteFields.digits(of: row.view.state.last?.price, row.view.record.currency)
        },
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
