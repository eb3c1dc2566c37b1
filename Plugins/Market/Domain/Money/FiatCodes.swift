/// The fiat currencies that providers quote prices in, by their codes in lower case (ISO 4217).
package enum FiatCodes {
    /// All codes.
    package static let all: Set<String> = [
        "aed", "ars", "aud", "bdt", "bhd", "bmd", "brl", "cad", "chf", "clp", "cny", "czk", "dkk", "eur", "gbp", "gel",
        "hkd", "huf", "idr", "ils", "inr", "jpy", "krw", "kwd", "lkr", "mmk", "mxn", "myr", "ngn", "nok", "nzd", "php",
        "pkr", "pln", "rub", "sar", "sek", "sgd", "thb", "try", "twd", "uah", "usd", "vef", "vnd", "zar",
    ]
}
