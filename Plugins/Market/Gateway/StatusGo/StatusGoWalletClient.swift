package import BigInteger
import JSON
package import MarketDomain
package import MarketFormats

/// The wallet of status-go: it is read, and asked for routes. Nothing is signed or sent.
package struct StatusGoWalletClient: Sendable {
    let session: StatusGoSession

    init(session: StatusGoSession) { self.session = session }

    /// Returns the accounts of the wallet.
    package func accounts() async throws(GatewayError) -> [Account] {
        StatusGoWallet.accounts(try await session.call("accounts_getAccounts"))
    }

    /// Returns the networks; older versions name the method differently.
    package func networks() async throws(GatewayError) -> NetworkList {
        do {
            return StatusGoWallet.networks(try await session.call("networks_getFlatEthereumChains"))
        } catch .refused(StatusGoRPC.methodNotFound, _) {
            return StatusGoWallet.networks(try await session.call("wallet_getEthereumChains"))
        }
    }

    /// Returns the tokens of a network; older versions send those of all networks.
    package func tokens(on chain: Int) async throws(GatewayError) -> [WalletToken] {
        do {
            return StatusGoWallet.tokens(
                try await session.call("wallet_getTokensByChain", [.number("\(chain)")]), on: chain)
        } catch .refused(StatusGoRPC.methodNotFound, _) {
            return StatusGoWallet.tokens(try await session.call("wallet_getTokenList"), on: chain)
        }
    }

    /// Returns the contracts of coins on a network; none of an older version, whose tokens do not say which coin they are.
    func contracts(on chainID: Int, chain: String) async throws(GatewayError) -> [CoinContract] {
        do {
            return StatusGoWallet.contracts(
                try await session.call("wallet_getTokensByChain", [.number("\(chainID)")]), on: chainID, chain: chain)
        } catch .refused(StatusGoRPC.methodNotFound, _) {
            return []
        }
    }

    /// Returns the balances of an account on a network by token, in base units; the native coin has the zero address.
    package func balances(
        of address: Address, tokens: [Address], on chain: Int
    ) async throws(GatewayError) -> [Address: BigInteger] {
        let owner = JSONValue.array([.string(address.checksummed)])
        let names = tokens.map { $0.checksummed.lowercased() }
        let result: JSONValue
        do {
            result = try await session.call(
                "wallet_getBalancesByChain", [owner, .array(names.map { .string("\(chain)-\($0)") })])
        } catch .refused {
            result = try await session.call(
                "wallet_getBalancesByChain",
                [.array([.number("\(chain)")]), owner, .array(names.map { .string($0) })])
        }
        return StatusGoWallet.balances(result)[chain]?[address] ?? [:]
    }

    /// Asks for routes of a transfer of a token, the zero address for the native coin, and waits for those of this request; nil when
    /// none come in time.
    package func routes(
        uuid: String, from: Address, to: Address, amount: Amount, of token: Address, on chain: Int
    ) async throws(GatewayError) -> StatusGoRoutes? {
        let coin = "\(chain)-\(token.checksummed.lowercased())"
        let members: [(String, JSONValue)] = [
            ("uuid", .string(uuid)), ("sendType", .number("0")), ("addrFrom", .string(from.checksummed)),
            ("addrTo", .string(to.checksummed)), ("amountIn", .string(amount.units.hexadecimal)),
            ("amountOut", .string("0x0")), ("tokenKey", .string(coin)), ("toTokenKey", .string(coin)),
            ("fromChainID", .number("\(chain)")), ("toChainID", .number("\(chain)")), ("gasFeeMode", .number("1")),
            ("slippagePercentage", .number("0")),
        ]
        let request = JSONValue.object(members.map { JSONValue.Member(name: $0.0, value: $0.1) })
        return try await session.routes(uuid: uuid, request: request).map { StatusGoRoutes($0) }
    }
}
