/// The name of a kind of event: `layer.context/entity`, such as `domain.contacts/contact-added`.
///
/// The context is the plugin that owns the topic (`user` for the user's own scripts, `hub` for hub itself); the
/// entity says in the past tense what happened. Both are lower-case letters, digits and `-`, and begin with a letter.
package struct Topic: Hashable, Sendable {
    /// The layer that emits the event.
    package enum Layer: String, CaseIterable, Sendable {
        /// The outer world, as it was met: a device appeared, a server answered.
        case gate
        /// Facts about the entities of a plugin.
        case domain
        /// A fact that a use case reports to the user or to other plugins.
        case app
        /// A state of the user interface: a theme, a selection.
        case ui
    }

    /// The whole name.
    package let text: String

    /// The longest name that is accepted, in bytes.
    package static let maximumLength = 100

    /// The topic called `text`, or nil when it does not follow the grammar.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard text.utf8.count <= Topic.maximumLength, parts.count == 2, Topic.isWord(parts[1].utf8) else { return nil }
        let names = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        guard names.count == 2, Layer(rawValue: String(names[0])) != nil, Topic.isWord(names[1].utf8) else {
            return nil
        }
        self.text = String(text)
    }

    /// The layer before the dot.
    package var layer: Layer {
        // Every initializer has checked the layer, so the lookup never falls back.
        Layer(rawValue: String(text.prefix { $0 != "." })) ?? .domain
    }

    /// The owner between the dot and the slash.
    package var context: String {
        String(text.drop { $0 != "." }.dropFirst().prefix { $0 != "/" })
    }

    /// The part after the slash, which says what happened.
    package var entity: String { String(text.drop { $0 != "/" }.dropFirst()) }

    private static func isWord(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, (0x61...0x7A).contains(first) else { return false }
        return bytes.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }
}

extension Topic: ExpressibleByStringLiteral {
    /// A topic written in the source. A literal against the grammar is a mistake of the programmer and stops at once.
    package init(stringLiteral text: String) {
        guard let topic = Topic(text) else { preconditionFailure("\(text) is not a valid topic: layer.context/entity") }
        self = topic
    }
}

extension Topic: CustomStringConvertible, Comparable {
    /// The topic as text: `layer.context/entity`.
    package var description: String { text }

    /// Orders topics by their text.
    package static func < (left: Topic, right: Topic) -> Bool { left.text < right.text }
}
