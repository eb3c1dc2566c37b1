package import CivilDate
package import Commands
import HubKit
package import MarketDomain
import Storage

/// What was taken from a file of rates, or from the European Central Bank.
package struct RateImport: Sendable {
    /// The number of currencies.
    package let currencies: Int
    /// The first and last day.
    package let days: ClosedRange<CivilDate>
    /// The number of rates that were not known before, or differed.
    package let changed: Int
    /// The parts that could not be read.
    package let issues: [ReferenceRates.Issue]
}

/// The rates of exchange.
extension MarketPlugin {
    /// How long an attempt to fetch rates keeps hub from another one that no user asked for.
    private static var pause: Duration { .seconds(6 * 3600) }

    /// Stores the rates of a file of the European Central Bank. Throws `invalid` for a file that is none.
    package func importRates(_ bytes: [UInt8], name: String, operation: Operation) async throws -> RateImport {
        let read: ReferenceRates
        do throws(ReferenceRates.Issue) { read = try ReferenceRates.read(bytes) } catch {
            throw HubError(
                .invalid, code: "unreadable-file", "\(name):\(error.line): \(error.message)",
                hint: "eurofxref-hist.csv of the European Central Bank has the form that is read")
        }
        return try await store(read, operation)
    }

    /// Fetches the rates of the European Central Bank and stores them.
    package func fetchRates(operation: Operation) async throws -> RateImport {
        guard !isOffline else {
            throw HubError(
                .unavailable, code: "offline", "rates need the network",
                hint: "run it without --offline, or import a file with hub market rates import FILE")
        }
        try await store.write(Self.fetching) { try $0.noteRateFetch("ecb") }
        let read: ReferenceRates
        do throws(GatewayError) { read = try await gateways.referenceRates() } catch {
            throw HubError(
                .unavailable, code: "no-rates", "the European Central Bank \(error.text(now: clock.now))",
                hint: "hub market rates import FILE reads a file of its rates")
        }
        return try await store(read, operation)
    }

    /// The days for which rates are stored, by currency.
    package func rateRanges() async throws -> [RateRange] { try await store.read { try $0.rateRanges() } }

    private static var fetching: Operation { Operation("market rates", who: .service("market"), kind: .fetched) }

    private func store(_ read: ReferenceRates, _ operation: Operation) async throws -> RateImport {
        let days = read.rates.values.flatMap { $0 }.map(\.day)
        guard let first = days.min(), let last = days.max() else {
            throw HubError(.invalid, code: "no-rates", "the file has no rates")
        }
        let changed = try await store.write(operation) { try $0.storeRates(read.rates) }
        return RateImport(
            currencies: read.rates.count, days: first...last, changed: changed, issues: read.issues)
    }

    /// Fetches rates that a ledger needs, if the network may be used and was not tried lately; true if some were stored.
    func fetchMissingRates(
        _ missing: [Valuation.MissingRate], _ currency: Currency, isOffline: Bool
    ) async throws -> Bool {
        let isDemo = config[MarketKeys.providers] == [.demo]
        guard !isOffline, !self.isOffline, !isDemo, missing.contains(where: { !$0.currency.isCoin }), !currency.isCoin
        else { return false }
        if let last = try await store.read({ try $0.lastRateFetch() }), last <= clock.now, clock.now - last < Self.pause
        {
            return false
        }
        do { return try await fetchRates(operation: Self.fetching).changed > 0 } catch let error as HubError {
            log.info("rates of exchange: \(error.message)")
            return false
        }
    }
}
