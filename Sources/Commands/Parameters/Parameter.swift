/// The common form of options, flags and arguments; help, completion and the parser use only this.
package struct Parameter: Sendable {
    /// The form on a command line.
    package enum Kind: Sendable, Equatable {
        /// `--name` and `--no-name`; without either it is `byDefault`.
        case flag(byDefault: Bool)
        /// `--name VALUE`; given again, it adds a value when it `repeats`, and replaces the earlier one otherwise.
        case option(repeats: Bool)
        /// `--name` or `--name=VALUE`; the next word is never its value.
        case optionalValue
        /// A word without dashes.
        case argument(Arity)
    }

    /// The number of words that a positional argument takes.
    package enum Arity: Sendable, Equatable {
        case one, optional, zeroOrMore, oneOrMore
    }

    /// The long name without dashes, or an argument's placeholder.
    package let name: String
    /// The short name, if it is common enough to have one.
    package let short: Character?
    /// The placeholder of its value in the help, in capitals: `N`, `FILE`.
    package let valueName: String
    /// The help text in a few words.
    package let help: String
    /// The form on a command line.
    package let kind: Kind
    /// The completions for its value.
    package let completion: Completion
    /// The only values it takes; nil when there are too many to list.
    package let choices: [String]?
    /// The environment variable that gives it when the command line does not.
    package let environmentName: String?
    /// Whether help leaves it out.
    package let isHidden: Bool
    /// Turns what was typed into the declared type.
    package let parse: @Sendable (String) throws(InvalidArgument) -> any Sendable

    /// Creates a declaration; `parse` checks a value and throws ``InvalidArgument``.
    package init(
        name: String, short: Character? = nil, valueName: String, help: String, kind: Kind,
        completion: Completion = .none, choices: [String]? = nil, hasEnvironmentVariable: Bool = false,
        isHidden: Bool = false, parse: @escaping @Sendable (String) throws(InvalidArgument) -> any Sendable
    ) {
        self.name = name
        self.short = short
        self.valueName = valueName
        self.help = help
        self.kind = kind
        self.completion = completion
        self.choices = choices
        self.isHidden = isHidden
        self.parse = parse
        let twin = kind == .flag(byDefault: true) ? "no-" + name : name
        self.environmentName =
            hasEnvironmentVariable ? "HUB_" + String(twin.map { $0 == "-" ? "_" : $0 }).uppercased() : nil
    }

    /// Whether it is written with dashes.
    package var isOption: Bool {
        if case .argument = kind { false } else { true }
    }

    /// Whether its value is a path that need not be UTF-8: one of the user's, not of the data folder and the config file.
    var isPath: Bool {
        switch completion {
        case .files, .directories: ![GlobalOptions.data, GlobalOptions.config].contains { $0.parameter.name == name }
        case .none, .words, .dynamic, .following: false
        }
    }

    /// Whether the word after it is its value.
    package var takesValue: Bool {
        if case .option = kind { true } else { false }
    }

    /// The name in errors and the usage line: `--limit`, `--no-pager`, `WORD…`.
    package var usage: String {
        switch kind {
        case .flag(let byDefault): byDefault ? "--no-\(name)" : "--\(name)"
        case .option, .optionalValue: "--\(name)"
        case .argument(.one): name
        case .argument(.optional): "[\(name)]"
        case .argument(.zeroOrMore): "[\(name)…]"
        // A name of several words says itself which of them may be given again.
        case .argument(.oneOrMore): name.contains("…") ? name : "\(name)…"
        }
    }
}

/// A typed declaration of a parameter, which is also the key to its value in ``Input``.
package protocol ParameterDeclaration: Sendable {
    /// The declaration for the parser, help and completion.
    var parameter: Parameter { get }
}
