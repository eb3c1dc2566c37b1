package import CivilDate
package import Commands
import HubKit
package import MarketDomain
import MarketKnownProviders
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
    private static var pause: Duration { .seconds(24 * 3600) }

    /// Stores the rates of a file of the European Central Bank, packed or not. Throws `invalid` for a file that is none.
    package func importRates(_ bytes: [UInt8], name: String, operation: Operation) async throws -> RateImport {
        let table: [UInt8]
        do throws(GatewayError) { table = try ReferenceRatesClient.table(bytes) } catch {
            throw HubError(
                .invalid, code: "unreadable-file", "\(name) is a damaged archive, or one without a table",
                hint: "eurofxref-hist.zip of the European Central Bank has one")
        }
        let read: ReferenceRates
        do throws(ReferenceRates.Issue) { read = try ReferenceRates.read(table) } catch {
            throw HubError(
                .invalid, code: "unreadable-file", "\(name):\(error.line): \(error.message)",
                hint: "eurofxref-hist.csv of the European Central Bank has the form that is read")
        }
        return try await store(read, operation)
    }

    /// Fetches the rates of the European Central Bank and stores them; nil if its file did not change since the last time.
    package func fetchRates(isOffline: Bool, operation: Operation) async throws -> RateImport? {
        guard !isOffline, !self.isOffline else {
            throw HubError(
                .unavailable, code: "offline", "rates need the network",
                hint: "run it without --offline, or import a file with hub market rates import FILE")
        }
        let url = config[MarketKeys.ratesURL] ?? ReferenceRatesClient.address
        let known = try await store.write(Self.fetching) { transaction in
            try transaction.noteRateFetch(url)
            return try transaction.ratesVersion(url)
        }
        let fetched: FetchedRates?
        do throws(GatewayError) { fetched = try await gateways.referenceRates(unless: known) } catch {
            throw HubError(
                .unavailable, code: "no-rates", "the European Central Bank \(error.text(now: clock.now))",
                hint: "hub market rates import FILE reads a file of its rates")
        }
        guard let fetched else { return nil }
        let result = try await store(fetched.rates, operation)
        // A file of which a part cannot be read is fetched again.
        let version = result.issues.isEmpty ? fetched.version : nil
        try await store.write(Self.fetching) { try $0.storeRatesVersion(version, url) }
        return result
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
        do {
            return try await fetchRates(isOffline: isOffline, operation: Self.fetching).map { $0.changed > 0 } ?? false
        } catch let error as HubError {
            log.info("rates of exchange: \(error.message)")
            return false
        }
    }
}
