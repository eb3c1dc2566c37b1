/// `--name VALUE`: the declaration of an option, and the key to its value.
///
/// `Option<Int>` gives an `Int?`; `Option<[String]>` may be given again and gives all its values.
package struct Option<Value: Sendable>: ParameterDeclaration {
    /// The declaration without the type of its value.
    package let parameter: Parameter
}

extension Option where Value: ArgumentValue {
    /// An option that holds one value; given twice, the last one counts.
    package init(
        _ name: String, short: Character? = nil, _ valueName: String, help: String, completion: Completion? = nil,
        hasEnvironmentVariable: Bool = false, isHidden: Bool = false
    ) {
        parameter = Parameter(
            name: name, short: short, valueName: valueName, help: help, kind: .option(repeats: false),
            completion: completion ?? .automatic(Value.choices), choices: Value.choices,
            hasEnvironmentVariable: hasEnvironmentVariable, isHidden: isHidden,
            parse: { text throws(InvalidArgument) in try Value.parse(argument: text) })
    }

    /// `--name[=VALUE]`: the value is optional and must be joined by `=`; `ifBare` stands for a missing one.
    package init(
        _ name: String, optionalValue valueName: String, ifBare: Value, help: String, completion: Completion = .none,
        hasEnvironmentVariable: Bool = false
    ) {
        parameter = Parameter(
            name: name, valueName: valueName, help: help, kind: .optionalValue, completion: completion,
            choices: Value.choices, hasEnvironmentVariable: hasEnvironmentVariable,
            parse: { text throws(InvalidArgument) in text.isEmpty ? ifBare : try Value.parse(argument: text) })
    }
}

extension Option where Value == Int {
    /// A whole number that must lie in `range`.
    package init(_ name: String, short: Character? = nil, _ valueName: String, in range: ClosedRange<Int>, help: String)
    {
        parameter = Parameter(
            name: name, short: short, valueName: valueName, help: help, kind: .option(repeats: false),
            parse: { text throws(InvalidArgument) in
                let number = try Int.parse(argument: text)
                guard range.contains(number) else {
                    let expected =
                        range.upperBound == .max
                        ? "a whole number, \(range.lowerBound) or more"
                        : "a whole number from \(range.lowerBound) to \(range.upperBound)"
                    throw InvalidArgument(expected: expected)
                }
                return number
            })
    }
}

extension Option {
    /// An option that may be given again; each one adds a value.
    package init<Element: ArgumentValue>(
        _ name: String, short: Character? = nil, _ valueName: String, help: String, completion: Completion? = nil
    ) where Value == [Element] {
        parameter = Parameter(
            name: name, short: short, valueName: valueName, help: help, kind: .option(repeats: true),
            completion: completion ?? .automatic(Element.choices), choices: Element.choices,
            parse: { text throws(InvalidArgument) in try Element.parse(argument: text) })
    }
}

/// `--name` or `--no-name`: the declaration of a switch, and the key to its state.
package struct Flag: ParameterDeclaration {
    /// The declaration without the type of its value.
    package let parameter: Parameter

    /// A switch that is off unless given; with `default: true` it is on and help shows `--no-name`.
    package init(
        _ name: String, short: Character? = nil, default byDefault: Bool = false, help: String,
        hasEnvironmentVariable: Bool = false, isHidden: Bool = false
    ) {
        parameter = Parameter(
            name: name, short: short, valueName: "", help: help, kind: .flag(byDefault: byDefault),
            hasEnvironmentVariable: hasEnvironmentVariable, isHidden: isHidden,
            parse: { text throws(InvalidArgument) in try Parameter.switchState(text) })
    }
}

extension Parameter {
    /// The state that an environment variable gives a switch.
    package static func switchState(_ text: String) throws(InvalidArgument) -> Bool {
        switch text.lowercased() {
        case "1", "true", "yes", "on": true
        case "0", "false", "no", "off", "": false
        default: throw InvalidArgument(expected: "1 or 0")
        }
    }
}
