package import BigInteger
import HubKit
package import MarketDomain

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

    /// Returns the balances of the native coin by chain, in base units.
    package func nativeBalances(
        of address: Address, on chains: [Int]
    ) async throws(GatewayError) -> [Int: BigInteger] {
        let coin = "0x" + String(repeating: "0", count: 40)
        let owner = JSONValue.array([.string(address.checksummed)])
        let result: JSONValue
        do {
            result = try await session.call(
                "wallet_getBalancesByChain",
                [owner, .array(chains.map { .string("\($0)-\(coin)") })])
        } catch .refused {
            result = try await session.call(
                "wallet_getBalancesByChain",
                [.array(chains.map { .number("\($0)") }), owner, .array([.string(coin)])])
        }
        return StatusGoWallet.balances(result).compactMapValues { $0[address]?.values.first }
    }

    /// Asks for routes of a transfer of the native coin and waits for those of this request; nil when none come in time.
    package func routes(
        uuid: String, from: Address, to: Address, amount: Amount, on chain: Int
    ) async throws(GatewayError) -> StatusGoRoutes? {
        let coin = "\(chain)-0x" + String(repeating: "0", count: 40)
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
