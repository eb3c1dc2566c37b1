/// A colour of a legend: red, green, blue and opacity.
package struct LegendColor: Hashable, Sendable, CustomStringConvertible {
    /// The four bytes, with red as the highest.
    package let rgba: UInt32

    package init(rgba: UInt32) { self.rgba = rgba }

    /// Parses eight hexadecimal digits of either case; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 8, text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(text, radix: 16)
        else { return nil }
        rgba = value
    }

    /// Eight upper-case hexadecimal digits, RRGGBBAA.
    package var description: String {
        let digits = String(rgba, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The colour in CSS and SVG: `#RRGGBBAA`.
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

    /// The colour of values within a range; the first matching entry applies.
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
    /// Colours of value ranges, in the order of matching.
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

    /// Returns the colour of a category; nil if the legend has none.
    package func color(of category: CompletionCategory) -> LegendColor? {
        categorized.first { $0.category == category }?.color
    }

    /// Returns the colour of the first value range that contains `value`.
    package func color(of value: Double) -> LegendColor? {
        completions.first { $0.target.status(of: value) == .satisfactory }?.color
    }

    /// The codes of the violated rules.
    package var violations: [RuleCode] {
        var broken: [RuleCode] = []
        if !categorized.isEmpty, !completions.isEmpty { broken += ["ALGND-1", "ALGND-2"] }
        if categorized.isEmpty, completions.isEmpty { broken.append("ALGND-2") }
        for entry in completions { broken += entry.target.violations(of: "CMPLE") }
        return broken
    }
}
