package import Commands

/// `hub help`: of a command, of a topic, or of everything.
package enum HelpCommand {
    private static let all = Flag("all", help: "show all commands, options and fields")

    /// The command; `root` gives the whole tree, `width` the columns to wrap to, `externals` the words of
    /// external commands, `notes` what closes the first screen, `disabled` the plugins that are not enabled, `alias` the command line of an alias.
    package static func command(
        root: @escaping @Sendable () -> Command, width: Int,
        externals: @escaping @Sendable () -> [String] = { [] }, notes: @escaping @Sendable () -> [String] = { [] },
        disabled: @escaping @Sendable () -> Set<String> = { [] },
        alias: @escaping @Sendable (any PluginHost, String) -> String? = { _, _ in nil }
    ) -> Command {
        let words = Arguments<String>(
            "COMMAND", .zeroOrMore, help: "command, or topic: environment, exit-codes, formatting, files, config",
            completion: .following { _, before, _ in completions(below: root(), before) })
        return Command(
            "help", summary: "show help for a command or a topic",
            examples: [
                Example("hub help sync", "show help for one command"), Example("hub help --all", "list every command"),
            ], prominence: .full, parameters: [words, all]
        ) { (host: any PluginHost, input: Input) in
            var words = input[words]
            if let word = words.first, words.count == 1, root().subcommand(named: word) == nil,
                HelpTopic(rawValue: word) == nil, externals().contains(word)
            {
                return .text(["hub \(word) runs the program hub-\(word). Its own help: hub \(word) --help"])
            }
            var meaning: [String] = []
            if words.count == 1, let word = words.first, root().subcommand(named: word) == nil,
                HelpTopic(rawValue: word) == nil, let line = alias(host, word)
            {
                meaning = ["hub \(word) is short for hub \(line)", ""]
                words = CommandLineParser(root: root()).partial(ShellWords.split(line) ?? []).path
                    .dropFirst().map(\.name)
            }
            var lines =
                try meaning
                + lines(
                    words, all: input[all], root: root(), width: width, notes: notes(), words.isEmpty ? disabled() : [])
            if words.isEmpty, input[all], case let names = externals(), !names.isEmpty {
                lines += ["", "Programs on PATH, run as hub NAME:"]
                lines += TextLayout.wrap(names.joined(separator: ", "), to: width - 2).map { "  " + $0 }
            }
            return .text(lines)
        }
    }

    /// The commands below those named `before`; at first also the topics.
    private static func completions(below root: Command, _ before: [String]) -> [CompletionWord] {
        var command = root
        for word in before {
            guard let next = command.subcommand(named: word) else { return [] }
            command = next
        }
        let commands = command.subcommands.filter { !$0.isHidden }.map { CompletionWord($0.name, $0.summary) }
        guard before.isEmpty else { return commands }
        let topics = HelpTopic.allCases.filter { topic in !commands.contains { $0.word == topic.rawValue } }
        return commands + topics.map { CompletionWord($0.rawValue, $0.summary) }
    }

    private static func lines(
        _ words: [String], all: Bool, root: Command, width: Int, notes: [String], _ disabled: Set<String>
    ) throws(HubError) -> [String] {
        if words.count == 1, let topic = HelpTopic(rawValue: words[0]) { return topic.lines(width: width) }
        let renderer = HelpRenderer(root: root, width: width, disabled: disabled)
        var command = root
        var path = [root.name]
        for word in words {
            if let next = command.subcommand(named: word) {
                command = next
                path.append(next.name)
            } else if !command.nouns.contains(word) {
                throw unknown(word, in: command, path: path)
            }
        }
        return all
            ? renderer.long(command, path: path) + (words.isEmpty ? topics(width: width) : [])
            : renderer.short(command, path: path, notes: notes)
    }

    private static func topics(width: Int) -> [String] {
        ["", "Topics, shown by hub help TOPIC:"]
            + TextLayout.definitions(HelpTopic.allCases.map { ($0.rawValue, $0.summary) }, width: width)
    }

    private static func unknown(_ word: String, in command: Command, path: [String]) -> HubError {
        let names = command.subcommands.filter { !$0.isHidden }.map(\.name)
        let topics = path.count == 1 ? HelpTopic.allCases.map(\.rawValue) : []
        let nearest = Suggestion.nearest(to: word, in: names + topics)
        let prefix = (["hub", "help"] + path.dropFirst()).joined(separator: " ")
        return HubError(
            .usage, code: "unknown-topic",
            "no help for \"\((path.dropFirst() + [word]).joined(separator: " "))\"",
            hint: nearest.map { "did you mean \(prefix) \($0)?" } ?? "\(prefix) lists the commands")
    }
}
