/// A colour as legends keep it: red, green, blue and opacity.
package struct LegendColor: Hashable, Sendable, CustomStringConvertible {
    /// The four bytes, red in the highest.
    package let rgba: UInt32

    package init(rgba: UInt32) { self.rgba = rgba }

    /// The colour that eight hexadecimal digits name, of either case; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 8, text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(text, radix: 16)
        else { return nil }
        rgba = value
    }

    /// Eight hexadecimal digits in capitals, RRGGBBAA.
    package var description: String {
        let digits = String(rgba, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// As CSS and SVG write it: `#RRGGBBAA`.
    package var css: String { "#" + description }
}

/// The colours of a chart: by category or by value range, never by both.
package struct Legend: Hashable, Sendable {
    /// The colour of a category.
    package struct CategoryEntry: Hashable, Sendable {
        /// The category of days drawn in ``color``.
        package var category: CompletionCategory
        /// The colour of the category.
        package var color: LegendColor

        package init(_ category: CompletionCategory, _ color: LegendColor) {
            self.category = category
            self.color = color
        }
    }

    /// The colour of the completions that meet a target; the first entry that they meet counts.
    package struct CompletionEntry: Hashable, Sendable {
        /// The value range drawn in ``color``, with the operators of a target.
        package var target: Target
        /// The colour of the value range.
        package var color: LegendColor

        package init(_ target: Target, _ color: LegendColor) {
            self.target = target
            self.color = color
        }
    }

    /// Colours of categories, in the order of forms: reached, over, under.
    package var categorized: [CategoryEntry]
    /// Colours of completions, in the order in which they are tried.
    package var completions: [CompletionEntry]

    package init(categorized: [CategoryEntry] = [], completions: [CompletionEntry] = []) {
        self.categorized = categorized
        self.completions = completions
    }

    /// The legend of a new analysis: reached green, over and under red.
    package static let standard = Legend(categorized: [
        CategoryEntry(.reached, LegendColor(rgba: 0x09B3_00FF)), CategoryEntry(.over, LegendColor(rgba: 0xAD0C_00FF)),
        CategoryEntry(.under, LegendColor(rgba: 0xAD0C_00FF)),
    ])

    /// The colour of a category; nil when the legend names none.
    package func color(of category: CompletionCategory) -> LegendColor? {
        categorized.first { $0.category == category }?.color
    }

    /// The colour of the first band that `value` meets.
    package func color(of value: Double) -> LegendColor? {
        completions.first { $0.target.status(of: value) == .satisfactory }?.color
    }

    /// The codes of the rules that the legend breaks.
    package var breaches: [RuleCode] {
        var broken: [RuleCode] = []
        if !categorized.isEmpty, !completions.isEmpty { broken += ["ALGND-1", "ALGND-2"] }
        if categorized.isEmpty, completions.isEmpty { broken.append("ALGND-2") }
        for entry in completions { broken += entry.target.breaches(of: "CMPLE") }
        return broken
    }
}
