import MarketDomain
import MarketKnownProviders
import Storage

/// The tokens of a file, as far as it is clear which are meant.
struct ResolvedTokens: Sendable {
    /// The tokens that were found.
    var tokens: [TokenReference: KnownToken] = [:]
    /// The reasons why others were not; a token that no provider has is in neither table.
    var failures: [TokenReference: String] = [:]
    /// The tokens that neither the store nor a provider knows.
    var unknown: Set<TokenReference> = []
    /// The choices among several tokens with one symbol.
    var remarks: [TokenReference: String] = [:]
}

extension MarketPlugin {
    /// Finds the tokens of a file: among those that are known, then on the board, then in one list of all tokens.
    func resolve(_ file: PortfolioImport, isOffline: Bool) async throws -> ResolvedTokens {
        var result = ResolvedTokens()
        try await resolve(file, isOffline: isOffline || self.isOffline, &result)
        return result
    }

    private func resolve(_ file: PortfolioImport, isOffline: Bool, _ result: inout ResolvedTokens) async throws {
        // A stock is not a token, whatever its symbol is.
        var open = file.references.filter { if case .stock = $0 { false } else { true } }
        defer { result.unknown = open }
        try await lookUp(&open, &result)
        if isOffline {
            for reference in open {
                result.failures[reference] =
                    "\"\(reference.text)\" is not among the known tokens; import it with the network"
            }
            return
        }
        guard !open.isEmpty else { return }
        _ = try await refreshBoard(0..<1, in: currency, isOffline: false)
        try await lookUp(&open, &result)
        guard !open.isEmpty else { return }
        let failure = try await fetchNamed(open)
        try await lookUp(&open, &result)
        if let failure {
            for reference in open {
                result.failures[reference] =
                    "\"\(reference.text)\" is not among the known tokens, and \(failure.provider.rawValue) "
                    + failure.error.text(now: clock.now)
            }
        }
    }

    /// Finds tokens among those that are known; those that are not stay in `open`.
    private func lookUp(_ open: inout Set<TokenReference>, _ result: inout ResolvedTokens) async throws {
        let wanted = open
        let found = try await store.read { transaction in
            Dictionary(
                uniqueKeysWithValues: try wanted.map { reference in
                    (
                        reference,
                        try catalogues.lazy.map { try transaction.tokens(reference, in: $0) }.first { !$0.isEmpty }
                            ?? []
                    )
                })
        }
        for (reference, tokens) in found where !tokens.isEmpty {
            open.remove(reference)
            let ids = tokens.prefix(4).map(\.key.text).joined(separator: ", ")
            guard let token = tokens.clearChoice else {
                result.failures[reference] = "several tokens are named \"\(reference.text)\": \(ids); write the id"
                continue
            }
            result.tokens[reference] = token
            if tokens.count > 1 { result.remarks[reference] = "taken as \(token.key.text), of \(ids)" }
        }
    }

    /// Fetches the list of all tokens of the first provider that has one, and stores those that a file names; returns why there
    /// is none.
    private func fetchNamed(_ references: Set<TokenReference>) async throws -> PriceOrigin.Failure? {
        var failure: PriceOrigin.Failure?
        for provider in health.available(now: clock.now) {
            let gateway = try await gateways.gateway(provider)
            do throws(GatewayError) {
                let all = try await health.noting(provider, clock) { () async throws(GatewayError) in
                    try await gateway.allTokens()
                }
                if !all.contracts.isEmpty { try? await storeContracts(all.contracts, of: provider) }
                let words = Set(references.map { $0.text.lowercased() })
                let named = all.filter { hit in
                    [hit.token.id, hit.token.symbol, hit.token.name].contains { words.contains($0.lowercased()) }
                        || hit.contracts.contains { words.contains($0.address) }
                }
                if named.isEmpty { continue }
                _ = try? await store.write(Self.finding) { transaction in
                    // A token that is known has its rank, which the list does not have.
                    for hit in named where try transaction.token(provider.key(hit.token.id)) == nil {
                        try transaction.storeToken(hit.token, provider.key(hit.token.id), rank: nil)
                    }
                }
                return nil
            } catch {
                failure = failure ?? PriceOrigin.Failure(provider: provider, error: error)
            }
        }
        return failure
    }
}

extension Transaction {
    /// Returns the tokens that a file means: a symbol is looked for among symbols only.
    fileprivate func tokens(_ reference: TokenReference, in catalogue: TokenKey.Catalogue) throws -> [KnownToken] {
        switch reference {
        case _ where Contract.isAddress(reference.text):
            try tokens(atAddress: reference.text, in: catalogue)
        case .id(let text), .name(let text): try tokens(named: text, in: catalogue)
        case .symbol(let text): try tokens(withSymbol: text, in: catalogue)
        case .symbolAndName(let symbol, let name): try tokens(withSymbol: symbol, name: name, in: catalogue)
        case .stock: []
        }
    }

    /// Returns the tokens with a symbol; if some of them also have the name, these alone.
    private func tokens(
        withSymbol symbol: String, name: String, in catalogue: TokenKey.Catalogue
    ) throws -> [KnownToken] {
        let found = try tokens(withSymbol: symbol, in: catalogue)
        let named = found.filter { $0.token.name.lowercased() == name.lowercased() }
        return named.isEmpty ? found : named
    }
}

extension PortfolioImport {
    /// The tokens that the file names, each once.
    var references: Set<TokenReference> {
        Set(trades.flatMap(\.references).map(\.token) + watchlists.flatMap(\.tokens) + alerts.map(\.token))
    }
}

extension TokenReference {
    /// The word to look for.
    var text: String {
        switch self {
        case .id(let text), .symbol(let text), .name(let text), .stock(let text): text
        case .symbolAndName(let symbol, _): symbol
        }
    }
}
