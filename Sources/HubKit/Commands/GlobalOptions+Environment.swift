extension GlobalOptions {
    /// Returns the options before the name of an external command as environment variables, so that a hub called by
    /// that command honours them. `rest` are the options without a variable, such as `--help`.
    ///
    /// Nil when one of them is none that every command has.
    package static func environment(
        of arguments: some Sequence<String>
    ) -> (variables: [String: String], rest: [String])? {
        var variables: [String: String] = [:]
        var rest: [String] = []
        var tokens = Token.split(Array(arguments))[...]
        func set(_ parameter: Parameter, _ value: String, _ text: String) {
            guard let name = parameter.environmentName else { return rest.append(text) }
            variables[name] = value
        }
        while let token = tokens.popFirst() {
            switch token {
            case .end: break
            case .word: return nil
            case .long(let name, let value):
                let isNegated = name.hasPrefix("no-")
                if isNegated, let flag = parameter(where: { $0.name == name.dropFirst(3) }), !flag.takesValue {
                    set(flag, flag.kind == .flag(byDefault: true) ? "1" : "0", token.text)
                    continue
                }
                guard let parameter = parameter(where: { $0.name == name }) else { return nil }
                switch parameter.kind {
                case .flag(let byDefault): set(parameter, byDefault ? "0" : "1", token.text)
                case .optionalValue: set(parameter, value ?? "1", token.text)
                case .option, .argument:
                    guard let value = value ?? tokens.popFirst()?.text else { return nil }
                    set(parameter, value, token.text)
                }
            case .short(let letters):
                var letters = letters[...]
                while let letter = letters.popFirst() {
                    guard let parameter = parameter(where: { $0.short == letter }) else { return nil }
                    guard parameter.takesValue else {
                        set(parameter, "1", "-\(letter)")
                        continue
                    }
                    if letters.first == "=" { letters.removeFirst() }
                    guard let value = letters.isEmpty ? tokens.popFirst()?.text : String(letters) else { return nil }
                    set(parameter, value, "-\(letter)")
                    letters = ""
                }
            }
        }
        return (variables, rest)
    }

    private static func parameter(where matches: (Parameter) -> Bool) -> Parameter? {
        all.lazy.map(\.parameter).first(where: matches)
    }
}
