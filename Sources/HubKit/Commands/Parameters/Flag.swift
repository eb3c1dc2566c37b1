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
