/// The values of a parsed command line, each found by its declaration.
package struct ParameterValues: Sendable {
    private var values: [String: [any Sendable]] = [:]

    package init() {}

    /// Adds a value, or replaces the earlier one when the parameter holds only one.
    mutating func set(_ value: any Sendable, for parameter: Parameter) {
        switch parameter.kind {
        case .option(repeats: true), .argument: values[parameter.name, default: []].append(value)
        default: values[parameter.name] = [value]
        }
    }

    /// Whether the parameter was given.
    package func contains(_ parameter: Parameter) -> Bool { values[parameter.name] != nil }

    /// The value of an option; nil when it is not given.
    package subscript<Value: ArgumentValue>(option: Option<Value>) -> Value? {
        values[option.parameter.name]?.last as? Value
    }

    /// The values of a repeatable option in the order given; empty when it is not given.
    package subscript<Value: ArgumentValue>(option: Option<[Value]>) -> [Value] {
        values[option.parameter.name, default: []].compactMap { $0 as? Value }
    }

    /// The state of a flag, or its default.
    package subscript(flag: Flag) -> Bool {
        (values[flag.parameter.name]?.last as? Bool) ?? (flag.parameter.kind == .flag(byDefault: true))
    }

    /// The value of a required argument.
    package subscript<Value: ArgumentValue>(argument: Argument<Value>) -> Value {
        guard let value = values[argument.parameter.name]?.last as? Value else {
            // The parser refuses a command line without it, so only a key that the command does not list gets here.
            preconditionFailure("the command does not declare \(argument.parameter.name)")
        }
        return value
    }

    /// The values of the last arguments in the order given.
    package subscript<Value: ArgumentValue>(arguments: Arguments<Value>) -> [Value] {
        values[arguments.parameter.name, default: []].compactMap { $0 as? Value }
    }
}
