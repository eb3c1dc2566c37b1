import JSON
package import MarketDomain

/// The answer of CoinGecko's `/search`.
package enum CoinGeckoSearch {
    private static let keys = JSONKeys(["coins"])
    private static let coinKeys = JSONKeys(["id", "symbol", "name", "large", "market_cap_rank"])

    /// Decodes the tokens in the provider's order, the best match first.
    package static func hits(_ body: [UInt8]) throws(GatewayError) -> [SearchHit] {
        try SearchAnswer.hits(body, keys: keys) { cursor throws(JSONCursor.Problem) in
            try SearchAnswer.hit(&cursor, keys: coinKeys)
        }
    }
}

extension CoinGeckoSearch {
    private static let listKeys = JSONKeys(["id", "symbol", "name", "platforms"])

    /// Decodes `/coins/list`, an array of all tokens; with `include_platform` each has its contracts by chain.
    package static func list(_ body: [UInt8]) throws(GatewayError) -> [SearchHit] {
        let found: [SearchHit]? = try WireReader.read(body) { cursor throws(JSONCursor.Problem) in
            guard try cursor.begin(.array) else { return nil }
            var found: [SearchHit] = []
            while try cursor.nextElement() {
                if let hit = try hit(&cursor) { found.append(hit) }
            }
            return found
        }
        guard let found else { throw ProviderErrorBody.error(status: 200, body: body) }
        return found
    }

    private static func hit(_ cursor: inout JSONCursor) throws(JSONCursor.Problem) -> SearchHit? {
        guard try cursor.begin(.object) else { return nil }
        var builder = MarketRowBuilder()
        var contracts: [Contract] = []
        while let index = try cursor.nextMember(listKeys) {
            switch index {
            case 0: if case .value(let text) = try cursor.textField() { builder.id = text }
            case 1: builder.setText(\.symbol, try cursor.textField())
            case 2: builder.setText(\.name, try cursor.textField())
            case 3: contracts = try self.contracts(&cursor)
            default: try cursor.skip()
            }
        }
        guard let id = builder.id, let token = Token(id: id, symbol: builder.symbol, name: builder.name) else {
            return nil
        }
        return SearchHit(token: token, rank: nil, contracts: contracts)
    }

    /// Addresses by chain; a coin of its own chain has one without a name or without an address.
    private static func contracts(_ cursor: inout JSONCursor) throws(JSONCursor.Problem) -> [Contract] {
        guard try cursor.begin(.object) else { return [] }
        var contracts: [Contract] = []
        while let chain = try cursor.nextName() {
            guard case .value(let address) = try cursor.textField(),
                let contract = Contract(chain: chain, address: address)
            else { continue }
            contracts.append(contract)
        }
        return contracts
    }
}

/// What answers to searches have in common: an object with an array of tokens.
enum SearchAnswer {
    static func hits(
        _ body: [UInt8], keys: JSONKeys, _ hit: (inout JSONCursor) throws(JSONCursor.Problem) -> SearchHit?
    ) throws(GatewayError) -> [SearchHit] {
        let hits: [SearchHit]? = try WireReader.read(body) { cursor throws(JSONCursor.Problem) in
            var hits: [SearchHit]?
            guard try cursor.begin(.object) else { return nil }
            while let index = try cursor.nextMember(keys) {
                guard index == 0, try cursor.kind() == .array else {
                    try cursor.skip()
                    continue
                }
                try cursor.beginArray()
                var found: [SearchHit] = []
                while try cursor.nextElement() {
                    if let hit = try hit(&cursor) { found.append(hit) }
                }
                hits = found
            }
            return hits
        }
        guard let hits else { throw ProviderErrorBody.error(status: 200, body: body) }
        return hits
    }

    /// Decodes a token; the keys are those of the id, symbol, name, image and rank.
    static func hit(_ cursor: inout JSONCursor, keys: JSONKeys) throws(JSONCursor.Problem) -> SearchHit? {
        guard try cursor.begin(.object) else { return nil }
        var builder = MarketRowBuilder()
        while let index = try cursor.nextMember(keys) {
            switch index {
            case 0: if case .value(let text) = try cursor.textField() { builder.id = text }
            case 1: builder.setText(\.symbol, try cursor.textField())
            case 2: builder.setText(\.name, try cursor.textField())
            case 3: builder.setImage(try cursor.textField())
            case 4: builder.setRank(try cursor.integerField())
            default: try cursor.skip()
            }
        }
        guard let id = builder.id,
            let token = Token(id: id, symbol: builder.symbol, name: builder.name, imageURL: builder.image)
        else { return nil }
        return SearchHit(token: token, rank: builder.rank)
    }
}
