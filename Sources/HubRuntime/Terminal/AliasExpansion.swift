package import Commands

/// Replaces a first word that the `[alias]` table of the configuration names.
package struct AliasExpansion: Sendable {
    private let root: Command
    private let aliases: [String: String]

    /// `aliases` are command lines by their names; one that has the name of a command is never used.
    package init(root: Command, aliases: [String: String]) {
        self.root = root
        self.aliases = aliases
    }

    /// The command line with its first word expanded once, or as it was.
    ///
    /// Throws a config error when the alias is not a valid command line, such as one with an unclosed quote.
    package func expand(_ arguments: [String]) throws(HubError) -> [String] {
        guard let position = AliasExpansion.firstWord(of: arguments, root: root),
            root.subcommand(named: arguments[position]) == nil, let line = aliases[arguments[position]]
        else { return arguments }
        guard let words = ShellWords.split(line), !words.isEmpty else {
            throw HubError(
                .config, code: "invalid-alias", "the alias \(arguments[position]) is not a valid command line: \(line)",
                hint: "hub config edit")
        }
        guard words[0] != arguments[position] else {
            throw HubError(
                .config, code: "invalid-alias", "the alias \(arguments[position]) runs itself: \(line)",
                hint: "hub config set alias.\(arguments[position]) 'COMMAND …'")
        }
        return arguments[..<position] + words + arguments[(position + 1)...]
    }

    /// Returns the position of the first word that is neither an option nor the value of one; nil when there is none.
    package static func firstWord(of arguments: [String], root: Command) -> Int? {
        let parser = CommandLineParser(root: root)
        return arguments.indices.first { index in
            let before = parser.partial(Array(arguments[..<index]))
            let word = arguments[index]
            return before.awaiting == nil && (!word.hasPrefix("-") || before.hasOnlyWords)
        }
    }
}
