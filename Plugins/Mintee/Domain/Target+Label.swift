extension Target {
    /// The target with `name` for the value: `3 <= x < 5`, `Target >= 1`.
    package func label(_ name: String = "x") -> String {
        switch (minOperator, maxOperator) {
        case (.equal, _): "\(name) = \(NumberText.text(min))"
        case (_, .equal): "\(name) = \(NumberText.text(max))"
        case (.none, .none): name
        case (.none, _): "\(name) \(maxOperator.symbol) \(NumberText.text(max))"
        case (.less, .none): "\(name) > \(NumberText.text(min))"
        case (_, .none): "\(name) >= \(NumberText.text(min))"
        case (_, _):
            "\(NumberText.text(min)) \(minOperator.symbol) \(name) \(maxOperator.symbol) \(NumberText.text(max))"
        }
    }
}
