/// A currency that prices are quoted in: a fiat currency of ISO 4217, or a coin such as BTC.
package struct Currency: Hashable, Sendable {
    /// The code in lower case, as providers spell it: `usd`. Settings and answers differ in case, so equality must not.
    package let code: String

    /// Creates a currency from its code; nil unless it has 2 to 12 ASCII letters and digits.
    package init?(_ code: some StringProtocol) {
        let code = code.lowercased()
        guard (2...12).contains(code.utf8.count),
            code.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) })
        else { return nil }
        self.code = code
    }

    init(known code: String) { self.code = code }

    /// The US dollar.
    package static let usd = Currency(known: "usd")

    /// The code as people write it: `USD`.
    package var name: String { code.uppercased() }

    /// The sign that is written before an amount: `$`, or the code and a space for a currency without one.
    package var prefix: String { Currency.signs[code] ?? name + " " }

    /// The number of digits of its minor unit: 0 for the yen, 3 for the dinar of Kuwait, 2 for most, 8 for coins.
    package var fractionDigits: Int {
        if isCoin { return 8 }
        if Currency.withoutMinorUnit.contains(code) { return 0 }
        return Currency.withThousandths.contains(code) ? 3 : 2
    }

    /// Whether it is a coin that providers quote prices in.
    package var isCoin: Bool { Currency.coins.contains(code) }

    private static let signs = [
        "usd": "$", "eur": "€", "gbp": "£", "jpy": "¥", "inr": "₹", "krw": "₩", "rub": "₽", "try": "₺", "uah": "₴",
        "vnd": "₫", "ils": "₪", "php": "₱", "ngn": "₦", "thb": "฿", "btc": "₿", "eth": "Ξ",
    ]
    private static let withoutMinorUnit: Set<String> = [
        "bif", "clp", "djf", "gnf", "isk", "jpy", "kmf", "krw", "pyg", "rwf", "ugx", "vnd", "vuv", "xaf", "xof", "xpf",
    ]
    private static let withThousandths: Set<String> = ["bhd", "iqd", "jod", "kwd", "lyd", "omr", "tnd"]
    private static let coins: Set<String> = [
        "bch", "bits", "bnb", "btc", "dot", "eos", "eth", "link", "ltc", "sats", "sol", "xlm", "xrp", "yfi",
    ]
}
