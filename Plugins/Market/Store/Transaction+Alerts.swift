import BigInteger
package import MarketDomain
import MarketKnownProviders
import SQLite
package import Storage

/// Alerts, and what they remember between prices.
extension Transaction {
    /// Returns the live alerts as they were stored; with `inTrash` those in the trash.
    package func alerts(inTrash: Bool = false) throws -> [AlertRecord] {
        try alertRecords("deleted_at IS \(inTrash ? "NOT " : "")NULL")
    }

    /// Returns the alert `id`, live or in the trash; nil if there is none.
    package func alert(_ id: String) throws -> AlertRecord? { try alertRecords("id = ?", id).first }

    /// Returns the alerts that wait for prices of a currency.
    package func enabledAlerts(in currency: Currency) throws -> [AlertRecord] {
        try alertRecords("deleted_at IS NULL AND enabled = 1 AND currency = ?", currency.code)
    }

    /// Whether an alert waits for prices.
    package func hasEnabledAlerts() throws -> Bool {
        try row("SELECT 1 FROM market_alert WHERE deleted_at IS NULL AND enabled = 1") { _ in true } ?? false
    }

    /// Stores a new alert.
    package func insertAlert(_ alert: AlertRecord) throws {
        try run(
            """
            INSERT INTO market_alert (id, token, condition, currency, enabled, command, revision, created_at, changed_at)
            VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?)
            """, alert.id, alert.key.text, alert.condition.description, alert.currency.code, alert.isEnabled,
            alert.command, now.milliseconds, now.milliseconds)
    }

    /// Switches the alert `id` on or off; off, it forgets the prices that it saw.
    package func setAlertEnabled(_ isEnabled: Bool, of id: String) throws {
        try run(
            "UPDATE market_alert SET enabled = ?, revision = revision + 1, changed_at = ? WHERE id = ?", isEnabled,
            now.milliseconds, id)
        try run("DELETE FROM market_alert_state WHERE alert = ?", id)
    }

    /// Permanently deletes the alert `id`.
    package func destroyAlert(_ id: String) throws {
        try run("DELETE FROM market_alert_state WHERE alert = ?", id)
        try run("DELETE FROM market_alert WHERE id = ?", id)
    }

    /// Returns what the alert `id` remembers, and when it was raised last.
    package func alertState(of id: String) throws -> (state: AlertState, raisedAt: Instant?) {
        try row(
            "SELECT is_raised, raised_at, last_time, last_price, samples FROM market_alert_state WHERE alert = ?", id
        ) { row in
            let last = row.optionalInt(2).flatMap { time in
                BigDecimal(row.text(3)).map { sample(time, $0) }
            }
            let samples = row.text(4).split(separator: " ").compactMap { part -> AlertState.Sample? in
                let halves = part.split(separator: "=" as Character)
                guard halves.count == 2, let time = Int(halves[0]), let price = BigDecimal(halves[1]) else {
                    return nil
                }
                return sample(time, price)
            }
            return (
                AlertState(isRaised: row.bool(0), last: last, samples: samples),
                row.optionalInt(1).map { Instant(milliseconds: Int64($0)) }
            )
        } ?? (AlertState(), nil)
    }

    private func sample(_ time: Int, _ price: BigDecimal) -> AlertState.Sample {
        AlertState.Sample(time: Instant(milliseconds: Int64(time)), price: price)
    }

    /// Stores what the alert `id` remembers.
    package func storeAlertState(_ state: AlertState, raisedAt: Instant?, of id: String) throws {
        let samples = state.samples.map { "\($0.time.milliseconds)=\($0.price)" }.joined(separator: " ")
        try run(
            """
            INSERT INTO market_alert_state (alert, is_raised, raised_at, last_time, last_price, samples)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (alert) DO UPDATE SET is_raised = excluded.is_raised, raised_at = excluded.raised_at,
                last_time = excluded.last_time, last_price = excluded.last_price, samples = excluded.samples
            """, id, state.isRaised, raisedAt?.milliseconds, state.last?.time.milliseconds,
            state.last?.price.description, samples)
    }

    private func alertRecords(_ condition: String, _ arguments: any Bindable...) throws -> [AlertRecord] {
        try rows(
            """
            SELECT id, market_alert.token, condition, currency, enabled, command, revision, deleted_at, symbol
            FROM market_alert LEFT JOIN market_token ON market_token.token = market_alert.token
            WHERE \(condition) ORDER BY market_alert.rowid
            """, arguments: arguments
        ) { row in
            let id = row.text(0)
            guard let condition = try? AlertCondition(row.text(2)), let currency = Currency(row.text(3)) else {
                throw HubError(
                    .internal, code: "damaged-alert", "the stored alert \(id) cannot be read",
                    hint: "hub doctor checks the store")
            }
            let key = TokenKey(row.text(1))
            return AlertRecord(
                id: id, key: key, symbol: row.optionalText(8) ?? key.text, condition: condition, currency: currency,
                isEnabled: row.bool(4), command: row.optionalText(5), revision: row.int(6),
                deletedAt: row.optionalInt(7).map { Instant(milliseconds: Int64($0)) })
        }
    }
}
