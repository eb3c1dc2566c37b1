package import BigInteger
package import JSON
package import MarketDomain

/// Networks, accounts and balances of status-go, in the shapes of its versions. What cannot be read is left out.
package enum StatusGoWallet {
    /// The maximum number of networks, and of accounts.
    private static let maximumCount = 1000

    /// Reads the result of `networks_getFlatEthereumChains`, or of the older `wallet_getEthereumChains`, whose entries hold
    /// a main and a test network.
    package static func networks(_ result: JSONValue) -> NetworkList {
        let entries = (result.array ?? []).prefix(maximumCount)
        let flat = entries.flatMap { entry -> [JSONValue] in
            let pair = [entry["Prod"], entry["Test"]].compactMap { $0 }
            return pair.isEmpty ? [entry] : pair
        }
        return NetworkList(flat.compactMap(network))
    }

    private static func network(_ json: JSONValue) -> Network? {
        guard let chainID = json["chainId"]?.integer, chainID > 0, let shortName = json["shortName"]?.string,
            (1...20).contains(shortName.utf8.count),
            shortName.utf8.allSatisfy({
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
            })
        else { return nil }
        let name = TokenLabel.cleaned(json["chainName"]?.string ?? "")
        let explorer = json["blockExplorerUrl"]?.string.flatMap { $0.hasPrefix("https://") ? $0 : nil }
        return Network(
            chainID: chainID, name: name.isEmpty ? shortName : name, shortName: shortName,
            formerShortNames: shortName == "oeth" ? ["opt"] : [], layer: json["layer"]?.integer == 2 ? 2 : 1,
            isTest: json["isTest"]?.bool ?? false,
            isActive: json["isActive"]?.bool ?? json["enabled"]?.bool ?? true,
            nativeSymbol: TokenLabel.cleaned(json["nativeCurrencySymbol"]?.string ?? "ETH"),
            nativeDecimals: json["nativeCurrencyDecimals"]?.integer.flatMap { (0...255).contains($0) ? $0 : nil } ?? 18,
            explorerURL: explorer.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
    }

    /// Reads the result of `accounts_getAccounts`; accounts of the chat, and hidden ones, are not of the wallet.
    package static func accounts(_ result: JSONValue) -> [Account] {
        (result.array ?? []).prefix(maximumCount).compactMap { json in
            guard json["chat"]?.bool != true, json["hidden"]?.bool != true, json["removed"]?.bool != true,
                let text = json["address"]?.string, let address = try? Address(text, checksum: .ignored)
            else { return nil }
            let name = TokenLabel.cleaned(json["name"]?.string ?? "")
            let isWatched = json["type"]?.string == "watch"
            return Account(
                address: address, name: name.isEmpty ? address.shortened : name,
                path: isWatched ? nil : json["path"]?.string.flatMap { DerivationPath($0) })
        }
    }

    /// The maximum number of tokens of all networks.
    private static let maximumTokens = 100_000

    /// Reads the tokens of a network from the result of `wallet_getTokensByChain`, or of the older `wallet_getTokenList`, whose
    /// lists hold the tokens of all networks; a token of several lists comes once. Native coins, whose address is zero, are left out.
    package static func tokens(_ result: JSONValue, on chainID: Int) -> [WalletToken] {
        let lists = result["data"]?.array?.prefix(maximumCount).map { $0["tokens"]?.array ?? [] }
        var seen: Set<Address> = []
        return (lists?.joined().prefix(maximumTokens).map(\.self) ?? Array((result.array ?? []).prefix(maximumTokens)))
            .compactMap { json in
                guard json["chainId"]?.integer == chainID, let text = json["address"]?.string,
                    let address = try? Address(text, checksum: .ignored), !address.isZero,
                    let decimals = json["decimals"]?.integer, (0...255).contains(decimals),
                    seen.insert(address).inserted
                else { return nil }
                let symbol = TokenLabel.cleaned(json["symbol"]?.string ?? "")
                let name = TokenLabel.cleaned(json["name"]?.string ?? "")
                return WalletToken(
                    chainID: chainID, address: address, symbol: symbol.isEmpty ? address.shortened : symbol,
                    name: name.isEmpty ? symbol : name, decimals: decimals)
            }
    }

    /// Reads the contracts of coins on a chain from the result of `wallet_getTokensByChain`: of tokens that say which coin they are,
    /// by the id that the token of this coin has on every chain (`crossChainId`). Status's list gives CoinGecko's ids there, other
    /// lists nothing, and a few entries are names of Status's own, so the symbol has to be compared too.
    package static func contracts(_ result: JSONValue, on chainID: Int, chain: String) -> [CoinContract] {
        (result.array ?? []).prefix(maximumTokens).compactMap { json in
            guard json["chainId"]?.integer == chainID, json["custom"]?.bool != true,
                let id = json["crossChainId"]?.string, !id.isEmpty, id.utf8.count <= 128,
                let text = json["address"]?.string, let address = try? Address(text, checksum: .ignored),
                !address.isZero, let contract = Contract(chain: chain, address: address.checksummed)
            else { return nil }
            return CoinContract(
                id: id, symbol: TokenLabel.cleaned(json["symbol"]?.string ?? ""),
                name: TokenLabel.cleaned(json["name"]?.string ?? ""), contract: contract)
        }
    }

    /// Reads the result of `wallet_getBalancesByChain`: base units by chain, account and token.
    package static func balances(_ result: JSONValue) -> [Int: [Address: [Address: BigInteger]]] {
        var balances: [Int: [Address: [Address: BigInteger]]] = [:]
        guard case .object(let chains) = result else { return balances }
        for chain in chains.prefix(maximumCount) {
            guard let chainID = Int(chain.name), case .object(let accounts) = chain.value else { continue }
            for account in accounts.prefix(maximumCount) {
                guard let owner = try? Address(account.name, checksum: .ignored),
                    case .object(let tokens) = account.value
                else { continue }
                for token in tokens {
                    guard let address = try? Address(token.name, checksum: .ignored), let text = token.value.string,
                        let units = BigInteger(hexadecimal: text), units.isUInt256
                    else { continue }
                    balances[chainID, default: [:]][owner, default: [:]][address] = units
                }
            }
        }
        return balances
    }
}
