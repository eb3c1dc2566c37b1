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

    /// The most UTF-8 bytes of an agent.
    package static let maximumAgentLength = 200
    /// The numbers that the events of an agent may have.
    package static let sequences = 0..<1 << 40

    /// Whether every replica takes in an event of this name: the agent is one word of limited length.
    package var isAcceptable: Bool { Self.isAcceptable(agent: agent) && Self.sequences.contains(sequence) }

    /// Whether every replica takes in events of an agent.
    package static func isAcceptable(agent: String) -> Bool {
        (1...maximumAgentLength).contains(agent.utf8.count)
            && agent.unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control && !$0.properties.isWhitespace
            }
    }

    /// Whether both are the same event: names of agents are compared by bytes.
    package static func == (a: EventID, b: EventID) -> Bool {
        a.sequence == b.sequence && AgentName(a.agent) == AgentName(b.agent)
    }

    /// Orders by agent, then by sequence number.
    package static func < (a: EventID, b: EventID) -> Bool {
        (AgentName(a.agent), a.sequence) < (AgentName(b.agent), b.sequence)
    }
}

/// A state of a text: the events that no other event of it follows. All that precedes them belongs to it.
package struct Version: Hashable, Sendable {
    /// Sorted; empty for the text before its first event.
    package let heads: [EventID]

    /// The most heads of a version.
    package static let maximumHeads = 1000

    /// Creates a version from its heads in any order.
    package init(_ heads: [EventID]) { self.heads = heads.sorted() }
}
