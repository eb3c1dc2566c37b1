/// A command of the user or a service: the unit of history and undo.
package struct Operation: Hashable, Sendable {
    /// The way its changes are kept.
    package enum Kind: Hashable, Sendable {
        /// Recorded: it is in the history and can be undone.
        case edit
        /// Not recorded: what hub itself notes or computes.
        case cache
        /// Not recorded, and not waited for: what can be fetched again. A failure of the system may take it, together with
        /// what was stored after it, up to the next write of another kind; a killed process cannot. It has no events.
        case fetched
    }

    /// The author of an operation.
    package enum Author: Hashable, Sendable {
        /// The person, by a command or the page.
        case person
        /// A background service or another user, by name.
        case service(String)
    }

    /// A new random id.
    package let id: String
    /// A constant name, such as `contacts import`.
    package let name: String
    /// The user, or the service that runs it.
    package let who: Author
    /// The command as it was typed, or what stands for it.
    package let commandLine: String
    /// Whether the changes can be undone.
    package let kind: Kind
    /// Whether each write is rolled back once its result is known, as in a dry run.
    package let isPlan: Bool

    /// Creates an operation with a new id.
    package init(
        id: String = Identifier.make(), _ name: String, who: Author = .person, commandLine: String? = nil,
        kind: Kind = .edit, isPlan: Bool = false
    ) {
        self.id = id
        self.name = name
        self.who = who
        self.commandLine = commandLine ?? name
        self.kind = kind
        self.isPlan = isPlan
    }
}

extension Operation.Author {
    /// An assistant, by the name that it gives itself.
    package static func assistant(_ name: String) -> Operation.Author { .service("assistant:\(name)") }

    /// A program that uses the HTTP API, by the name of its token.
    package static func api(_ name: String) -> Operation.Author { .service("api:\(name)") }

    /// As it is stored and shown: `you`, or the name of the service.
    package var text: String {
        switch self {
        case .person: "you"
        // An account of a server may have any name, and does not become the person by it.
        case .service("you"): "\"you\""
        case .service(let name): name
        }
    }

    /// The author whose stored form is `text`.
    package init(text: String) { self = text == "you" ? .person : .service(text) }
}
