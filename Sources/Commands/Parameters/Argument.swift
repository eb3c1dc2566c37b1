/// Exactly one word without dashes: the declaration, and the key to its value.
package struct Argument<Value: ArgumentValue>: ParameterDeclaration {
    /// The declaration without the type of its value.
    package let parameter: Parameter

    /// Creates a required argument; an empty `help` hides it in the list of options.
    package init(_ name: String, help: String = "", completion: Completion? = nil) {
        parameter = Parameter(argument: Value.self, name, .one, help: help, completion: completion)
    }
}

/// Any number of words without dashes: the declaration, and the key to its values.
package struct Arguments<Value: ArgumentValue>: ParameterDeclaration {
    /// The declaration without the type of its value.
    package let parameter: Parameter

    /// Creates arguments of which `arity` says how many may be given.
    package init(_ name: String, _ arity: Parameter.Arity, help: String = "", completion: Completion? = nil) {
        parameter = Parameter(argument: Value.self, name, arity, help: help, completion: completion)
    }
}

extension Parameter {
    /// A positional argument whose words are read as `Value`.
    fileprivate init<Value: ArgumentValue>(
        argument: Value.Type, _ name: String, _ arity: Arity, help: String, completion: Completion?
    ) {
        self.init(
            name: name, valueName: name, help: help, kind: .argument(arity),
            completion: completion ?? .automatic(Value.choices), choices: Value.choices,
            parse: { text throws(InvalidArgument) in try Value.parse(argument: text) })
    }
}
