package import Commands

/// Finds errors in command declarations; a test runs it over the whole tree.
package enum CommandValidator {
    /// Returns the errors of `root` and everything below it, one sentence each.
    package static func problems(in root: Command) -> [String] {
        var problems = problems(in: GlobalOptions.all.map(\.parameter), of: "every command")
        visit(root, path: [root.name]) { command, path in
            let name = path.joined(separator: " ")
            problems += duplicates(command.subcommands.flatMap { [$0.name] + $0.aliases }).map {
                "\(name): two commands are called \($0)"
            }
            problems += prose(command, name, isProgram: path.count == 1) + view(command, name) + order(command, name)
            problems += self.problems(in: command.parameters, of: name) + clashes(command, name)
            problems += otherNumber(command, name)
            problems += duplicates(command.fields.map(\.name)).map { "\(name): two fields are called \($0)" }
        }
        return problems
    }

    private static func visit(_ command: Command, path: [String], _ body: (Command, [String]) -> Void) {
        body(command, path)
        for next in command.subcommands { visit(next, path: path + [next.name], body) }
    }

    private static func duplicates(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { !seen.insert($0).inserted }
    }

    /// Checks that every command has a short summary, the program a one-line one, and that a command that runs has
    /// two examples that begin with hub.
    private static func prose(_ command: Command, _ name: String, isProgram: Bool) -> [String] {
        guard !command.isHidden else { return [] }
        var problems: [String] = []
        if command.summary.isEmpty { problems.append("\(name): no summary") }
        if command.summary.count > 60, !isProgram {
            problems.append("\(name): the summary has more than 60 characters")
        }
        if command.run != nil, command.examples.count < 2 { problems.append("\(name): fewer than two examples") }
        for example in command.examples where !example.command.hasPrefix("hub") {
            problems.append("\(name): the example \"\(example.command)\" does not begin with hub")
        }
        return problems
    }

    private static func view(_ command: Command, _ name: String) -> [String] {
        guard let view = command.view, command.subcommand(named: view)?.run == nil else { return [] }
        return ["\(name): its view \(view) is not a runnable command"]
    }

    /// A collection is understood in the other number too, and the main noun of a plugin in both.
    private static func otherNumber(_ command: Command, _ name: String) -> [String] {
        // `hub notes server` is the server of this machine, not one of the servers that it is a client of, and `search` searches.
        guard command.run == nil, name != "hub notes servers", command.name != "searches" else { return [] }
        let isCollection = command.view == "list" && command.name.hasSuffix("s")
        let isMissing = isCollection && command.nouns.isEmpty && command.aliases.isEmpty || command.nouns.count == 1
        return isMissing ? ["\(name): one number of its noun only"] : []
    }

    /// Only the last argument may take several words or none.
    private static func order(_ command: Command, _ name: String) -> [String] {
        command.arguments.dropLast().filter { $0.kind != .argument(.one) }.map {
            "\(name): \($0.usage) must be the last argument"
        }
    }

    private static func problems(in parameters: [Parameter], of name: String) -> [String] {
        var problems = duplicates(parameters.map(\.name)).map { "\(name): two parameters are called \($0)" }
        problems += duplicates(parameters.compactMap(\.short).map(String.init)).map {
            "\(name): two options have the letter \($0)"
        }
        for parameter in parameters where parameter.isOption {
            let isPlain = parameter.name.allSatisfy { $0.isLowercase || $0 == "-" || $0.isNumber }
            if !isPlain || parameter.name.hasPrefix("-") || parameter.name.hasPrefix("no-") {
                problems.append("\(name): --\(parameter.name) is not a valid option name")
            }
            if parameter.help.isEmpty { problems.append("\(name): --\(parameter.name) has no help") }
        }
        return problems
    }

    /// A letter or name that means something in every command means nothing else in one.
    private static func clashes(_ command: Command, _ name: String) -> [String] {
        let globals = GlobalOptions.all.map(\.parameter)
        return command.options.flatMap { option -> [String] in
            var problems: [String] = []
            if globals.contains(where: { $0.name == option.name }) {
                problems.append("\(name): --\(option.name) belongs to every command")
            }
            if let short = option.short, globals.contains(where: { $0.short == short }) {
                problems.append("\(name): -\(short) belongs to every command")
            }
            return problems
        }
    }
}
