import TOML

/// The config file of cointop (`config.toml`): favorites, holdings and price alerts, by the names of coins.
package enum CointopConfig {
    /// Reads a file; it throws when the file is not TOML.
    package static func read(_ text: String) throws(PortfolioImport.Issue) -> PortfolioImport {
        let root: TOMLTable
        do throws(TOMLError) { root = try TOML.parse(text) } catch {
            throw PortfolioImport.Issue(line: error.position.line, message: error.message)
        }
        var result = PortfolioImport()
        let names = strings(root.node(at: ["favorites", "names"])).map { TokenReference.name(TokenLabel.cleaned($0)) }
        let symbols = strings(root.node(at: ["favorites", "symbols"])).map {
            TokenReference.symbol(TokenLabel.cleaned($0).uppercased())
        }
        if !names.isEmpty || !symbols.isEmpty {
            result.watchlists.append(.init(name: "favorites", tokens: names + symbols))
        }
        for node in elements(root.node(at: ["portfolio", "holdings"])) {
            let cells = elements(node).map { cellText($0) }
            let name = cells.first ?? ""
            result.addTrade(
                line: node.range.start.line, token: name, amount: cell(cells, 1) ?? "", price: cell(cells, 2),
                currency: cell(cells, 3), reference: .name(TokenLabel.cleaned(name)))
        }
        for node in elements(root.node(at: ["price_alerts", "alerts"])) { add(node, to: &result) }
        return result
    }

    private static func add(_ node: TOMLNode, to result: inout PortfolioImport) {
        let cells = elements(node).map { cellText($0) }
        let line = node.range.start.line
        guard let name = cell(cells, 0), let comparison = cell(cells, 1), let price = cell(cells, 2) else {
            result.issues.append(.init(line: line, message: "an alert needs a coin, a comparison and a price"))
            return
        }
        let sign = comparison.first == ">" ? ">" : comparison.first == "<" ? "<" : ""
        guard let condition = try? AlertCondition("\(sign) \(price)") else {
            let shown = TokenLabel.cleaned("\(comparison.prefix(20)) \(price.prefix(20))")
            result.issues.append(.init(line: line, message: "invalid alert \"\(shown)\""))
            return
        }
        result.alerts.append(.init(token: .name(TokenLabel.cleaned(name)), condition: condition))
    }

    private static func elements(_ node: TOMLNode?) -> [TOMLNode] {
        if case .array(let elements)? = node?.value { elements } else { [] }
    }

    private static func strings(_ node: TOMLNode?) -> [String] {
        elements(node).compactMap { if case .string(let text) = $0.value { text } else { nil } }
    }

    private static func cell(_ cells: [String], _ index: Int) -> String? {
        index < cells.count && !cells[index].isEmpty ? cells[index] : nil
    }

    /// The text of a value; a number is read as its shortest text, which is what was written.
    private static func cellText(_ node: TOMLNode) -> String {
        switch node.value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .float(let number): String(number)
        case .boolean, .dateTime, .array, .table: ""
        }
    }
}
