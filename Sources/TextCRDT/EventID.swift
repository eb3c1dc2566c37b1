/// The global name of an event: its agent, and its number among that agent's events, counted from 0.
package struct EventID: Hashable, Sendable, Comparable {
    /// The id of the replica that made the change.
    package var agent: String
    /// The position among the agent's changes, counted from 0.
    package var sequence: Int

    package init(agent: String, sequence: Int) {
        self.agent = agent
        self.sequence = sequence
    }

    /// Orders by agent, then by sequence number.
    package static func < (a: EventID, b: EventID) -> Bool { (a.agent, a.sequence) < (b.agent, b.sequence) }
}

/// A state of a text: the events that no other event of it follows. All that precedes them belongs to it.
package struct Version: Hashable, Sendable {
    /// Sorted; empty for the text before its first event.
    package let heads: [EventID]

    /// Creates a version from its heads in any order.
    package init(_ heads: [EventID]) { self.heads = heads.sorted() }
}
