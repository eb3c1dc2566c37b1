extension ReplicatedText {
    /// A stretch of the text that one agent typed in one go.
    package struct Authorship: Hashable, Sendable {
        /// The number of scalars.
        package var count: Int
        /// The event that inserted the first of them; the others follow it.
        package var first: EventID
    }

    /// The text as it was at a version.
    package func text(at version: Version) throws(TextCRDTError) -> String {
        String(scalars: try scalars(at: version))
    }

    /// The scalars of the text as it was at a version.
    package func scalars(at version: Version) throws(TextCRDTError) -> ContiguousArray<UInt32> {
        let heads = try numbers(of: version)
        if heads == graph.heads { return buffer.scalars }
        let ranges = Array(graph.difference([], heads).onlyB.reversed()).joined()
        var walker = Walker(base: -1, end: (heads.last ?? -1) + 1)
        var edits = EditCollector(length: 0)
        walker.setLength(0)
        try walker.visit(ranges, graph, log, &edits)
        var past = GapBuffer()
        edits.apply(to: &past, log)
        return past.scalars
    }

    /// Returns the edits that turn the text at a version into the text as it is now, each relative to those before it.
    ///
    /// Only the events since the last version that all of them follow are looked at.
    package func edits(since version: Version) throws(TextCRDTError) -> [TextEdit] {
        let heads = try numbers(of: version)
        let added = Array(graph.difference(heads, graph.heads).onlyB.reversed()).joined()
        guard let first = added.first?.lowerBound else { return [] }
        let base = graph.criticalEvents(from: first).base
        var known: [Range<Int>] = []
        var next = base + 1
        for range in added + [graph.count..<graph.count] {
            if next < range.lowerBound { known.append(next..<range.lowerBound) }
            next = range.upperBound
        }
        var walker = Walker(base: base, end: graph.count)
        try walker.visit(known, graph, log)
        var edits = EditCollector(length: 0)
        try walker.visit(added, graph, log, &edits)
        return edits.edits(log)
    }

    /// Edits of one agent that came with the same one of several versions.
    package struct StagedEdits: Sendable {
        /// The agent.
        package var agent: String
        /// The index of the first version that has the edits; the number of versions if none has.
        package var stage: Int
        /// The edits, each relative to all before it.
        package var edits: [TextEdit]
    }

    /// Returns the edits since a version with their agents, in an order in which they can be made one after the other: those
    /// that `stages[0]` has, those that `stages[1]` has besides, …, and the rest.
    package func edits(since version: Version, stages: [Version]) throws(TextCRDTError) -> [StagedEdits] {
        var heads = try numbers(of: version)
        var all = graph.difference(heads, graph.heads).onlyB.reversed().map(\.self).joined()
        guard let first = all.first?.lowerBound else { return [] }
        let base = graph.criticalEvents(from: first).base
        var known: [Range<Int>] = []
        var next = base + 1
        all.append(graph.count..<graph.count)
        for range in all {
            if next < range.lowerBound { known.append(next..<range.lowerBound) }
            next = range.upperBound
        }
        var walker = Walker(base: base, end: graph.count)
        try walker.visit(known, graph, log)
        var found: [StagedEdits] = []
        for stage in 0...stages.count {
            let end =
                stage < stages.count ? graph.dominators(of: heads + (try numbers(of: stages[stage]))) : graph.heads
            for range in graph.difference(heads, end).onlyB.reversed() {
                var start = range.lowerBound
                while start < range.upperBound {
                    let run = graph.runs[graph.runIndex(of: start)]
                    let part = start..<min(run.end, range.upperBound)
                    var edits = EditCollector(length: 0)
                    try walker.visit([part], graph, log, &edits)
                    found.append(
                        StagedEdits(agent: graph.agents[run.agent], stage: stage, edits: edits.edits(log)))
                    start = part.upperBound
                }
            }
            heads = end
        }
        return found
    }

    /// Returns the version that holds all events of several; what is not known here is passed over.
    package func joined(_ versions: [Version]) -> Version {
        let known = versions.flatMap(\.heads).compactMap(graph.number(of:))
        return Version(graph.dominators(of: known).map(graph.id(of:)))
    }

    /// Returns the events that came after a version, as ranges of the numbers of their agents. What of the version is not
    /// known here is passed over.
    package func events(since version: Version) -> [(agent: String, sequences: Range<Int>)] {
        let known = graph.dominators(of: version.heads.compactMap(graph.number(of:)))
        var found: [(agent: String, sequences: Range<Int>)] = []
        for range in graph.difference(known, graph.heads).onlyB.reversed() {
            var next = range.lowerBound
            var index = graph.runIndex(of: next)
            while next < range.upperBound {
                let run = graph.runs[index]
                let end = min(run.end, range.upperBound)
                let first = run.sequence + next - run.start
                let agent = graph.agents[run.agent]
                if let last = found.last, AgentName(last.agent) == AgentName(agent), last.sequences.upperBound == first
                {
                    found[found.count - 1].sequences = last.sequences.lowerBound..<first + end - next
                } else {
                    found.append((agent, first..<first + end - next))
                }
                (next, index) = (end, index + 1)
            }
        }
        return found
    }

    /// Whether a version holds an event; false when either is not known here.
    package func contains(_ event: EventID, in version: Version) -> Bool {
        guard let number = graph.number(of: event), let heads = try? numbers(of: version) else { return false }
        return graph.isAncestor(number, of: heads)
    }

    /// Returns the author of each part of the text, from its beginning to its end.
    package func authors() -> [Authorship] {
        var found: [Authorship] = []
        let tracker = wholeTracker()
        tracker.forEachRemaining { events in
            var next = events.lowerBound
            var index = graph.runIndex(of: next)
            while next < events.upperBound {
                let run = graph.runs[index]
                let count = min(run.end, events.upperBound) - next
                found.append(
                    Authorship(
                        count: count,
                        first: EventID(agent: graph.agents[run.agent], sequence: run.sequence + next - run.start)))
                next += count
                index += 1
            }
        }
        return found
    }

    /// The edits that undo events in the text as it is now: what they inserted and is still there goes, what they deleted
    /// and nothing else did comes back. Each position is that after the edits before it. What comes back keeps its order only
    /// if all of it comes back at once.
    package func edits(
        undoing events: [(agent: String, sequences: Range<Int>)]
    ) throws(TextCRDTError) -> [TextEdit] {
        var numbers: [Int] = []
        for (agent, sequences) in events {
            for sequence in sequences {
                let id = EventID(agent: agent, sequence: sequence)
                guard let number = graph.number(of: id) else { throw .missingParents([id]) }
                numbers.append(number)
            }
        }
        let undone = Set(numbers)
        let tracker = wholeTracker()
        // Deletions of others keep a scalar away, so only those that all its deletions are undone of come back.
        var deletedByOthers: Set<Int> = []
        var revived: [Int] = []
        for run in log.runs where run.kind != .insert {
            for event in run.start..<run.end {
                guard let target = tracker.target(of: event) else { continue }
                if undone.contains(event) { revived.append(target) } else { deletedByOthers.insert(target) }
            }
        }
        var changes: [(rank: Int, position: Int, returning: UInt32?)] = []
        for number in numbers where log.scalar(of: number) != nil {
            let place = tracker.place(of: number)
            if !place.isDeleted { changes.append((place.rank, place.position, nil)) }
        }
        for target in Set(revived) where !deletedByOthers.contains(target) && !undone.contains(target) {
            let place = tracker.place(of: target)
            changes.append((place.rank, place.position, log.scalar(of: target)))
        }
        return ReplicatedText.edits(changes.sorted { $0.rank < $1.rank })
    }

    /// Changes of single scalars, from left to right, as edits that follow one another.
    private static func edits(_ changes: [(rank: Int, position: Int, returning: UInt32?)]) -> [TextEdit] {
        var edits: [TextEdit] = []
        var shift = 0
        for change in changes {
            let position = change.position + shift
            let last = edits.indices.last
            if let scalar = change.returning {
                let text = String(scalars: CollectionOfOne(scalar))
                if let last, edits[last].deletedCount == 0,
                    edits[last].position + edits[last].inserted.unicodeScalars.count == position
                {
                    edits[last].inserted += text
                } else {
                    edits.append(TextEdit(position: position, inserted: text))
                }
                shift += 1
            } else {
                if let last, edits[last].inserted.isEmpty, edits[last].position == position {
                    edits[last].deletedCount += 1
                } else {
                    edits.append(TextEdit(position: position, deletedCount: 1))
                }
                shift -= 1
            }
        }
        return edits
    }

    /// The tracker of the whole history, at the newest version.
    private func wholeTracker() -> Tracker {
        var walker = Walker(base: -1, end: graph.count)
        // Without a limit of the steps nothing is thrown.
        if graph.count > 0 { try? walker.visit([0..<graph.count], graph, log) }
        return walker.finish()
    }
}

extension [Range<Int>] {
    /// The ranges with neighbours put together; they are in order.
    fileprivate func joined() -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for range in self {
            if let last = joined.last, last.upperBound == range.lowerBound {
                joined[joined.count - 1] = last.lowerBound..<range.upperBound
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
