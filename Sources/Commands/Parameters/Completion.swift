/// The completions for the value of a parameter.
package enum Completion: Sendable {
    /// Asks the host for the words that begin with what is typed so far.
    package typealias Words = @Sendable (any PluginHost, String) async throws -> [CompletionWord]

    /// Like ``Words``, with the preceding arguments of the command.
    package typealias WordsFollowing =
        @Sendable (
            any PluginHost, _ before: [String], _ prefix: String
        ) async throws -> [CompletionWord]

    /// Nothing: the value is free text.
    case none
    /// Files whose names end in one of these extensions (without the dot), or all files when there are none.
    case files([String])
    /// Folders.
    case directories
    /// These words.
    case words([String])
    /// Words that only the running program knows, such as names of contacts.
    case dynamic(Words)
    /// Words that depend on the arguments before, such as the values of a setting.
    case following(WordsFollowing)

    /// Words that a plugin's runtime knows.
    package static func from<Plugin: Sendable>(
        _ plugin: Plugin.Type, _ words: @escaping @Sendable (Plugin, String) async throws -> [CompletionWord]
    ) -> Completion {
        .dynamic { host, prefix in try await words(host.plugin(plugin), prefix) }
    }

    /// The choices of a type, when it has a closed list of them.
    static func automatic(_ choices: [String]?) -> Completion { choices.map(Completion.words) ?? .none }
}

/// One word that a shell offers, with what it means where the shell can show that.
package struct CompletionWord: Sendable, Equatable {
    /// The word that is inserted on the command line.
    package let word: String
    /// The meaning in a few words; may be empty.
    package let help: String
    /// Whether it was found by what else was typed of it, such as a name: then it need not begin with that.
    package let isFound: Bool

    /// Creates a word; shells show `help` next to it.
    package init(_ word: String, _ help: String = "") {
        self.init(word, help, isFound: false)
    }

    /// Creates the id of an item that was found by its id or its name.
    package init(id: String, name: String) {
        self.init(id, name, isFound: true)
    }

    private init(_ word: String, _ help: String, isFound: Bool) {
        self.word = word
        self.help = help
        self.isFound = isFound
    }

    /// Returns the same word after `prefix`, such as `--tag=`.
    package func joined(to prefix: String) -> CompletionWord {
        CompletionWord(prefix + word, help, isFound: isFound)
    }
}
