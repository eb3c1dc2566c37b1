/// Reads the values of one command from its tokens.
struct ValueReader {
    private let command: Command
    private let options: [Parameter]
    private var given: [Parameter] = []
    private var words: [String] = []

    /// The values read so far.
    private(set) var values = ParameterValues()

    init(command: Command, globals: [Parameter]) {
        self.command = command
        options = command.options + globals
    }

    /// Reads all tokens but those that name the command.
    mutating func read(_ tokens: [Token], skipping positions: Set<Int>) throws(ParseError) {
        var index = 0
        while index < tokens.count {
            let token = tokens[index]
            let next: String? =
                if index + 1 < tokens.count, case .word(let word) = tokens[index + 1] { word } else { nil }
            var usedNext = false
            switch token {
            case .word(let word):
                if !positions.contains(index) { words.append(word) }
            case .long(let name, let value):
                usedNext = try readLong(name, value, next)
            case .short(let letters):
                usedNext = try readShort(letters, next)
            case .end: break
            }
            index += usedNext ? 2 : 1
        }
        try assignWords()
    }

    /// Takes the environment twins of options that were not given.
    mutating func fill(from environment: [String: String]) throws(ParseError) {
        for parameter in options where !values.contains(parameter) {
            guard let variable = parameter.environmentName, let text = environment[variable],
                !isExcluded(parameter)
            else { continue }
            if case .flag(byDefault: true) = parameter.kind {
                // HUB_NO_PAGER=1 switches the pager off.
                let isOff = try read(text, of: variable, parameter) as? Bool
                values.set(isOff != true, for: parameter)
            } else if parameter.kind == .optionalValue, let isOn = try? Parameter.switchState(text) {
                // HUB_JSON=1 is --json, HUB_JSON=0 is nothing.
                if isOn { values.set(try read("", of: variable, parameter), for: parameter) }
            } else if !text.isEmpty {
                values.set(try read(text, of: variable, parameter), for: parameter)
            }
        }
    }

    /// Refuses options that exclude each other.
    func check() throws(ParseError) {
        for names in command.exclusive + GlobalOptions.exclusive {
            let both = given.filter { names.contains($0.name) }
            guard let first = both.first, let second = both.first(where: { $0.name != first.name }) else { continue }
            throw .conflict("--\(first.name)", "--\(second.name)")
        }
    }

    /// Whether an option that was given excludes this one, so that the environment must not add it.
    private func isExcluded(_ parameter: Parameter) -> Bool {
        (command.exclusive + GlobalOptions.exclusive).contains { names in
            names.contains(parameter.name) && given.contains { names.contains($0.name) }
        }
    }

    private mutating func readLong(_ name: String, _ value: String?, _ next: String?) throws(ParseError) -> Bool {
        if name.hasPrefix("no-"), let flag = options.first(where: { $0.name == name.dropFirst(3) }),
            case .flag = flag.kind
        {
            guard value == nil else { throw .unexpectedValue(option: "--\(name)") }
            set(false, for: flag)
            return false
        }
        guard let parameter = options.first(where: { $0.name == name }) else {
            let names = options.filter { !$0.isHidden }.map(\.usage)
            throw .unknownOption("--\(name)", nearest: Suggestion.nearest(to: name, in: names))
        }
        switch parameter.kind {
        case .flag:
            guard value == nil else { throw .unexpectedValue(option: "--\(name)") }
            set(true, for: parameter)
            return false
        case .optionalValue:
            set(try read(value ?? "", of: "--\(name)", parameter), for: parameter)
            return false
        case .option, .argument:
            guard let text = value ?? next else {
                throw .missingValue(option: "--\(name)", valueName: parameter.valueName)
            }
            set(try read(text, of: "--\(name)", parameter), for: parameter)
            return value == nil
        }
    }

    private mutating func readShort(_ letters: String, _ next: String?) throws(ParseError) -> Bool {
        var rest = letters[...]
        while let letter = rest.popFirst() {
            guard let parameter = options.first(where: { $0.short == letter }) else {
                throw .unknownOption("-\(letter)", nearest: nil)
            }
            guard parameter.takesValue else {
                set(true, for: parameter)
                continue
            }
            if rest.first == "=" { rest.removeFirst() }
            guard let text = rest.isEmpty ? next : String(rest) else {
                throw .missingValue(option: "-\(letter)", valueName: parameter.valueName)
            }
            set(try read(text, of: "-\(letter)", parameter), for: parameter)
            return rest.isEmpty
        }
        return false
    }

    /// Gives the words to the arguments in order; the last argument may take all that are left.
    private mutating func assignWords() throws(ParseError) {
        var rest = words[...]
        words = []
        for argument in command.arguments {
            guard case .argument(let arity) = argument.kind else { continue }
            let isRequired = arity == .one || arity == .oneOrMore
            guard !rest.isEmpty || !isRequired else { throw .missingArgument(argument.name) }
            let taken = arity == .one || arity == .optional ? rest.prefix(1) : rest
            rest = rest.dropFirst(taken.count)
            for word in taken { values.set(try read(word, of: argument.name, argument), for: argument) }
        }
        if let extra = rest.first { throw .unexpectedArgument(extra) }
    }

    private mutating func set(_ value: any Sendable, for parameter: Parameter) {
        given.append(parameter)
        values.set(value, for: parameter)
    }

    private func read(_ text: String, of name: String, _ parameter: Parameter) throws(ParseError) -> any Sendable {
        do throws(InvalidArgument) {
            guard parameter.isPath || !RawText.contains(text) else { throw InvalidArgument(expected: "text in UTF-8") }
            return try parameter.parse(text)
        } catch {
            throw .invalidValue(text, of: name, error)
        }
    }
}
