/// The config file of ticker (`.ticker.yaml`): watchlist, lots, and groups with both.
package enum TickerConfig {
    /// Reads a file; it throws when the file is not of this kind of YAML.
    package static func read(_ text: String) throws(PortfolioImport.Issue) -> PortfolioImport {
        let root = try YAMLReader.read(text)
        var result = PortfolioImport()
        add(root, name: "ticker", to: &result)
        for (index, group) in (root["groups"]?.list ?? []).enumerated() {
            add(group, name: group["name"]?.text ?? "group \(index + 1)", to: &result)
        }
        return result
    }

    private static func add(_ node: YAMLNode, name: String, to result: inout PortfolioImport) {
        let watched = node["watchlist"]?.list ?? []
        let symbols = watched.compactMap(\.text)
        for other in watched where other.text == nil {
            result.issues.append(.init(line: other.line, message: "this element of the watchlist is not a symbol"))
        }
        if !symbols.isEmpty {
            result.watchlists.append(.init(name: TokenLabel.cleaned(name), tokens: symbols.map { token($0).reference }))
        }
        for lot in (node["lots"]?.list ?? []) + (node["holdings"]?.list ?? []) {
            let symbol = lot["symbol"]?.text ?? ""
            let (reference, currency) = token(symbol)
            result.addTrade(
                line: lot.line, token: symbol, amount: number(lot["quantity"]) ?? "", price: number(lot["unit_cost"]),
                fee: number(lot["fixed_cost"]), currency: currency, reference: reference)
        }
    }

    /// The text of a number; YAML may part its digits by underscores.
    private static func number(_ node: YAMLNode?) -> String? {
        guard let text = node?.text else { return nil }
        return text.utf8.first.map { (0x30...0x39).contains($0) } ?? false ? text.filter { $0 != "_" } : text
    }

    /// The token of a symbol: a suffix names the source, and Yahoo's pairs end in a currency. A symbol without either is a stock.
    /// The sources with symbols quote dollars.
    private static func token(_ symbol: String) -> (reference: TokenReference, currency: String?) {
        let symbol = TokenLabel.cleaned(symbol)
        if let point = symbol.lastIndex(of: ".") {
            let name = String(symbol[..<point])
            switch symbol[symbol.index(after: point)...].uppercased() {
            case "CG": return (.id(name.lowercased()), nil)
            case "X", "CB", "CC": return (.symbol(name.uppercased()), "USD")
            default: break
            }
        }
        if let dash = symbol.lastIndex(of: "-") {
            let currency = symbol[symbol.index(after: dash)...]
            if FiatCodes.all.contains(currency.lowercased()) {
                return (.symbol(symbol[..<dash].uppercased()), String(currency))
            }
        }
        return (.stock(symbol.uppercased()), nil)
    }
}
