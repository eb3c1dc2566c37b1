package import HubKit

/// `hub help`: of a command, of a topic, or of everything.
package enum HelpCommand {
    private static let words = Arguments<String>(
        "COMMAND", .zeroOrMore, help: "a command, or a topic: environment, exit-codes, formatting, files, config")
    private static let all = Flag("all", help: "everything there is to say")

    /// The command; `root` gives the whole tree, `width` the columns to wrap to, `notes` what closes the first screen.
    package static func command(
        root: @escaping @Sendable () -> Command, width: Int, notes: @escaping @Sendable () -> [String] = { [] }
    ) -> Command {
        Command(
            "help", summary: "help for a command or a topic",
            examples: [
                Example("hub help sync", "help for one command"), Example("hub help --all", "every command there is"),
            ], prominence: .full, parameters: [words, all]
        ) { (_: any PluginHost, input: Input) in
            .text(try lines(input[words], all: input[all], root: root(), width: width, notes: notes()))
        }
    }

    private static func lines(
        _ words: [String], all: Bool, root: Command, width: Int, notes: [String]
    ) throws(HubError) -> [String] {
        if words.count == 1, let topic = HelpTopic(rawValue: words[0]) { return topic.lines(width: width) }
        let renderer = HelpRenderer(root: root, width: width)
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
            "there is no help for \"\((path.dropFirst() + [word]).joined(separator: " "))\"",
            hint: nearest.map { "did you mean \(prefix) \($0)?" } ?? "\(prefix) lists the commands")
    }
}
