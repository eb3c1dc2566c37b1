package import BigInteger
package import MarketDomain
import MarketFormats
import MarketKnownProviders
import System

/// A transfer that could be made, and what stands in its way. It is never signed here.
package struct TransferPlan: Sendable {
    /// The sender.
    package let from: Account
    /// The recipient.
    package let to: Address
    /// Whether the recipient was typed with its checksum.
    package let hasChecksum: Bool
    /// What is sent.
    package let amount: Amount
    /// The network.
    package let network: Network
    /// The token that is sent; nil for the network's own coin.
    package let token: WalletToken?
    /// The balance of the sender, of what is sent.
    package let balance: Amount
    /// The coin that is sent, with its price as far as it is known; nil where no coin has its contract.
    package let coin: RankedRow?
    /// The leg of the route; nil without a route, or with several legs.
    package let path: RouteLeg?
    /// The reasons that stop it, in the order in which they are to be solved.
    package let problems: [SendCheck.Problem]
    /// The error of the backend; nil without one.
    package let error: String?

    /// The symbol of what is sent.
    package var symbol: String { token?.symbol ?? network.nativeSymbol }

    /// What the amount is worth in the currency of the coin's price; nil where no price is known.
    package var value: BigDecimal? {
        coin?.row.value(.current).map { BigDecimal(amount.units, scale: amount.decimals) * $0 }
    }
}

/// An address that was checked.
package struct CheckedAddress: Sendable {
    /// The address.
    package let address: Address
    /// The networks that its prefixes name.
    package let networks: [Network]
    /// Whether its spelling is its checksum.
    package let hasChecksum: Bool
    /// The link that asks for a payment to it; nil for an address.
    package let request: PaymentRequest?
}

extension MarketPlugin {
    /// Returns the accounts of status-go.
    package func walletAccounts() async throws -> [Account] {
        try await withWallet { wallet throws(GatewayError) in try await wallet.accounts() }
    }

    /// Returns the networks of status-go.
    package func walletNetworks() async throws -> NetworkList {
        try await withWallet { wallet throws(GatewayError) in try await wallet.networks() }
    }

    /// Checks an address: its digits, its checksum, and its prefixes, for which status-go is asked. Throws `invalid-address`.
    package func checkAddress(_ text: String) async throws -> CheckedAddress {
        // Only prefixes need the list of networks.
        let networks = text.contains(":") ? try await walletNetworks() : NetworkList([])
        let (parsed, request): (PrefixedAddress, PaymentRequest?)
        if PaymentRequest.isLink(text) {
            do throws(PaymentRequest.Problem) {
                let link = try PaymentRequest(text, networks: networks)
                (parsed, request) = (link.recipient, link)
            } catch {
                throw HubError(error, text)
            }
        } else {
            do throws(PrefixedAddress.Problem) {
                (parsed, request) = (try PrefixedAddress(text, networks: networks), nil)
            } catch {
                throw HubError(error, text)
            }
        }
        return CheckedAddress(
            address: parsed.address, networks: parsed.chainIDs.compactMap { networks[$0] },
            hasChecksum: parsed.hasChecksum, request: request)
    }

    /// Plans a transfer of a network's own coin, or of a token by its symbol or address, with the fees of the best route.
    /// Nothing is signed or sent.
    package func planTransfer(
        _ text: String, of tokenName: String? = nil, from senderName: String, to recipient: String,
        on networkName: String
    ) async throws -> TransferPlan {
        let network = try await network(named: networkName)
        let accounts = try await walletAccounts()
        let from = try sender(named: senderName, among: accounts)
        let own = accounts.filter { $0.name.lowercased() == recipient.lowercased() }
        let to = try await checkAddress(own.count == 1 ? own[0].address.checksummed : recipient)
        guard to.networks.isEmpty || to.networks.contains(network) else {
            throw HubError(
                .invalid, code: "other-network",
                "the recipient is on \(to.networks.map(\.name).joined(separator: ", ")), not on \(network.name)",
                hint: "add --network \(to.networks[0].shortName)")
        }
        let token = try await token(tokenName, on: network)
        let amount: Amount
        do throws(Amount.Problem) {
            amount = try Amount(text, decimals: token?.decimals ?? network.nativeDecimals)
        } catch {
            throw HubError(error, text)
        }
        if let request = to.request { try check(amount, token, against: request) }
        let (balances, routes) = try await balancesAndRoutes(of: amount, token, from: from, to: to.address, on: network)
        guard let held = try? Amount(units: balances[token?.address ?? .zero] ?? 0, decimals: amount.decimals) else {
            throw HubError(.unavailable, code: "wallet-answer", "the balance of \(from.name) cannot be read")
        }
        let legs = routes?.path ?? []
        // A plan does not fail for want of a price.
        let coin = try? await pricedCoin(of: token, on: network)
        return TransferPlan(
            from: from, to: to.address, hasChecksum: to.hasChecksum, amount: amount, network: network, token: token,
            balance: held, coin: coin,
            path: legs.count == 1 ? legs[0] : nil,
            problems: SendCheck.problems(to: to.address, from: from.address, token: token?.address)
                + SendCheck.problems(
                    amount, balance: held, native: balances[.zero] ?? 0, isNative: token == nil,
                    legs: legs.isEmpty ? nil : legs.map(\.totalFee)),
            error: from.isWatchOnly
                ? "the account is only watched; its key is elsewhere"
                : routes == nil && !amount.units.isZero
                    ? "status-go sent no route in time"
                    : routes?.errorCode.map { "\($0) \(routes?.errorDetails ?? "")" })
    }

    /// Throws `invalid` if a link asks for something else than what would be sent.
    private func check(_ amount: Amount, _ token: WalletToken?, against request: PaymentRequest) throws(HubError) {
        let asked = request.units.flatMap { try? Amount(units: $0, decimals: amount.decimals) }
        if token?.address != request.token {
            throw HubError(
                .invalid, code: "other-token",
                request.token.map { "the link asks for the token \($0.checksummed)" }
                    ?? "the link asks for the network's own coin",
                hint: request.token.map { "add --token \($0.checksummed)" } ?? "leave --token out")
        }
        if let asked, asked != amount {
            throw HubError(
                .invalid, code: "other-amount", "the link asks for \(asked), not \(amount)",
                hint: "the amount of the link is what its recipient waits for")
        }
    }

    private func network(named name: String) async throws -> Network {
        let networks = try await walletNetworks()
        if let network = networks.network(shortName: name) ?? Int(name).flatMap({ networks[$0] }) { return network }
        throw HubError(
            .notFound, code: "network-not-found", "no network named \"\(name)\"",
            hint: "hub market wallet networks lists them")
    }

    private func sender(named name: String, among accounts: [Account]) throws(HubError) -> Account {
        let named = accounts.filter {
            [$0.name, $0.address.checksummed].map { $0.lowercased() }.contains(name.lowercased())
        }
        if let sender = named.first, named.count == 1 { return sender }
        throw HubError(
            .notFound, code: "account-not-found", "no account named \"\(name)\"",
            hint: "hub market wallet accounts lists them")
    }

    /// Returns the balances of the coin and of the token, and the routes of a transfer; nil for an account that is only watched.
    private func balancesAndRoutes(
        of amount: Amount, _ token: WalletToken?, from: Account, to: Address, on network: Network
    ) async throws -> ([Address: BigInteger], StatusGoRoutes?) {
        // The flow says when all that a request needs is there, and which answer counts.
        let asset = token?.address ?? .zero
        var flow = SendFlow(
            from: from.address, to: to,
            asset: .token(key: "\(network.chainID)-\(asset.checksummed)", decimals: amount.decimals))
        flow.choose(amount)
        let uuid = Self.uuid()
        flow.requestRoutes(uuid: uuid)
        let isWanted = flow.accepts(routesOf: uuid) && !from.isWatchOnly
        return try await withWallet { wallet throws(GatewayError) in
            let balances = try await wallet.balances(
                of: from.address, tokens: token == nil ? [.zero] : [.zero, asset], on: network.chainID)
            guard isWanted else { return (balances, nil) }
            let routes = try await wallet.routes(
                uuid: uuid, from: from.address, to: to, amount: amount, of: asset, on: network.chainID)
            return (balances, routes)
        }
    }

    /// The token of a network that a word names; nil for the network's own coin.
    private func token(_ word: String?, on network: Network) async throws -> WalletToken? {
        guard let word, word.lowercased() != network.nativeSymbol.lowercased() else { return nil }
        let known = try await withWallet { wallet throws(GatewayError) in try await wallet.tokens(on: network.chainID) }
        var found = WalletToken.named(word, in: known)
        if found.isEmpty { found = try await tokens(ofCoin: word, among: known, on: network) }
        guard let token = found.first else {
            throw HubError(
                .notFound, code: "token-not-found", "no token of \(network.name) is named \"\(word)\"",
                hint: "use its symbol, the address of its contract, or the id of the coin")
        }
        guard found.count == 1 else {
            throw HubError(
                .usage, code: "selector-ambiguous", "several tokens of \(network.name) have the symbol \(token.symbol)",
                details: found.prefix(10).map { "\($0.address.checksummed)  \($0.name)" },
                hint: "use the address of its contract")
        }
        return token
    }

    private static func uuid() -> String {
        let digits = Array("0123456789abcdef")
        return [8, 4, 4, 4, 12].map { count in
            String((0..<count).map { _ in digits[Int.random(in: 0..<16)] })
        }.joined(separator: "-")
    }

    private func withWallet<Value: Sendable>(
        _ body: (StatusGoWalletClient) async throws(GatewayError) -> Value
    ) async throws -> Value {
        guard !isOffline else {
            throw HubError(
                .unavailable, code: "offline", "the wallet needs status-go", hint: "run it without --offline")
        }
        let wallet = try await gateways.wallet()
        do throws(GatewayError) { return try await body(wallet) } catch {
            throw HubError(
                .unavailable, code: "wallet-unavailable", "status-go \(error.text(now: clock.now))",
                hint: "hub market providers test status-go checks it")
        }
    }
}

extension HubError {
    /// The error of a text that is not an address.
    fileprivate init(_ problem: PrefixedAddress.Problem, _ text: String) {
        let (reason, hint): (String, String) =
            switch problem {
            case .address(.malformed): ("it is not 0x and 40 hexadecimal digits", "copy the whole address again")
            case .address(.wrongChecksum):
                ("its checksum is wrong: a letter or digit differs", "copy it again; do not type it")
            case .address(.noChecksum): ("it has no checksum", "use the spelling with upper and lower case")
            case .unknownPrefix(let prefix):
                ("no network has the prefix \(prefix)", "hub market wallet networks lists them")
            case .unknownChain(let chain):
                ("no network has the chain id \(chain)", "hub market wallet networks lists them")
            case .tooManyPrefixes: ("it has more prefixes than there are networks", "name each network once")
            }
        self.init(
            .invalid, code: "invalid-address", "invalid address \"\(text.prefix(80))\"", details: [reason], hint: hint)
    }

    /// The error of a text that is not a link that asks for a payment.
    fileprivate init(_ problem: PaymentRequest.Problem, _ text: String) {
        let reason: String
        switch problem {
        case .address(let problem):
            self.init(problem, text)
            return
        case .function(let name): reason = "it calls \(name) of a contract; only a transfer is understood"
        case .value(let name): reason = "its \(name) is missing, or not a whole number"
        case .parameter(let name): reason = "its parameter \(name) is unknown or there twice"
        }
        self.init(
            .invalid, code: "invalid-address", "invalid link \"\(text.prefix(80))\"", details: [reason],
            hint: "hub reads ethereum:ADDRESS@CHAIN, ?value=, and /transfer of a token")
    }

    /// The error of a text that is not an amount.
    fileprivate init(_ problem: Amount.Problem, _ text: String) {
        let reason =
            switch problem {
            case .notANumber: "it is not a decimal number such as 0.5"
            case .tooManyDigits(let decimals): "it has more than \(decimals) digits after the point"
            case .outOfRange: "it is out of range"
            }
        self.init(.usage, code: "invalid-amount", "invalid amount \"\(text.prefix(80))\"", details: [reason])
    }
}
