/// The words by which programs name the kinds of transactions.
enum ImportedWords {
    private static let kinds: [String: ImportedEntry.Kind] = {
        let groups: [(ImportedEntry.Kind, String)] = [
            (.trade, "trade exchange swap convert conversion buy bought purchase sell sold sale"),
            (.transfer, "transfer deposit withdrawal withdraw send sent receive received in out cryptodeposit"),
            (.transfer, "cryptowithdrawal fiatdeposit fiatwithdrawal"),
            (.income(.staking), "staking stakingreward stakingrewards stakingincome masternode minting"),
            (.income(.interest), "interest interestincome lending lendingincome lendinginterest loaninterest"),
            (.income(.airdrop), "airdrop fork hardfork"),
            (.income(.mining), "mining miningcommercial miningreward"),
            (.income(.other), "income otherincome reward rewards rewardbonus salary cashback feerefund refund bounty"),
            (.income(.other), "referral dividend dividends dividendsincome"),
            (.gift, "gift giftsent giftreceived gifttip tip donation charity"),
            (.loss, "loss lost stolen hack hacked theft"),
            (.payment, "payment spend spent cost expense expensenontaxable otherexpense paid"),
            (.fee, "fee otherfee transactionfee marginfee loanfee borrowingfee settlementfee"),
        ]
        return groups.reduce(into: [:]) { kinds, group in
            for word in group.1.split(separator: " ") { kinds[String(word)] = group.0 }
        }
    }()

    /// Returns the kind that a word names, whatever its case, blanks and dashes are; nil for any other word.
    static func kind(_ word: String) -> ImportedEntry.Kind? { kinds[ImportedTable.normalized(word)] }
}

/// A pair of assets that are traded for each other, such as `BTC-EUR` or `XXBTZEUR`.
struct TradingPair: Hashable, Sendable {
    let base: String
    let quote: String

    /// Splits a pair at its separator, or where it ends in one of `quotes`, the longest that fits; nil for anything else.
    init?(_ text: String, quotes: [String] = []) {
        let text = text.uppercased()
        let parts = text.split(omittingEmptySubsequences: false) { "-/_:".contains($0) }
        if parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty {
            self.init(base: String(parts[0]), quote: String(parts[1]))
            return
        }
        let fitting = quotes.filter { parts.count == 1 && text.hasSuffix($0) && text != $0 }
        guard let quote = fitting.max(by: { $0.utf8.count < $1.utf8.count }) else { return nil }
        self.init(base: String(text.dropLast(quote.count)), quote: quote)
    }

    init(base: String, quote: String) {
        self.base = base
        self.quote = quote
    }
}
