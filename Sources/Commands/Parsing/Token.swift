/// One word of a command line, by its shape alone.
enum Token: Equatable {
    /// A command, an argument or the value of an option; `-`, `-5` and `- an item of a list` are words too.
    case word(String)
    /// `--name` or `--name=value`.
    case long(String, value: String?)
    /// `-v`, a cluster `-vn`, or a letter with its value `-oFILE`, without the dash.
    case short(String)
    /// `--`: words follow, whatever they look like.
    case end

    /// The tokens of the arguments, one for each.
    static func split(_ arguments: [String]) -> [Token] {
        var onlyWords = false
        return arguments.map { argument in
            if onlyWords { return .word(argument) }
            let token = Token(argument)
            if token == .end { onlyWords = true }
            return token
        }
    }

    private init(_ argument: String) {
        if argument == "--" {
            self = .end
        } else if argument.hasPrefix("--") {
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            self = .long(String(parts[0]), value: parts.count == 2 ? String(parts[1]) : nil)
        } else if argument.hasPrefix("-"), let second = argument.dropFirst().first, !Token.beginsNumber(second),
            !second.isWhitespace
        {
            self = .short(String(argument.dropFirst()))
        } else {
            self = .word(argument)
        }
    }

    private static func beginsNumber(_ character: Character) -> Bool {
        character == "." || ("0"..."9").contains(character)
    }

    /// The argument as it was typed.
    var text: String {
        switch self {
        case .word(let word): word
        case .long(let name, let value): "--" + name + (value.map { "=" + $0 } ?? "")
        case .short(let letters): "-" + letters
        case .end: "--"
        }
    }

    /// Whether it is exactly the given flag, long or short.
    func isFlag(_ flag: Parameter) -> Bool {
        switch self {
        case .long(flag.name, value: nil): true
        case .short(let letters): letters.count == 1 && letters.first == flag.short
        default: false
        }
    }
}
