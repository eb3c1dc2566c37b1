import BigInteger
package import HubKit
package import MarketDomain
import MarketKnownProviders
package import Storage

/// An alert in a list, with what it saw last.
package struct AlertView: Sendable {
    /// The alert.
    package let record: AlertRecord
    /// What it remembers.
    package let state: AlertState
    /// When it was raised last.
    package let raisedAt: Instant?
}

extension MarketPlugin {
    /// Returns the alerts, with `inTrash` those in the trash.
    package func listAlerts(inTrash: Bool = false) async throws -> [AlertView] {
        try await store.read { transaction in
            try transaction.alerts(inTrash: inTrash).map { record in
                let (state, raisedAt) = try transaction.alertState(of: record.id)
                return AlertView(record: record, state: state, raisedAt: raisedAt)
            }
        }
    }

    /// Stores a new alert, which is on.
    package func createAlert(
        on token: KnownToken, _ condition: AlertCondition, in currency: Currency, command: String?,
        operation: Operation
    ) async throws -> AlertRecord {
        try await store.write(operation) { transaction in
            let record = AlertRecord(
                id: Identifier.make(), key: try preferred(token.key, transaction), symbol: token.token.symbol,
                condition: condition,
                currency: currency, isEnabled: true, command: command, revision: 1, deletedAt: nil)
            try transaction.insertAlert(record)
            try transaction.emit(MarketEvents.alertsChanged, record)
            return record
        }
    }

    /// Switches alerts on or off.
    package func setAlerts(_ ids: [String], enabled isEnabled: Bool, operation: Operation) async throws {
        try await store.write(operation) { transaction in
            for id in ids {
                let record = try AlertRecord.kind.live(id, in: transaction)
                guard record.isEnabled != isEnabled else { continue }
                try transaction.setAlertEnabled(isEnabled, of: id)
                try transaction.emit(MarketEvents.alertsChanged, try AlertRecord.kind.item(id, in: transaction))
            }
        }
    }

    /// Publishes an alert as if it was raised now, to try its notification and command. The alert itself stays as it is.
    package func testAlert(_ id: String, operation: Operation) async throws -> AlertRecord {
        try await store.write(operation) { transaction in
            let record = try AlertRecord.kind.live(id, in: transaction)
            let price = try transaction.alertState(of: id).state.last?.price ?? 0
            let raised = AlertRaised(
                record: record, price: price, percent: nil, crossedOffline: false, provider: nil, isTest: true)
            try transaction.emit(raised.event)
            return record
        }
    }

    /// Runs the command of a raised alert, with the event on stdin.
    package func runAlertCommand(_ event: StoredEvent) async throws {
        guard let record = try await store.read({ try $0.alert(event.subject) }), let command = record.command else {
            return
        }
        var writer = JSONWriter()
        try event.write(to: &writer)
        writer.endLine()
        let finished: Subprocess.Finished
        do throws(SubprocessError) {
            finished = try await Subprocess.shell(command).run(
                input: writer.bytes, outputLimit: 64 << 10, timeout: .seconds(30))
        } catch {
            throw HubError(
                .unavailable, code: "alert-command", "the command of the alert \(record.name) failed: \(error)")
        }
        guard finished.status.isSuccess else {
            throw HubError(
                .unavailable, code: "alert-command", "the command of the alert \(record.name) failed",
                details: [command], hint: "hub market alerts test \(record.id) tries it")
        }
    }
}

/// A raised alert, as an event.
struct AlertRaised {
    let record: AlertRecord
    let price: BigDecimal
    let percent: BigDecimal?
    let crossedOffline: Bool
    /// The source of the price; nil in a test.
    let provider: Provider?
    let isTest: Bool

    /// The sentence of the notification.
    var sentence: String {
        let value = PriceFormat.text(price, record.currency, trimsZeros: true)
        let change = percent.map { ", \(PercentFormat.signed($0))" } ?? ""
        let offline = crossedOffline ? "; crossed while offline" : ""
        return "\(record.symbol) is at \(value)\(change)\(offline)"
    }

    var event: Event {
        AlertRaisedBody.event(
            AlertRaisedBody(
                name: record.name, token: record.key.text, condition: record.condition.description,
                price: price.description, currency: record.currency.code,
                percent: percent?.text(fractionDigits: 2), provider: provider?.rawValue ?? "test",
                crossedOffline: crossedOffline,
                notify: EventNotification(
                    (isTest ? "Test: " : "") + record.name, isTest ? "This is a test of the alert." : sentence)),
            of: record.id)
    }
}

extension Transaction {
    /// Shows the new prices of tokens to the alerts on them, and publishes those that are raised.
    func raiseAlerts(_ seen: Set<TokenKey>, from source: PriceSource) throws {
        guard !seen.isEmpty else { return }
        for alert in try enabledAlerts(in: source.currency) {
            guard let key = try counterpart(of: alert.key, in: source.provider.catalogue), seen.contains(key),
                let row = try boardRows([key], from: source).first, let price = row.value(.current), let time = row.time
            else { continue }
            var (state, raisedAt) = try alertState(of: alert.id)
            let before = state
            let raised = state.observe(AlertState.Sample(time: time, price: price), alert.condition, now: now)
            if raised != nil { raisedAt = now }
            if state != before { try storeAlertState(state, raisedAt: raisedAt, of: alert.id) }
            guard let raised else { continue }
            try emit(
                AlertRaised(
                    record: alert, price: raised.sample.price, percent: raised.percent,
                    crossedOffline: raised.crossedOffline, provider: source.provider, isTest: false
                ).event)
        }
    }
}
