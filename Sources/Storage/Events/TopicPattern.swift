/// A choice of topics: a topic in which each `*` stands for any run of characters, such as `app.*/alert-raised`.
///
/// The alphabet is that of topics, so the same text means the same to SQLite's GLOB.
package struct TopicPattern: Hashable, Sendable {
    /// The pattern as written.
    package let text: String

    /// The pattern `text`, or nil when it holds a character that no topic has, or could match no topic for its length.
    package init?(_ text: some StringProtocol) {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x2D...0x39).contains(byte) || byte == 0x2A
        }
        guard isPlain, !text.isEmpty, text.utf8.count <= Topic.maximumLength else { return nil }
        self.text = String(text)
    }

    /// The pattern that matches `topic` alone.
    package init(_ topic: Topic) { text = topic.text }

    private init(everything text: String) { self.text = text }

    /// The pattern that matches every topic.
    package static let everything = TopicPattern(everything: "*")

    /// Whether `topic` is one of those meant.
    package func matches(_ topic: Topic) -> Bool {
        TopicPattern.match(Array(text.utf8), Array(topic.text.utf8))
    }

    /// Greedy matching that goes back to the last star only, so the work stays within the product of both lengths.
    private static func match(_ pattern: [UInt8], _ name: [UInt8]) -> Bool {
        var inPattern = 0
        var inName = 0
        var retry: (pattern: Int, name: Int)?
        while inName < name.count {
            if inPattern < pattern.count, pattern[inPattern] == UInt8(ascii: "*") {
                inPattern += 1
                retry = (inPattern, inName)
            } else if inPattern < pattern.count, pattern[inPattern] == name[inName] {
                inPattern += 1
                inName += 1
            } else if let last = retry {
                inPattern = last.pattern
                inName = last.name + 1
                retry = (last.pattern, last.name + 1)
            } else {
                return false
            }
        }
        return pattern[inPattern...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

extension TopicPattern: ExpressibleByStringLiteral {
    /// A pattern written in the source; one that is against the grammar stops at once.
    package init(stringLiteral text: String) {
        guard let pattern = TopicPattern(text) else { preconditionFailure("\(text) is not a valid topic pattern") }
        self = pattern
    }
}

extension TopicPattern: CustomStringConvertible {
    /// The pattern as text.
    package var description: String { text }
}

extension Collection<TopicPattern> {
    /// Whether at least one of the patterns matches `topic`.
    package func matches(_ topic: Topic) -> Bool { contains { $0.matches(topic) } }
}
