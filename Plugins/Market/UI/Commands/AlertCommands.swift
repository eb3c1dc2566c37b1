import BigInteger
import Commands
import HubKit
import MarketDomain
import MarketKnownProviders

/// `hub market alerts` and its subcommands.
enum AlertCommands {
    static let tree = Command(
        group: "alerts", aliases: ["alert"], summary: "price alerts",
        examples: [
            Example(#"hub market alerts new btc "> 100000""#, "above a price"),
            Example(#"hub market alerts new eth "-5% in 1h""#, "a fall of five percent within an hour"),
        ], view: "list", subcommands: [list, new, enable, disable, test, remove, restore])

    /// The commands and parameters that follow from the description of alerts.
    static let entity = EntityCommands(
        AlertRecord.kind, valueName: "ALERT", oneForm: "id, words, or last", manyForms: "ids, words, last",
        fields: recordFields
    ) { (market: MarketPlugin, typed) in
        try await market.listAlerts().map(\.record).filter {
            $0.id.hasPrefix(typed) || $0.name.lowercased().hasPrefix(typed.lowercased())
        }
    } in: { market in
        market.alerts
    }

    /// The columns of an alert that was created or chosen.
    static let recordFields: [Field<ListedEntity<AlertRecord>>] = [
        Field("id", "ID", help: "id of the alert") { .id($0.summary.id, shown: $0.shortID.count) },
        Field("name", "ALERT", help: "token and condition") { .text($0.summary.name) },
    ]

    /// An alert as it is listed, on a terminal and on the page.
    struct Row: Sendable {
        let view: AlertView
        let shortID: String
    }

    /// The columns of alerts.
    static let fields: [Field<Row>] = [
        Field("id", "ID", help: "id of the alert") { .id($0.view.record.id, shown: $0.shortID.count) },
        Field("name", "ALERT", help: "token and condition", column: .onRequest) { .text($0.view.record.name) },
        Field("symbol", "COIN", help: "symbol of the token") { .text($0.view.record.symbol) },
        Field("token", "TOKEN", help: "id of the token", column: .onRequest) { .text($0.view.record.key.text) },
        Field("condition", "CONDITION", help: "condition on the price") { .text($0.view.record.condition.description) },
        Field("currency", "CURRENCY", help: "currency of the condition", cell: { $0.view.record.currency.name }) {
            .text($0.view.record.currency.code)
        },
        Field("state", "STATE", help: "waiting, raised or off") { .text(state($0.view)) },
        Field("last_price", "LAST PRICE", help: "last price that was checked", align: .trailing) {
            $0.view.state.last.map { .decimal($0.price.description) } ?? .null
        },
        Field("raised_at", "RAISED", help: "time when it was last raised") { FieldValue($0.view.raisedAt) },
        Field("command", "COMMAND", help: "command to run", column: .ifRoom(1)) {
            FieldValue($0.view.record.command)
        },
    ]

    /// The state of an alert: off, raised or waiting.
    static func state(_ view: AlertView) -> String {
        !view.record.isEnabled ? "off" : view.state.isRaised ? "raised" : "waiting"
    }

    private static let list = Command(
        "list", summary: "list alerts",
        examples: [
            Example("hub market alerts", "all alerts"),
            Example("hub market alerts list --json=condition,state", "for a script"),
        ], parameters: [SharedOptions.trash], fields: fields
    ) { (market: MarketPlugin, input: Input) in
        let views = try await market.listAlerts(inTrash: input[SharedOptions.trash])
        let short = try await market.alerts.shortIDs(of: views.map(\.record.id))
        return .list(
            views.map { Row(view: $0, shortID: short[$0.record.id] ?? $0.record.id) }, fields,
            empty: Diagnostic(
                "No alerts", suggestions: [Example(#"hub market alerts new btc "> 100000""#, "create the first one")]))
    }

    private static let condition = Arguments<String>(
        "CONDITION", .oneOrMore, help: #""> 100000", "< 90000" or "-5% in 1h""#)
    private static let command = Option<String>(
        "run", "CMD", help: "shell command to run, with the event as JSON on stdin")

    private static let new = Command(
        "new", summary: "create an alert",
        discussion: [
            "An alert is raised once when its condition becomes true, and again only after the price has moved back by 1 % of the bound. "
                + "Prices older than five minutes are ignored. After an interval without fresh prices the alert says that the bound "
                + "was crossed offline.",
            "`hub serve` checks alerts in the background and shows a notification; each command that fetches prices checks them too.",
        ],
        examples: [
            Example(#"hub market alerts new btc "> 100000""#, "above a price"),
            Example(#"hub market alerts new eth "-5% in 1h""#, "a fall of five percent within an hour"),
            Example(#"hub market alerts new ada "< 0.3" --run "notify-phone""#, "run a command"),
        ], parameters: [MarketOptions.token, condition, command, MarketOptions.currency], fields: recordFields,
        changes: true
    ) { (market: MarketPlugin, input: Input) in
        let token = try await MarketOptions.tokenToChange(input[MarketOptions.token], market, input)
        let text = input[condition].joined(separator: " ")
        let parsed: AlertCondition
        do throws(AlertCondition.Problem) { parsed = try AlertCondition(text, market.config.decimalMark) } catch {
            throw HubError(error, text)
        }
        let currency = MarketOptions.currency(input, market)
        if input.dryRun { return .done("Would create an alert: \(token.token.symbol) \(parsed)") }
        let record = try await market.createAlert(
            on: token, parsed, in: currency, command: input[command], operation: Operation(input))
        let row = try await market.alerts.listed(record)
        return .edited("\(row.label) is new", row, recordFields)
    }

    private static let enable = switching("enable", "enable alerts", true, "on")
    private static let disable = switching("disable", "disable alerts", false, "off")

    private static func switching(_ verb: String, _ summary: String, _ isOn: Bool, _ word: String) -> Command {
        Command(
            verb, summary: summary,
            examples: [
                Example("hub market alerts \(verb) last", "the newest one"),
                Example("hub market alerts \(verb) btc", "by its token"),
            ], prominence: .more, parameters: [entity.many], changes: true
        ) { (market: MarketPlugin, input: Input) in
            let chosen = try await market.alerts.select(input[entity.many], asking: input)
            let names = chosen.map(\.name).joined(separator: ", ")
            if input.dryRun { return .done("Would switch \(word): \(names)") }
            try await market.setAlerts(chosen.map(\.id), enabled: isOn, operation: Operation(input))
            let what = chosen.count == 1 ? "Alert \(names) is" : "\(chosen.count) alerts are"
            return .edited("\(what) \(word)\(chosen.count == 1 ? "" : ": \(names)")")
        }
    }

    private static let test = Command(
        "test", summary: "trigger an alert once to test its notification and command",
        examples: [
            Example("hub market alerts test last", "the newest one"),
            Example("hub market alerts test btc", "by its token"),
        ], prominence: .more, parameters: [entity.one]
    ) { (market: MarketPlugin, input: Input) in
        let chosen = try await market.alerts.select(input[entity.one], asking: input)
        let record = try await market.testAlert(chosen.id, operation: Operation(input, kind: .cache))
        let command = record.command.map { "; \($0) runs" } ?? ""
        return .done("\(record.name): a test notification is sent\(command)")
    }

    private static let remove = entity.remove(examples: [
        Example("hub market alerts rm btc", "by its token"),
        Example("hub market alerts rm last --yes", "the newest one, without confirmation"),
    ])

    private static let restore = entity.restore(examples: [
        Example("hub market alerts restore btc", "by its token"),
        Example("hub market alerts restore 7kt", "by id, as shown by hub trash list"),
    ])
}

extension HubError {
    /// The error of a text that is not a condition.
    fileprivate init(_ problem: AlertCondition.Problem, _ text: String) {
        let (reason, hint) =
            switch problem {
            case .malformed: ("invalid condition \"\(text)\"", #"write "> 100000", "< 90000" or "-5% in 1h""#)
            case .bound: ("the price of an alert must be above zero", #"write "> 100000""#)
            case .percentage: ("the change must not be zero, nor a fall of more than 100 %", #"write "-5% in 1h""#)
            case .number(let number, let problem): (problem.message(number), problem.hint ?? #"write "> 100000""#)
            case .period: ("the period must be from 1 minute to 31 days", #"write "-5% in 1h" or "+10% in 3d""#)
            }
        self.init(.usage, code: "invalid-condition", reason, hint: hint)
    }
}
