/// The name of an agent as a key: two are the same only if all their bytes are, whereas two `String`s are equal in all Unicode forms of
/// one text, so that someone could take numbers of another agent.
package struct AgentName: Hashable, Comparable, Sendable {
    /// The name.
    package let text: String

    package init(_ text: String) { self.text = text }

    /// Compares by bytes.
    package static func == (a: AgentName, b: AgentName) -> Bool {
        let (a, b) = (a.text.utf8, b.text.utf8)
        guard a.count == b.count else { return false }
        // In memory: one by one the bytes of a text take several times as long.
        let isSame = a.withContiguousStorageIfAvailable { a in
            b.withContiguousStorageIfAvailable { b in a.elementsEqual(b) }
        }
        return (isSame ?? nil) ?? a.elementsEqual(b)
    }

    /// Hashes the text: names that only differ in their form have the same hash.
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Orders as texts are, and forms of one text by their bytes.
    package static func < (a: AgentName, b: AgentName) -> Bool {
        if a.text != b.text { return a.text < b.text }
        return a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
    }
}

extension AgentName: ExpressibleByStringLiteral {
    /// Creates the name that is written in the program.
    package init(stringLiteral text: String) { self.init(text) }
}
