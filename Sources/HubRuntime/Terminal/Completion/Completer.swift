package import Commands

/// Finds what may be typed next on a command line.
package struct Completer: Sendable {
    /// The completions for a shell.
    package enum Offer: Sendable, Equatable {
        /// These words; `continues` means that the word is incomplete, so no blank follows.
        case words([CompletionWord], continues: Bool)
        /// Files whose names end in one of these extensions, or all files.
        case files([String])
        /// Folders.
        case directories
    }

    private let root: Command
    private let host: any PluginHost
    private let otherCommands: [CompletionWord]

    /// A completer for the commands below `root`; `host` builds the plugins that know dynamic words, and
    /// `otherCommands` are first words that are in no table, such as aliases.
    package init(root: Command, host: any PluginHost, otherCommands: [CompletionWord] = []) {
        self.root = root
        self.host = host
        self.otherCommands = otherCommands
    }

    /// Returns the completions for the last of `words`; the others are complete.
    package func offer(_ words: [String]) async -> Offer {
        let prefix = words.last ?? ""
        let partial = CommandLineParser(root: root).partial(Array(words.dropLast()))
        if let option = partial.awaiting {
            return await values(of: option, after: partial.words, prefix: prefix, joinedTo: "")
        }
        guard !partial.hasOnlyWords, prefix.hasPrefix("-") else { return await operands(partial, prefix: prefix) }
        if prefix.hasPrefix("--"), let equals = prefix.firstIndex(of: "=") {
            let name = prefix[..<equals].dropFirst(2)
            let all = options(of: partial.command)
            guard let option = all.first(where: { $0.name == name }) else { return .words([], continues: false) }
            let (joint, value) = (String(prefix[...equals]), String(prefix[prefix.index(after: equals)...]))
            if option.kind == .optionalValue { return fields(of: partial.command, value: value, joinedTo: joint) }
            return await values(of: option, after: partial.words, prefix: value, joinedTo: joint)
        }
        let shown = options(of: partial.command).filter { !$0.isHidden }.map { CompletionWord($0.usage, $0.help) }
        return .words(shown.filter { $0.word.hasPrefix(prefix) }, continues: false)
    }

    private func options(of command: Command) -> [Parameter] {
        command.options + GlobalOptions.all.map(\.parameter)
    }

    /// Subcommands, and what the next argument takes.
    private func operands(_ partial: PartialCommand, prefix: String) async -> Offer {
        let command = partial.command
        var found: [CompletionWord] = []
        if partial.words.isEmpty {
            found = command.subcommands.filter { !$0.isHidden && $0.name.hasPrefix(prefix) }
                .map { CompletionWord($0.name, $0.summary) }
            if partial.path.count == 1 { found += otherCommands.filter { $0.word.hasPrefix(prefix) } }
        }
        guard let argument = argument(command, at: partial.words.count) else { return .words(found, continues: false) }
        let offer = await values(of: argument, after: partial.words, prefix: prefix, joinedTo: "")
        guard case .words(let words, let continues) = offer else {
            return found.isEmpty ? offer : .words(found, continues: false)
        }
        return .words(found + words, continues: continues)
    }

    /// The argument that takes the word at `position`.
    private func argument(_ command: Command, at position: Int) -> Parameter? {
        if position < command.arguments.count { return command.arguments[position] }
        guard let last = command.arguments.last, case .argument(let arity) = last.kind else { return nil }
        return arity == .zeroOrMore || arity == .oneOrMore ? last : nil
    }

    private func values(
        of parameter: Parameter, after before: [String], prefix: String, joinedTo joint: String
    ) async -> Offer {
        switch parameter.completion {
        case .none: .words([], continues: false)
        case .files(let extensions): .files(extensions)
        case .directories: .directories
        case .words(let words):
            .words(words.filter { $0.hasPrefix(prefix) }.map { CompletionWord(joint + $0) }, continues: false)
        // Errors are ignored during completion.
        case .dynamic(let find): offered((try? await find(host, prefix)) ?? [], prefix, joint)
        case .following(let find): offered((try? await find(host, before, prefix)) ?? [], prefix, joint)
        }
    }

    /// Returns those of `words` that complete `prefix`: words that begin with it, and words that were found by it.
    private func offered(_ words: [CompletionWord], _ prefix: String, _ joint: String) -> Offer {
        let meant = words.filter { $0.isFound || $0.word.hasPrefix(prefix) }
        // A word such as "contacts:" goes on.
        let continues = !meant.isEmpty && meant.allSatisfy { $0.word.hasSuffix(":") || $0.word.hasSuffix("=") }
        return .words(meant.map { $0.joined(to: joint) }, continues: continues)
    }

    /// The names of fields after the last comma, and `help`.
    private func fields(of command: Command, value: String, joinedTo joint: String) -> Offer {
        let comma = value.lastIndex(of: ",").map { value.index(after: $0) } ?? value.startIndex
        let (done, prefix) = (value[..<comma], value[comma...])
        let names = Set(done.split(separator: ",").map(String.init))
        let words = command.fields.filter { $0.name.hasPrefix(prefix) && !names.contains($0.name) }
            .map { CompletionWord("\(joint)\(done)\($0.name)", $0.help) }
        return .words(words, continues: true)
    }
}
