import BigInteger
import Text

/// The numbers of one file, all of which have the same decimal mark: it is found in those that can be read in one way alone.
struct ImportedNumbers: Sendable {
    private let mark: DecimalMark
    /// Whether a number of the file shows the mark, and none the other one, so that `1,000` has one reading.
    private let isCertain: Bool

    /// Looks for the mark in the texts of numbers.
    init(_ cells: [String]) {
        var (points, commas) = (0, 0)
        for cell in cells {
            let text = Self.digits(cell)
            guard text.contains(".") || text.contains(",") else { continue }
            if Self.isRefused(text, .point) {
                if !Self.isRefused(text, .comma) { commas += 1 }
            } else if Self.isRefused(text, .comma) || Self.isPlain(text) {
                points += 1
            }
        }
        mark = commas > 0 && points == 0 ? .comma : .point
        isCertain = (commas > 0) != (points > 0)
    }

    /// Whether a text is not a number with this mark; one with two readings is.
    private static func isRefused(_ text: String, _ mark: DecimalMark) -> Bool {
        do throws(TypedNumber.Problem) { _ = try TypedNumber(text, mark) } catch {
            if case .malformed = error { return true }
        }
        return false
    }

    /// Whether a text is digits with one point, which are read in every locale, and not a number of thousands in some.
    private static func isPlain(_ text: String) -> Bool {
        !text.contains(",") && (try? TypedNumber(text, .comma)) != nil
    }

    /// The text of a cell without signs of currencies and blanks.
    private static func digits(_ cell: String) -> String {
        String(cell.unicodeScalars.filter { $0.properties.generalCategory != .currencySymbol && $0 != " " })
    }

    /// Returns a number; nil for an empty cell or a dash.
    func number(_ cell: String, _ column: String) throws(RowProblem) -> BigDecimal? {
        let text = Self.digits(cell)
        if text.isEmpty || text == "-" { return nil }
        if text.contains("e") || text.contains("E"), let number = BigDecimal(text, syntax: .json) { return number }
        let digits: String
        do throws(TypedNumber.Problem) { digits = try TypedNumber(text, mark).text } catch {
            guard isCertain, case .ambiguous(let own, _) = error, let number = BigDecimal(own) else {
                let hint = error.hint.map { "; \($0)" } ?? ""
                throw RowProblem("the \(column): \(error.message(TokenLabel.cleaned(String(cell.prefix(30)))))\(hint)")
            }
            return number
        }
        guard let number = BigDecimal(digits) else {
            throw RowProblem("the \(column) has more than \(BigDecimal.maximumDigits) digits")
        }
        return number
    }

    /// Returns an amount without its sign; nil for an empty cell or zero.
    func amount(
        _ cell: String, of asset: ImportedAsset?, _ column: String
    ) throws(RowProblem) -> ImportedAmount? {
        guard let number = try number(cell, column), !number.isZero else { return nil }
        guard let asset else { throw RowProblem("the \(column) has no currency") }
        return ImportedAmount(number.magnitude, asset)
    }
}
