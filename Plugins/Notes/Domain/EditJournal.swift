package import TextCRDT
package import Time

/// Edits of one text that one person made at one time, as they were committed.
package struct EditBatch: Hashable, Sendable {
    /// The replica that made the edits.
    package let agent: String
    /// The numbers of the edits among those of the agent.
    package let sequences: Range<Int>
    /// The person: the name of an account or a device.
    package let person: String
    /// The time of the commit.
    package let at: Instant
    /// The number of the change of the store that committed them, which increases with each; so it does with the numbers of
    /// an agent's edits.
    package let change: Int

    package init(agent: String, sequences: Range<Int>, person: String, at: Instant, change: Int) {
        self.agent = agent
        self.sequences = sequences
        self.person = person
        self.at = at
        self.change = change
    }

    /// Returns this batch and the next one as one; nil if the edits do not follow each other.
    package func followed(by next: EditBatch) -> EditBatch? {
        guard AgentName(agent) == AgentName(next.agent), person == next.person,
            sequences.upperBound == next.sequences.lowerBound
        else {
            return nil
        }
        return EditBatch(
            agent: agent, sequences: sequences.lowerBound..<next.sequences.upperBound, person: person, at: next.at,
            change: next.change)
    }
}

/// Who made the edits of one text, and when: what the replicated text itself does not say.
package struct EditJournal: Sendable {
    /// The batches of each agent, by their first number.
    private var batchesByAgent: [AgentName: [EditBatch]] = [:]

    /// Creates a journal of batches in any order.
    package init(_ batches: some Sequence<EditBatch> = []) {
        for batch in batches where !batch.sequences.isEmpty {
            batchesByAgent[AgentName(batch.agent), default: []].append(batch)
        }
        for agent in batchesByAgent.keys {
            batchesByAgent[agent]?.sort { $0.sequences.lowerBound < $1.sequences.lowerBound }
        }
    }

    /// All batches, in any order.
    package var batches: [EditBatch] { batchesByAgent.values.flatMap(\.self) }

    /// Returns the batch that an event belongs to; nil when it is not known.
    package func batch(of event: EventID) -> EditBatch? {
        guard let known = batchesByAgent[AgentName(event.agent)] else { return nil }
        var (low, high) = (0, known.count)
        while low < high {
            let middle = (low + high) / 2
            if known[middle].sequences.upperBound <= event.sequence { low = middle + 1 } else { high = middle }
        }
        return low < known.count && known[low].sequences.contains(event.sequence) ? known[low] : nil
    }

    /// Returns the text's version at a time.
    package func version(at time: Instant) -> Version { version { $0.at <= time } }

    /// Returns the text's version after a change of the store.
    package func version(afterChange change: Int) -> Version { version { $0.change <= change } }

    /// Returns the agents of all edits after a change of the store.
    package func agents(afterChange change: Int) -> Set<AgentName> {
        Set(batchesByAgent.filter { $0.value.last.map { $0.change > change } ?? false }.keys)
    }

    /// An agent's edits follow each other, so the last one stands for all.
    private func version(_ isIncluded: (EditBatch) -> Bool) -> Version {
        Version(
            batchesByAgent.values.compactMap { known in
                known.last(where: isIncluded).map { EventID(agent: $0.agent, sequence: $0.sequences.upperBound - 1) }
            })
    }
}
