package import Commands

/// What a plugin offers to assistants, through `hub mcp`. Nothing is offered that is not declared here.
///
/// A tool is a command under another name: its arguments become the words of a command line, which is parsed, checked and run as if it
/// had been typed. So a tool does neither more nor less than the command.
package struct ToolDeclarations: Sendable {
    /// The lists, for the tool `list`.
    package let lists: [ToolList]
    /// The tools that change something.
    package let tools: [ToolDeclaration]

    package init(lists: [ToolList] = [], tools: [ToolDeclaration] = []) {
        self.lists = lists
        self.tools = tools
    }
}

/// A command that lists something.
package struct ToolList: Sendable {
    /// The name of the list, such as `contacts`.
    package let kind: String
    /// The content of the list, in a few lower-case words.
    package let help: String
    /// The words of the command after the one of the plugin.
    package let command: [String]

    package init(_ kind: String, _ help: String, command: String...) {
        self.kind = kind
        self.help = help
        self.command = command
    }
}

/// A command that changes something.
package struct ToolDeclaration: Sendable {
    /// The name: at most 32 lower-case letters and underscores.
    package let name: String
    /// The name for people.
    package let title: String
    /// What it returns, what it is not for, and the form of its arguments.
    package let description: String
    /// The words of the command after the one of the plugin.
    package let command: [String]
    /// Whether it only adds something, so that nothing that is there is changed.
    package let isAddition: Bool
    /// Whether the same call again changes nothing more.
    package let isIdempotent: Bool
    /// The arguments, in the order of the command line.
    package let parameters: [ToolParameter]
    /// Throws for an item that no assistant may change, such as one that others read too.
    package let check: @Sendable (any PluginHost, _ id: String) async throws -> Void

    package init(
        _ name: String, title: String, description: String, command: String..., isAddition: Bool = false,
        isIdempotent: Bool = false, parameters: [ToolParameter],
        check: @escaping @Sendable (any PluginHost, _ id: String) async throws -> Void = { _, _ in }
    ) {
        self.name = name
        self.title = title
        self.description = description
        self.command = command
        self.isAddition = isAddition
        self.isIdempotent = isIdempotent
        self.parameters = parameters
        self.check = check
    }
}

/// An argument of a tool.
package struct ToolParameter: Sendable {
    /// The values that it takes.
    package enum Value: Sendable, Equatable {
        /// The full id of an item: what changes something is never found by its name.
        case id
        /// A text of at most so many characters.
        case text(Int)
        /// At most so many texts.
        case texts(Int)
        /// A number.
        case number
        /// A whole number.
        case integer(ClosedRange<Int>)
        /// A truth value.
        case flag
        /// One of some words.
        case choice([String])
    }

    /// The name.
    package let name: String
    /// The values that it takes.
    package let value: Value
    /// Its meaning and form, with an example.
    package let help: String
    /// The option of the command that takes it; nil for a word.
    package let option: String?
    /// Whether it must be given.
    package let isRequired: Bool

    package init(
        _ name: String, _ value: Value, _ help: String, option: String? = nil, isRequired: Bool = false
    ) {
        self.name = name
        self.value = value
        self.help = help
        self.option = option
        self.isRequired = isRequired
    }
}
