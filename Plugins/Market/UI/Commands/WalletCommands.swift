import BigInteger
import Commands
import MarketDomain
import MarketKnownProviders

/// `hub market wallet` and its subcommands: they read the wallet of status-go and plan a transfer, and never sign.
enum WalletCommands {
    static let tree = Command(
        group: "wallet", summary: "accounts and networks of status-go",
        examples: [
            Example(
                "hub market wallet check 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "an address and its checksum"),
            Example("hub market wallet accounts", "the accounts"),
        ], prominence: .more, view: "accounts", subcommands: [accounts, networks, check, plan])

    private static let accountFields: [Field<Account>] = [
        Field("name", "NAME", help: "name of the account") { .text($0.name) },
        Field("address", "ADDRESS", help: "address with its checksum") { .text($0.address.checksummed) },
        Field("path", "PATH", help: "derivation path; empty for a watched account", column: .ifRoom(1)) {
            FieldValue($0.path?.description)
        },
    ]

    private static let accounts = Command(
        "accounts", summary: "list the accounts of status-go",
        examples: [
            Example("hub market wallet accounts", "all accounts"),
            Example("hub market wallet accounts --json", "for a script"),
        ], fields: accountFields
    ) { (market: MarketPlugin, _: Input) in
        .list(try await market.walletAccounts(), accountFields, empty: Diagnostic("No accounts"))
    }

    private static let networkFields: [Field<Network>] = [
        Field("chain_id", "CHAIN", help: "number of the chain", align: .trailing, cell: { "\($0.chainID)" }) {
            .integer($0.chainID)
        },
        Field("name", "NAME", help: "name of the network") { .text($0.name) },
        Field("prefix", "PREFIX", help: "prefix of addresses") { .text($0.shortName) },
        Field("layer", "LAYER", help: "1, or 2 for one that settles on another", align: .trailing) {
            .integer($0.layer)
        },
        Field("coin", "COIN", help: "symbol of its coin") { .text($0.nativeSymbol) },
        Field("is_test", "TEST", help: "whether it is a test network") { .bool($0.isTest) },
        Field("explorer", "EXPLORER", help: "address of its explorer", column: .ifRoom(1)) {
            FieldValue($0.explorerURL)
        },
    ]

    private static let networks = Command(
        "networks", summary: "list the networks of status-go",
        examples: [
            Example("hub market wallet networks", "all networks"),
            Example("hub market wallet networks --json=chain_id,prefix", "for a script"),
        ], fields: networkFields
    ) { (market: MarketPlugin, _: Input) in
        .list(try await market.walletNetworks().networks, networkFields, empty: Diagnostic("No networks"))
    }

    private static let address = Argument<String>(
        "ADDRESS", help: "address, also eth:0x… or a link ethereum:0x…@1?value=…")

    private static let addressFields: [Field<CheckedAddress>] = [
        Field("address", "ADDRESS", help: "address with its checksum") { .text($0.address.checksummed) },
        Field("networks", "NETWORKS", help: "networks that its prefixes name") { FieldValue($0.networks.map(\.name)) },
        Field("has_checksum", "CHECKSUM", help: "whether its spelling is its checksum") { .bool($0.hasChecksum) },
        Field("token", "TOKEN", help: "contract of the token that a link asks for") {
            FieldValue($0.request?.token?.checksummed)
        },
        Field("units", "UNITS", help: "amount that a link asks for, in base units") {
            ($0.request?.units).map { .decimal("\($0)") } ?? .null
        },
    ]

    /// The remark about an address in which a wrong letter would not be noticed.
    private static func checksumNotes(_ hasChecksum: Bool) -> [Diagnostic] {
        hasChecksum
            ? []
            : [
                .warning(
                    "the address has no checksum, so a wrong letter is not noticed", code: "no-checksum",
                    hint: "compare it with its source, or use the spelling with upper and lower case")
            ]
    }

    private static let check = Command(
        "check", summary: "check an address and its checksum",
        discussion: [
            "A bare address is checked without the network; prefixes are looked up in the networks of status-go."
        ],
        examples: [
            Example("hub market wallet check 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "a bare address"),
            Example("hub market wallet check 0x52908400098527886E0F7030069857D2E4169EE7 --json", "for a script"),
        ], parameters: [address], fields: addressFields
    ) { (market: MarketPlugin, input: Input) in
        let checked = try await market.checkAddress(input[address])
        let networks = checked.networks.isEmpty ? "" : " on \(checked.networks.map(\.name).joined(separator: ", "))"
        var lines = ["\(checked.address.checksummed)\(networks): valid"]
        if let request = checked.request {
            let units = request.units.map { "\($0) base units" } ?? "any amount"
            let what = request.token.map { "the token \($0.checksummed)" } ?? "the network's own coin"
            lines.append("  asks for \(units) of \(what)")
        }
        return .record(checked, addressFields, human: lines).noting(all: checksumNotes(checked.hasChecksum))
    }

    private static let amount = Argument<NumberArgument>("AMOUNT", help: "amount of the network's coin, or of --token")
    private static let from = Option<String>("from", "ACCOUNT", help: "sender, by name or address")
    private static let to = Option<String>("to", "ADDRESS", help: "recipient, by address or by name of an account")
    private static let token = Option<String>(
        "token", "TOKEN", help: "token: symbol, contract or coin (default: the network's coin)")
    private static let network = Option<String>("network", "NETWORK", help: "prefix or chain id (default: eth)")

    private static let planFields: [Field<TransferPlan>] = [
        Field("amount", "AMOUNT", help: "amount") { .decimal($0.amount.description) },
        Field("coin", "COIN", help: "symbol of what is sent") { .text($0.symbol) },
        Field("token", "TOKEN", help: "address of the token's contract", column: .onRequest) {
            FieldValue($0.token?.address.checksummed)
        },
        Field("from", "FROM", help: "sender") { .text($0.from.address.checksummed) },
        Field("to", "TO", help: "recipient") { .text($0.to.checksummed) },
        Field("network", "NETWORK", help: "network") { .text($0.network.name) },
        Field("balance", "BALANCE", help: "balance of the sender") { .decimal($0.balance.description) },
        Field("fee", "FEE", help: "fee in the network's coin") { plan in
            fee(plan).map { .decimal($0.description) } ?? .null
        },
        Field("coin_id", "COIN ID", help: "id of the coin, known by its contract", column: .onRequest) {
            FieldValue($0.coin?.key.text)
        },
        Field("value", "VALUE", help: "what the amount is worth", column: .onRequest) { plan in
            plan.value.map { .decimal($0.description) } ?? .null
        },
        Field("currency", "CURRENCY", help: "currency of the value", column: .onRequest) {
            FieldValue($0.value == nil ? nil : $0.coin?.currency.code)
        },
        Field("seconds", "SECONDS", help: "expected time") { FieldValue($0.path?.seconds) },
        Field("problems", "PROBLEMS", help: "reasons why the transfer is not possible") { plan in
            FieldValue(problems(plan))
        },
    ]

    private static func fee(_ plan: TransferPlan) -> BigDecimal? {
        plan.path.map { BigDecimal($0.totalFee, scale: plan.network.nativeDecimals) }
    }

    private static func problems(_ plan: TransferPlan) -> [String] {
        (plan.error.map { [$0] } ?? [])
            + plan.problems.map { problem in
                switch problem {
                case .noAmount: "the amount is zero"
                case .toZeroAddress: "the recipient is the zero address; the amount would be lost"
                case .toTokenContract: "the recipient is the contract of the token; the amount would be lost"
                case .toSender: "the recipient is the sender"
                case .belowLimit(let limit): "the minimum is \(limit)"
                case .aboveLimit(let limit): "the maximum is \(limit)"
                case .aboveBalance: "the balance is \(plan.balance)"
                case .noRoute: "no route found"
                case .severalLegs: "the route has several legs, which are not supported"
                case .notEnoughForFees(let missing):
                    "\(BigDecimal(missing, scale: plan.network.nativeDecimals)) more is needed for the fees"
                }
            }
    }

    private static let plan = Command(
        "plan", summary: "plan a transfer, with its fees; nothing is signed",
        examples: [
            Example("hub market wallet plan 0.5 --from main --to savings", "on Ethereum"),
            Example("hub market wallet plan 0.1 --from main --to savings --network oeth", "elsewhere"),
            Example("hub market wallet plan 25 --token usdc --from main --to savings", "a token"),
        ], parameters: [amount, from, to, token, network], fields: planFields
    ) { (market: MarketPlugin, input: Input) in
        guard let sender = input[from], let recipient = input[to] else {
            throw HubError(
                .usage, code: "missing-option", "a plan needs --from and --to", hint: "see hub help market wallet plan")
        }
        let plan = try await market.planTransfer(
            try input[amount].number(market.config).text, of: input[token], from: sender, to: recipient,
            on: input[network] ?? "eth")
        let symbol = plan.symbol
        let found = problems(plan)
        var lines = [
            "\(plan.amount) \(symbol) from \(plan.from.name) to \(plan.to.shortened) on \(plan.network.name)",
            "  balance  \(plan.balance) \(symbol)",
        ]
        if let coin = plan.coin, let value = plan.value {
            lines.append("  worth    \(FiatFormat.text(value, coin.currency)), \(coin.row.token.name)")
        }
        if let fee = fee(plan) {
            lines.append(
                "  fee      \(fee) \(plan.network.nativeSymbol)" + (plan.path?.seconds.map { ", about \($0) s" } ?? ""))
        }
        var output = Output.record(plan, planFields, human: lines + found.map { "  ! \($0)" })
            .noting(all: checksumNotes(plan.hasChecksum))
        if !found.isEmpty { output.exit = .no }
        return output
    }
}
