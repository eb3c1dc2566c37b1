package import MarketDomain
import MarketKnownProviders
import Storage

extension MarketPlugin {
    /// Returns the tokens that a selector names, the best-ranked first: an id, a symbol, a name, or the address of a contract. What is not known is looked
    /// for at a provider. Throws `token-not-found`, `token-lookup-failed` when no provider could be asked,
    /// or why what was found cannot be stored.
    package func tokens(named word: String, isOffline: Bool) async throws -> [KnownToken] {
        let text = word.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else { throw HubError(.usage, code: "selector-empty", "the name of the token is empty") }
        if Contract.isAddress(text) { return try await tokens(atAddress: text, isOffline: isOffline) }
        if let found = try await known(text) { return found }
        if !(isOffline || self.isOffline) {
            // The first page has what is looked for most.
            _ = try await refreshBoard(0..<1, in: currency, isOffline: isOffline)
            if let found = try await known(text) { return found }
            let (hits, origin) = try await search([text], limit: 1, isOffline: isOffline)
            if let found = try await known(text) { return found }
            if !hits.isEmpty {
                // If the store takes nothing in, that is the reason, not the name.
                try await store.write(Self.finding) { transaction in
                    for hit in hits { try transaction.storeToken(hit.token, hit.key, rank: hit.rank) }
                }
            }
            if let failure = origin.failures.last {
                throw HubError(
                    .unavailable, code: "token-lookup-failed",
                    "\"\(text)\" is not among the known tokens, and \(failure.provider.rawValue) "
                        + failure.error.text(now: clock.now), hint: "try it again later")
            }
        }
        let near = try await store.read { transaction in
            try health.providers.flatMap {
                try transaction.tokens(matching: MarketWords.split(text), in: $0.catalogue, limit: 3)
            }
        }
        throw HubError(
            .notFound, code: "token-not-found", "no token named \"\(text)\"",
            hint: near.isEmpty
                ? "hub market search \(ShellWords.quote(text)) looks for it"
                : "did you mean \(near.map { "\($0.token.name) (\($0.key.text))" }.joined(separator: ", "))?")
    }

    /// Returns the tokens with a contract at an address, on any chain, after fetching the lists of contracts if they are old.
    private func tokens(atAddress address: String, isOffline: Bool) async throws -> [KnownToken] {
        let catalogues = catalogues
        func known() async throws -> [KnownToken] {
            try await store.read { transaction in
                try catalogues.lazy.map { try transaction.tokens(atAddress: address, in: $0) }.first { !$0.isEmpty }
                    ?? []
            }
        }
        var found = try await known()
        if found.isEmpty {
            try await refreshContracts(isOffline: isOffline)
            found = try await known()
        }
        guard !found.isEmpty else {
            throw HubError(
                .notFound, code: "token-not-found", "no token is known with a contract at \(address)",
                hint: "hub market search NAME looks for it")
        }
        let tokens = found
        try await store.write(Self.finding) { transaction in
            for token in tokens where try transaction.token(token.key) == nil {
                try transaction.storeToken(token.token, token.key, rank: token.rank)
            }
        }
        return found
    }

    /// The operation that stores what a search found.
    static var finding: Operation { Operation("market search", who: .service("market"), kind: .fetched) }

    /// Returns the tokens that a word names, among those that are known; nil for none.
    func known(_ text: String) async throws -> [KnownToken]? {
        let catalogues = catalogues
        return try await store.read { transaction in
            for catalogue in catalogues {
                let found = try transaction.tokens(named: text, in: catalogue)
                if !found.isEmpty { return found }
            }
            return nil
        }
    }

    /// The catalogues of the providers, in their order.
    var catalogues: [TokenKey.Catalogue] {
        health.providers.map(\.catalogue).reduce(into: []) { list, catalogue in
            if !list.contains(catalogue) { list.append(catalogue) }
        }
    }

    /// Returns the tokens that match words, the best-ranked first: those that are known, and those that a provider finds
    /// beside them.
    package func search(
        _ words: [String], limit: Int, isOffline: Bool
    ) async throws -> (tokens: [KnownToken], origin: PriceOrigin) {
        var origin = PriceOrigin()
        origin.isOffline = isOffline || self.isOffline
        let wanted = words.flatMap(MarketWords.split)
        for provider in health.available(now: clock.now) {
            func known() async throws -> [KnownToken] {
                try await store.read { try $0.tokens(matching: wanted, in: provider.catalogue, limit: limit) }
            }
            origin.source = PriceSource(provider, currency)
            var found = try await known()
            if !origin.isOffline {
                do throws(GatewayError) {
                    let new = try await find(words, at: provider, limit: limit)
                    let keys = Set(found.map(\.key))
                    // The provider also finds what is spelled otherwise.
                    found = found.isEmpty ? new : (found + new.filter { !keys.contains($0.key) }).byRank
                } catch {
                    origin.failures.append(PriceOrigin.Failure(provider: provider, error: error))
                }
            }
            if !found.isEmpty { return (Array(found.prefix(limit)), origin) }
        }
        return ([], origin)
    }

    /// Asks a provider for tokens, and stores what it finds.
    private func find(
        _ words: [String], at provider: Provider, limit: Int
    ) async throws(GatewayError) -> [KnownToken] {
        do {
            let gateway = try await gateways.gateway(provider)
            if gateway.live(in: currency) != nil {
                // It cannot be asked for words, but sends its whole board.
                let source = PriceSource(provider, currency)
                if let error = try await fetchBoard(
                    source, 0..<provider.maximumPlaces, within: nil, isForced: true)
                {
                    throw error
                }
                let wanted = words.flatMap(MarketWords.split)
                return try await store.read { try $0.tokens(matching: wanted, in: provider.catalogue, limit: limit) }
            }
            let hits = try await health.noting(provider, clock) { () async throws(GatewayError) in
                try await gateway.search(words.joined(separator: " "))
            }
            _ = try? await store.write(Self.finding) { try $0.storeTokens(hits, of: provider) }
            return hits.prefix(limit).map { KnownToken(key: provider.key($0.token.id), token: $0.token, rank: $0.rank) }
        } catch let error as GatewayError {
            throw error
        } catch {
            throw .unreachable((error as? HubError)?.message ?? "\(error)")
        }
    }
}

extension [KnownToken] {
    /// The tokens by rank; those without one keep their order, after the others.
    fileprivate var byRank: [KnownToken] {
        enumerated().sorted { ($0.element.rank ?? .max, $0.offset) < ($1.element.rank ?? .max, $1.offset) }.map(
            \.element)
    }
}
