package import MarketDomain

/// The networks of wallets in the words of the lists of contracts.
extension Network {
    // By the number of the chain (EIP-155): its name there, and the id of the coin that its fees are paid in. As CoinGecko's
    // /asset_platforms gives them in `id`, `chain_identifier` and `native_coin_id`; only for 137, whose coin became POL in
    // September 2024, documented answers still name the coin before, and the id is that of POL in /coins/list.
    // Names of chains that were not seen there are not guessed.
    private static let names: [Int: (chain: String, coin: String)] = [
        1: ("ethereum", "ethereum"), 10: ("optimistic-ethereum", "ethereum"),
        56: ("binance-smart-chain", "binancecoin"), 100: ("xdai", "xdai"),
        137: ("polygon-pos", "polygon-ecosystem-token"), 8453: ("base", "ethereum"),
        42_161: ("arbitrum-one", "ethereum"), 43_114: ("avalanche", "avalanche-2"), 59_144: ("linea", "ethereum"),
    ]

    /// The name of its chain in contracts; nil for one that is not known, and for one whose coins have no value.
    package var contractChain: String? { isTest ? nil : Self.names[chainID]?.chain }

    /// The coin that its fees are paid in; nil as for the chain.
    package var coin: TokenKey? { isTest ? nil : Self.names[chainID].map { TokenKey(.coingecko, $0.coin) } }
}
