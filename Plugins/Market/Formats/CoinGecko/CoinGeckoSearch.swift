import JSON

/// A token that a search found.
package struct SearchHit: Hashable, Sendable {
    /// The token.
    package let token: Token
    /// Its rank by market cap; nil for tokens without one.
    package let rank: Int?

    package init(token: Token, rank: Int?) {
        self.token = token
        self.rank = rank
    }
}

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
    private static let listKeys = JSONKeys(["id", "symbol", "name"])

    /// Decodes `/coins/list`, an array of all tokens.
    package static func list(_ body: [UInt8]) throws(GatewayError) -> [SearchHit] {
        let found: [SearchHit]? = try WireReader.read(body) { cursor throws(JSONCursor.Problem) in
            guard try cursor.begin(.array) else { return nil }
            var found: [SearchHit] = []
            while try cursor.nextElement() {
                if let hit = try SearchAnswer.hit(&cursor, keys: listKeys) { found.append(hit) }
            }
            return found
        }
        guard let found else { throw ProviderErrorBody.error(status: 200, body: body) }
        return found
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
