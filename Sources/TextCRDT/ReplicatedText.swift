/// A text that several people edit at once, without a server that decides: each replica keeps the original edits as
/// a graph of events, and all replicas that hold the same events hold the same text.
///
/// The text itself is at hand; the state by which concurrent edits are carried over is made only around concurrency
/// and forgotten at the next event that follows all others (the method of eg-walker).
package struct ReplicatedText: Sendable {
    /// The most events that a text may have; a stroke of the hand is one.
    package static let maximumEventCount = 1 << 24

    var graph = EventGraph()
    var log = OperationLog()
    var buffer = GapBuffer()

    /// Whether the state by which concurrent edits are carried over is kept from one merge to the next: for a text that several
    /// people edit now, where nearly each edit is concurrent to some others.
    package var isLive = false {
        didSet { if !isLive { walker = nil } }
    }
    var walker: Walker?
    /// The number of merges since the last one of a concurrent edit.
    var calmCount = 0

    package init() {}

    /// The text.
    package var text: String { buffer.text }

    /// The number of scalars of the text.
    package var count: Int { buffer.count }

    /// The number of events that made the text.
    package var eventCount: Int { graph.count }

    /// The version that holds all events.
    package var version: Version { Version(graph.heads.map(graph.id(of:))) }

    /// The number that the agent's next event gets.
    package func nextSequence(of agent: String) -> Int {
        graph.knownNumber(ofAgent: agent).map(graph.nextSequence(ofAgent:)) ?? 0
    }

    /// Carries out an edit of `agent` on the text as it is now. Its events have the agent's next numbers, but none below
    /// `sequence`.
    package mutating func apply(_ edit: TextEdit, by agent: String, from sequence: Int = 0) throws(TextCRDTError) {
        try edit.check(against: buffer.count)
        walker = nil
        let number = graph.number(ofAgent: agent)
        if edit.deletedCount > 0 { try delete(edit.deletedCount, at: edit.position, by: number, sequence) }
        if !edit.inserted.isEmpty { try insert(edit.inserted, at: edit.position, by: number, sequence) }
    }

    private mutating func insert(
        _ text: String, at position: Int, by agent: Int, _ sequence: Int
    ) throws(TextCRDTError) {
        let begin = log.scalars.count
        log.appendInsertion(text.unicodeScalars.lazy.map(\.value), at: position)
        let count = log.scalars.count - begin
        let first = max(sequence, graph.nextSequence(ofAgent: agent))
        guard hasRoom(for: count, from: first) else {
            log.truncate(to: graph.count, scalarCount: begin)
            throw .tooManyEvents
        }
        graph.append(count, agent: agent, sequence: first, parents: graph.heads)
        buffer.insert(log.scalars[begin...], at: position)
    }

    private mutating func delete(
        _ count: Int, at position: Int, by agent: Int, _ sequence: Int
    ) throws(TextCRDTError) {
        let first = max(sequence, graph.nextSequence(ofAgent: agent))
        guard hasRoom(for: count, from: first) else { throw .tooManyEvents }
        log.appendDeletion(count, at: position)
        graph.append(count, agent: agent, sequence: first, parents: graph.heads)
        buffer.remove(count, at: position)
    }

    private func hasRoom(for count: Int, from sequence: Int) -> Bool {
        graph.count + count <= ReplicatedText.maximumEventCount && sequence <= EventID.sequences.upperBound - count
    }

    /// Applies edits that `agent` made on an older version of the text; each position is relative to the edits before
    /// it. Their events have the agent's next numbers, but none below `sequence`. Returns the resulting changes of the current
    /// text.
    @discardableResult
    package mutating func apply(
        _ edits: [TextEdit], by agent: String, at version: Version, from sequence: Int = 0
    ) throws(TextCRDTError) -> [TextEdit] {
        var parents = try numbers(of: version)
        let mark = Mark(self)
        let number = graph.number(ofAgent: agent)
        for edit in edits {
            let inserted = edit.inserted.unicodeScalars.count
            guard edit.position >= 0, edit.deletedCount >= 0, edit.deletedCount <= log.scalars.count else {
                rewind(to: mark)
                throw .outOfBounds(position: edit.position, count: edit.deletedCount)
            }
            let first = max(sequence, graph.nextSequence(ofAgent: number))
            guard hasRoom(for: edit.deletedCount + inserted, from: first) else {
                rewind(to: mark)
                throw .tooManyEvents
            }
            for (count, isInsertion) in [(edit.deletedCount, false), (inserted, true)] where count > 0 {
                if isInsertion {
                    log.appendInsertion(edit.inserted.unicodeScalars.lazy.map(\.value), at: edit.position)
                } else {
                    log.appendDeletion(count, at: edit.position)
                }
                let first = max(sequence, graph.nextSequence(ofAgent: number))
                graph.append(count, agent: number, sequence: first, parents: parents)
                parents = [graph.count - 1]
            }
        }
        guard graph.heads.count <= max(Version.maximumHeads, mark.heads.count) else {
            rewind(to: mark)
            throw .tooComplex
        }
        return try integrate(from: mark)
    }

    /// The local numbers of a version's heads, sorted.
    func numbers(of version: Version) throws(TextCRDTError) -> [Int] {
        var numbers: [Int] = []
        var missing: [EventID] = []
        for id in version.heads {
            if let number = graph.number(of: id) { numbers.append(number) } else { missing.append(id) }
        }
        guard missing.isEmpty else { throw .missingParents(missing) }
        return graph.dominators(of: numbers)
    }

    /// Gives the events of an agent from number `first` on to another agent, whose events begin with number 0. That of the
    /// name after `agent` in the order of names keeps the order of what was inserted at the same place.
    package mutating func rename(_ agent: String, from first: Int, to other: String) throws(TextCRDTError) {
        var renamed = EventGraph()
        for name in graph.agents { _ = renamed.number(ofAgent: name) }
        let (old, new) = (renamed.number(ofAgent: agent), renamed.number(ofAgent: other))
        for run in graph.runs {
            let count = run.end - run.start
            let kept = run.agent == old ? min(max(first - run.sequence, 0), count) : count
            if kept > 0 { renamed.append(kept, agent: run.agent, sequence: run.sequence, parents: run.parents) }
            guard kept < count else { continue }
            renamed.append(
                count - kept, agent: new, sequence: run.sequence + kept - first,
                parents: kept == 0 ? run.parents : [run.start + kept - 1])
        }
        graph = renamed
        let wasLive = isLive
        defer { isLive = wasLive }
        self = try ReplicatedText(decoding: encoded())
    }

    /// The ends of the logs before an addition that may still be rejected.
    struct Mark {
        let eventCount: Int
        let scalarCount: Int
        let heads: [Int]

        init(_ text: ReplicatedText) {
            eventCount = text.graph.count
            scalarCount = text.log.scalars.count
            heads = text.graph.heads
        }
    }

    /// Forgets what was added to the logs since.
    mutating func rewind(to mark: Mark) {
        graph.truncate(to: mark.eventCount, heads: mark.heads)
        log.truncate(to: mark.eventCount, scalarCount: mark.scalarCount)
    }
}

extension TextEdit {
    /// Whether a text of so many scalars has the place.
    func fits(_ length: Int) -> Bool {
        position >= 0 && deletedCount >= 0 && position <= length && deletedCount <= length - position
    }

    func check(against length: Int) throws(TextCRDTError) {
        guard fits(length) else { throw .outOfBounds(position: position, count: deletedCount) }
    }
}
