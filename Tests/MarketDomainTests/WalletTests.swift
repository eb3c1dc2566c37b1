import BigInteger
import MarketDomain
import Testing

struct WalletTests {
    static let networks = NetworkList([
        Network(chainID: 1, name: "Mainnet", shortName: "eth", layer: 1, explorerURL: "https://etherscan.io"),
        Network(chainID: 10, name: "Optimism", shortName: "oeth", formerShortNames: ["opt"], layer: 2),
        Network(chainID: 42161, name: "Arbitrum", shortName: "arb1", layer: 2),
        Network(chainID: 11_155_111, name: "Sepolia", shortName: "sep", layer: 1, isTest: true),
        Network(chainID: 56, name: "BSC", shortName: "bnb", layer: 1, isActive: false, nativeSymbol: "BNB"),
    ])

    private static let valid = [
        "0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
        "0xde709f2102306220921060314715629080e2fb77", "0x27b1fdb04752bbc536007a920d24acb045561c26",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ]

    @Test(arguments: valid) func `the standard's addresses have their checksum`(text: String) throws {
        let address = try Address(text, checksum: .required)
        #expect(address.checksummed == text)
        #expect(try Address(text.lowercased()) == address)
        #expect(try Address("0x" + text.dropFirst(2).uppercased()) == address)
    }

    @Test(arguments: [
        ("0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9adB", Address.Problem.wrongChecksum),
        ("0x8617e340b3d01fa5f11f306f4090fd50e238070d", .noChecksum),
        ("0xDE709F2102306220921060314715629080E2FB77", .noChecksum),
        ("0xDE709F2102306220921060314715629080E2fB77", .wrongChecksum),
        ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe", .malformed),
        ("5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed00", .malformed),
        ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg", .malformed), ("", .malformed), ("0x", .malformed),
    ])
    func `strict checking refuses what status-go refuses`(text: String, problem: Address.Problem) {
        #expect(throws: problem) { try Address(text, checksum: .required) }
        if problem == .noChecksum { #expect(throws: Never.self) { try Address(text) } }
    }

    @Test func `addresses are shortened, and the zero address is the native coin`() throws {
        #expect(try Address(Self.valid[4]).shortened == "0x5aAe…Aed")
        #expect(try Address("0x0000000000000000000000000000000000000000").isZero)
    }

    @Test func `prefixes come from the list of networks`() throws {
        let text = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
        func chains(_ prefixed: String) throws -> [Int] {
            try PrefixedAddress(prefixed, networks: Self.networks).chainIDs
        }
        #expect(try chains(text) == [])
        #expect(try chains("eth:" + text) == [1])
        #expect(try chains("eth:oeth:arb1:" + text) == [1, 10, 42161])
        #expect(try chains("opt:eth:opt:" + text) == [10, 1])
        #expect(try chains("ethereum:" + text + "@0x1|0xa|0xa4b1") == [1, 10, 42161])
        #expect(try chains("ethereum:" + text) == [])
        #expect(try chains("ethereum:" + text + "@1|10") == [1, 10])
        let hasChecksum = try [text, text.lowercased(), "0x" + text.dropFirst(2).uppercased()].map {
            try PrefixedAddress($0, networks: Self.networks).hasChecksum
        }
        #expect(hasChecksum == [true, false, false])
        let parsed = try PrefixedAddress("opt:arb1:" + text, networks: Self.networks)
        #expect(parsed.text(networks: Self.networks) == "oeth:arb1:" + text)
        #expect(try PrefixedAddress(parsed.text(networks: Self.networks), networks: Self.networks) == parsed)
    }

    @Test(arguments: [
        ("btc:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", PrefixedAddress.Problem.unknownPrefix("btc")),
        (":0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", .unknownPrefix("")), ("eth:", .address(.malformed)),
        ("ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@0x2", .unknownChain("0x2")),
        ("ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@", .unknownChain("")),
        ("eth:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD", .address(.wrongChecksum)),
        (String(repeating: "eth:", count: 1000) + "0x", .tooManyPrefixes),
    ])
    func `other prefixes are refused`(text: String, problem: PrefixedAddress.Problem) {
        #expect(throws: problem) { try PrefixedAddress(text, networks: Self.networks) }
    }

    @Test func `a link asks for a payment`() throws {
        let (text, token) = ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359")
        func link(_ text: String) throws -> PaymentRequest { try PaymentRequest(text, networks: Self.networks) }
        let coin = try link("ethereum:pay-\(text)@10?value=2.014e18&gas=10&gasPrice=5")
        #expect(coin.recipient.address.checksummed == text && coin.recipient.chainIDs == [10] && coin.token == nil)
        #expect(coin.units?.description == "2014000000000000000")
        let other = try link("ethereum:\(token)/transfer?address=\(text.lowercased())&uint256=1")
        #expect(other.recipient.address.checksummed == text && !other.recipient.hasChecksum)
        #expect(other.token?.checksummed == token && other.units == 1)
        #expect(try link("ethereum:\(text)?").units == nil)
        #expect([text, "eth:\(text)", "ethereum:\(text)@1"].allSatisfy { !PaymentRequest.isLink($0) })
        for (rest, problem) in [
            ("?value=1.5", PaymentRequest.Problem.value("value")), ("?value=-1", .value("value")),
            ("?value=1&value=2", .parameter("value")), ("?data=0x00", .parameter("data")),
            ("?value", .parameter("value")),
            ("/approve?address=\(text)", .function("approve")), ("/transfer?uint256=1", .value("address")),
            ("@7?value=1", .address(.unknownChain("7"))), ("0?value=1", .address(.address(.malformed))),
        ] {
            #expect(throws: problem) { try link("ethereum:\(text)\(rest)") }
        }
    }

    @Test func `networks are found by layer and use`() {
        let networks = Self.networks
        #expect(networks[10]?.name == "Optimism" && networks[2] == nil)
        #expect(networks.layer(2).map(\.chainID) == [10, 42161])
        #expect(networks.active(isTest: false).map(\.chainID) == [1, 10, 42161])
        #expect(networks.split.test.map(\.chainID) == [11_155_111])
        #expect(NetworkList(networks.networks + networks.networks) == networks)
    }

    @Test func `paths of keys`() {
        #expect(DerivationPath(account: 3).description == "m/44'/60'/0'/0/3")
        #expect(DerivationPath("m/44'/60'/0'/0/3") == DerivationPath(account: 3))
        for text in ["", "m/", "44'", "m/-1", "m/2147483648", "m/1''", "m" + String(repeating: "/0", count: 11)] {
            #expect(DerivationPath(text) == nil, "\(text)")
        }
    }
}
