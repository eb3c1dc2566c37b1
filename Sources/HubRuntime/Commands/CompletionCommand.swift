package import Commands

/// `hub completion SHELL`, and the hidden command that the scripts call for each press of Tab.
package enum CompletionCommand {
    private static let shell = Argument<CompletionShell>("SHELL", help: "bash, zsh or fish")
    private static let words = Arguments<String>("WORD", .zeroOrMore)

    /// Prints the script that a shell reads to complete `hub`.
    package static let command = Command(
        "completion", summary: "print the completion script for bash, zsh or fish",
        discussion: [
            "bash: hub completion bash > ~/.local/share/bash-completion/completions/hub",
            "zsh: hub completion zsh > _hub, in a folder of $fpath",
            "fish: hub completion fish > ~/.config/fish/completions/hub.fish",
        ],
        examples: [
            Example("hub completion bash", "print the script for bash"),
            Example("hub completion fish", "print the script for fish"),
        ], prominence: .full, parameters: [shell]
    ) { (_: any PluginHost, input: Input) in
        .text(input[shell].script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    /// Answers a shell: a line that says what follows, then one line `word TAB meaning` for each word.
    package static func answering(
        root: @escaping @Sendable () -> Command, externals: @escaping @Sendable () -> [String] = { [] }
    ) -> Command {
        Command("__complete", summary: "words for a shell", parameters: [words], isHidden: true) {
            (host: any PluginHost, input: Input) in
            (host as? Hub)?.answerShell()
            let root = root()
            let aliases = (try? (try host.plugin(Hub.self)).aliases()) ?? [:]
            let others =
                aliases.sorted { $0.key < $1.key }.map { CompletionWord($0.key, $0.value) }
                + externals().map { CompletionWord($0, "hub-\($0)") }
            let typed = input[words]
            // The expansion of an alias decides what follows it.
            let known = (try? AliasExpansion(root: root, aliases: aliases).expand(Array(typed.dropLast()))) ?? []
            let completer = Completer(root: root, host: host, otherCommands: others)
            return .text(lines(await completer.offer(known + typed.suffix(1))))
        }
    }

    private static func lines(_ offer: Completer.Offer) -> [String] {
        switch offer {
        case .files(let extensions): ["files " + extensions.joined(separator: " ")]
        case .directories: ["directories"]
        case .words(let words, let continues):
            [continues ? "words continue" : "words"]
                + words.map { TerminalSanitizer.line($0.word) + "\t" + TerminalSanitizer.line($0.help) }
        }
    }
}
