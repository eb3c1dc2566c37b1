/// The name of one event everywhere: who made it, and which of theirs it is, counted from 0.
package struct EventID: Hashable, Sendable, Comparable {
    package var agent: String
    package var sequence: Int

    package init(agent: String, sequence: Int) {
        self.agent = agent
        self.sequence = sequence
    }

    package static func < (a: EventID, b: EventID) -> Bool { (a.agent, a.sequence) < (b.agent, b.sequence) }
}

/// A state of a text: the events that no other event of it follows. All that precedes them belongs to it.
package struct Version: Hashable, Sendable {
    /// Sorted; empty for the text before its first event.
    package let heads: [EventID]

    package init(_ heads: [EventID]) { self.heads = heads.sorted() }
}
