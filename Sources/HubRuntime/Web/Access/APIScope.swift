import System
import Time

/// What a token of the HTTP API allows: to read, or to read and change, in one plugin or in all.
struct APIScope: Hashable, Sendable {
    /// The plugin; nil for all.
    let plugin: String?
    /// Whether it allows changes, too.
    let isWriting: Bool

    /// Reads `read`, `write`, `contacts:read` or `contacts:write`.
    init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, let right = parts.last, ["read", "write"].contains(right), parts.first != "" else {
            return nil
        }
        plugin = parts.count == 2 ? parts[0] : nil
        isWriting = right == "write"
    }

    init(plugin: String?, isWriting: Bool) {
        self.plugin = plugin
        self.isWriting = isWriting
    }

    /// Reading everything.
    static let everything = APIScope(plugin: nil, isWriting: false)

    /// The text of the scope.
    var text: String { (plugin.map { $0 + ":" } ?? "") + (isWriting ? "write" : "read") }

    /// Whether it includes another scope.
    func includes(_ other: APIScope) -> Bool {
        (plugin == nil || plugin == other.plugin) && (isWriting || !other.isWriting)
    }
}

/// A program that has shown its token.
struct APIClient: Sendable {
    /// The program whose request is being answered; nil for a page.
    @TaskLocal static var current: APIClient?

    /// The name of its token.
    let name: String
    /// What it may do.
    let scopes: [APIScope]
    /// The hash of the token.
    let hash: [UInt8]
    /// The time when the token ends; nil for never.
    let end: Instant?

    /// Whether it may do what `scope` allows.
    func may(_ scope: APIScope) -> Bool { scopes.contains { $0.includes(scope) } }

    /// Whether it may read all of a plugin.
    func mayRead(_ plugin: String) -> Bool { may(APIScope(plugin: plugin, isWriting: false)) }
}

extension Operation {
    /// The author of what the request changes that is being answered: the person, or a program with a token.
    static var webAuthor: Author { APIClient.current.map { .api($0.name) } ?? .person }

    /// What begins the command line of such a change in the history.
    static var webPlace: String { APIClient.current == nil ? "page" : "api" }
}
