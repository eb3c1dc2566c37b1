/// What the operations of Binance's transaction history mean.
enum BinanceOperation: Hashable {
    /// A part of a trade on the market; the rows of one second belong together.
    case trade
    /// A fee of such a trade.
    case fee
    /// One half of a conversion.
    case conversion
    /// One half of a conversion of small amounts, of which several have one time.
    case dust
    /// A coin that was bought or sold for money which is not in the file, unless its other half is.
    case purchase
    case movement
    case income(Trade.Income)
    /// A move between accounts at Binance.
    case inside

    private static let operations: [String: BinanceOperation] = {
        let groups: [(BinanceOperation, String)] = [
            (.trade, "buy sell transactionrelated transactionbuy transactionspend transactionsold transactionrevenue"),
            (.fee, "fee transactionfee bnbfeededuction"),
            (.conversion, "binanceconvert convert largeotctrading assetconversiontransfer stablecoinsautoconversion"),
            (.conversion, "eth20staking leveragetokenredemption autoinvesttransaction"),
            (.dust, "smallassetsexchangebnb smallassetsexchange"),
            (.purchase, "buycrypto buycryptowithfiat buycryptowithcard p2ptrading"),
            (.movement, "deposit withdraw fiatdeposit fiatwithdraw fiatwithdrawal send receive withdrawal"),
            (.income(.interest), "savingsinterest simpleearnflexibleinterest launchpoolinterest savingsdistribution"),
            (.income(.staking), "possavingsinterest stakingrewards eth20stakingrewards liquidswaprewards"),
            (.income(.staking), "simpleearnlockedrewards dotslotauctionrewards bnbvaultrewards swapfarmingrewards"),
            (.income(.staking), "launchpoolearningswithdrawal"),
            (.income(.mining), "superbnbmining pooldistribution"),
            (.income(.airdrop), "airdropassets simpleearnflexibleairdrop hodlerairdropsdistribution"),
            (.income(.airdrop), "launchpoolairdropuserclaimdistribution launchpoolairdropsystemdistribution"),
            (.income(.other), "distribution cashvoucherdistribution cashbackvoucher missionrewarddistribution"),
            (
                .income(.other),
                "commissionhistory referrerrebates commissionrebate commissionfeesharedwithyou cryptobox"
            ),
            (.income(.other), "referralkickback referralcommission campaignrelatedreward refereerebates"),
            (.inside, "transferin transferout savingspurchase savingsprincipalredemption possavingspurchase"),
            (.inside, "possavingsredemption stakingpurchase stakingredemption simpleearnlockedsubscription"),
            (.inside, "simpleearnlockedredemption simpleearnflexiblesubscription simpleearnflexibleredemption"),
            (.inside, "launchpoolsubscriptionredemption mainandfundingaccounttransfer"),
        ]
        return groups.reduce(into: [:]) { operations, group in
            for word in group.1.split(separator: " ") { operations[String(word)] = group.0 }
        }
    }()

    /// Creates the operation of a word, whatever its case and blanks are; nil for any other word.
    init?(_ word: String) {
        let word = ImportedTable.normalized(word)
        if word.hasPrefix("transferbetween") {
            self = .inside
        } else if let operation = Self.operations[word] {
            self = operation
        } else {
            return nil
        }
    }

    /// Whether rows of it are halves of something.
    var isHalf: Bool {
        switch self {
        case .trade, .fee, .conversion, .dust, .purchase: true
        case .movement, .income, .inside: false
        }
    }
}

/// The time zone of a file of Binance, whose times have none.
enum BinanceZone {
    /// The seconds ahead of UTC that a file name such as `Binance-Transaction-History-2026(UTC+2).csv` says, in which a minus
    /// may be written twice; 0 for other names.
    static func offset(in name: String) -> Int {
        guard let start = name.firstRange(of: "(UTC")?.upperBound else { return 0 }
        let text = name[start...].prefix { $0 != ")" }
        let isNegative = text.contains("-")
        let digits = text.drop { $0 == "-" || $0 == "+" }.split(separator: ":").map { Int($0) }
        guard let hours = digits.first ?? nil, hours <= 14 else { return 0 }
        let minutes = digits.count > 1 ? digits[1] ?? 0 : 0
        return (isNegative ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
