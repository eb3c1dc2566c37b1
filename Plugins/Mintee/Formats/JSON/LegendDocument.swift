package import JSON

/// Legends as JSON with the app's key names.
package enum LegendDocument {
    /// Returns the JSON of a legend, with sorted keys and only the required members.
    package static func text(_ legend: Legend) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("categorizedEntries")
            writer.array { writer in
                for entry in legend.categorized {
                    writer.object { writer in
                        writer.name("category")
                        writer.value(entry.category.rawValue)
                        writer.name("color")
                        writer.value(entry.color.description)
                    }
                }
            }
            writer.name("completionEntries")
            writer.array { writer in
                for entry in legend.completions {
                    writer.object { writer in
                        writer.name("color")
                        writer.value(entry.color.description)
                        writer.name("max")
                        writer.number(NumberText.text(entry.target.max))
                        writer.name("maxOperator")
                        writer.value(entry.target.maxOperator.rawValue)
                        writer.name("min")
                        writer.number(NumberText.text(entry.target.min))
                        writer.name("minOperator")
                        writer.value(entry.target.minOperator.rawValue)
                    }
                }
            }
        }
        return writer.string
    }

    /// Returns the legend of a JSON value, or the codes of the violated rules; `family` is `ANL` or `TSA`.
    package static func legend(_ json: JSONValue?, family: String = "ANL") -> (legend: Legend?, violations: [RuleCode])
    {
        guard let json, case .object = json, let categories = json["categorizedEntries"]?.array,
            let completions = json["completionEntries"]?.array
        else { return (nil, [RuleCode("\(family)-7")]) }
        var legend = Legend()
        var broken: [RuleCode] = []
        for entry in categories {
            guard let category = entry["category"]?.integer.flatMap(CompletionCategory.init(rawValue:)),
                let color = entry["color"]?.string.flatMap({ LegendColor($0) })
            else {
                broken.append("CATLE-1")
                continue
            }
            legend.categorized.append(Legend.CategoryEntry(category, color))
        }
        for entry in completions {
            let lower = entry["minOperator"]?.integer.flatMap(TargetOperator.init(rawValue:))
            let upper = entry["maxOperator"]?.integer.flatMap(TargetOperator.init(rawValue:))
            if lower == nil { broken.append("CMPLE-1") }
            if upper == nil || upper == .equal { broken.append("CMPLE-2") }
            guard let lower, let upper, let color = entry["color"]?.string.flatMap({ LegendColor($0) }),
                let min = entry["min"]?.double, let max = entry["max"]?.double
            else { continue }
            let target = Target(unchecked: lower, upper, min, max)
            legend.completions.append(Legend.CompletionEntry(target, color))
        }
        if broken.isEmpty {
            broken = legend.violations
            if legend.completions.count < completions.count { broken.append(RuleCode("\(family)-7")) }
        }
        return (broken.isEmpty ? legend : nil, broken)
    }

    /// Returns the legend of stored text, or the codes of the violated rules.
    package static func legend(stored text: String, family: String = "ANL") -> (legend: Legend?, violations: [RuleCode])
    {
        legend(try? JSONReader.read(Array(text.utf8)), family: family)
    }
}

extension JSONValue {
    /// A finite number; nil for anything else, such as `1e309`.
    package var double: Double? {
        if case .number(let text) = self { Double(text).flatMap { $0.isFinite ? $0 : nil } } else { nil }
    }
}
