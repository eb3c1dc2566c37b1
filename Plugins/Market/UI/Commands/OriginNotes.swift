import Commands
import MarketDomain
import MarketKnownProviders

/// What is said beside prices: why they are not newer, how old they are, and where they come from.
enum OriginNotes {
    /// The notes for prices of which the newest was seen at `time`; `count` completes the line of the source.
    static func notes(_ origin: PriceOrigin, seen time: Instant?, now: Instant, count: String? = nil) -> [Diagnostic] {
        var notes: [Diagnostic] = []
        let age = time.map { "prices are \(GatewayError.length(now - $0)) old" }
        if origin.isOffline, !origin.isFresh, let age {
            notes.append(
                .warning("offline: \(age); alerts wait until they are fresh", code: "offline"))
        }
        for failure in origin.failures {
            let isUsed = origin.source?.provider == failure.provider
            let rest =
                isUsed || !origin.isFresh ? age ?? "no prices" : "prices of \(origin.source?.provider.rawValue ?? "")"
            notes.append(
                .warning(
                    "\(failure.provider.rawValue) \(failure.error.text(now: now)); \(rest)",
                    code: "provider-unavailable"))
        }
        guard let source = origin.source else { return notes }
        let line = [source.provider.attribution + (origin.isFresh ? ageText(time, now) : ""), count]
        notes.append(Diagnostic(line.compactMap(\.self).joined(separator: ". "), level: .aside, code: "source"))
        return notes
    }

    private static func ageText(_ time: Instant?, _ now: Instant) -> String {
        time.map { ", fetched \(GatewayError.length(now - $0)) ago" } ?? ""
    }

    /// The note for a view without any price.
    static func nothing(_ origin: PriceOrigin, currency: Currency) -> Diagnostic {
        Diagnostic(
            origin.isOffline ? "No prices in \(currency.name) have been fetched yet" : "No prices in \(currency.name)",
            suggestions: [
                Example("hub market providers test", "check the providers"),
                Example(
                    #"hub config set plugins.market.providers '["demo"]'"#, "try it with demo data, without a network"),
            ])
    }
}
