/// The way through a part of the event graph: which events to visit in which order.
///
/// Branches are followed to their end before another begins, so that few events are taken back and put in again.
struct Replay {
    /// Events of one branch, one after the other.
    private struct Chunk {
        let events: Range<Int>
        let parents: [Int]
        var children: [Int] = []
        /// The number of parent chunks that are not visited yet.
        var waiting = 0
    }

    /// One step: visit the events, on the version that their parents make.
    struct Step {
        let events: Range<Int>
        let parents: [Int]
    }

    /// An order of the events in `ranges` (ascending), each after its parents.
    static func steps(_ ranges: [Range<Int>], _ graph: EventGraph) -> [Step] {
        var chunks = chunks(ranges, graph)
        guard chunks.count > 1 else { return chunks.map { Step(events: $0.events, parents: $0.parents) } }
        let starts = ContiguousArray(chunks.map(\.events.lowerBound))
        for index in chunks.indices {
            for parent in chunks[index].parents {
                let found = starts.firstIndex(after: parent) { $0 } - 1
                guard found >= 0, chunks[found].events.contains(parent) else { continue }
                chunks[found].children.append(index)
                chunks[index].waiting += 1
            }
        }
        var steps: [Step] = []
        steps.reserveCapacity(chunks.count)
        var stack = Array(chunks.indices.filter { chunks[$0].waiting == 0 }.reversed())
        while let index = stack.popLast() {
            steps.append(Step(events: chunks[index].events, parents: chunks[index].parents))
            for child in chunks[index].children.reversed() {
                chunks[child].waiting -= 1
                if chunks[child].waiting == 0 { stack.append(child) }
            }
        }
        return steps
    }

    /// Runs of the graph, cut where `ranges` end and where a run of them branches off.
    private static func chunks(_ ranges: [Range<Int>], _ graph: EventGraph) -> [Chunk] {
        guard let lowest = ranges.first?.lowerBound, let highest = ranges.last?.upperBound else { return [] }
        var cuts: [Int] = []
        for run in graph.runs[graph.runIndex(of: lowest)...] {
            if run.start >= highest { break }
            for parent in run.parents where parent >= lowest { cuts.append(parent + 1) }
        }
        cuts.sort()
        var chunks: [Chunk] = []
        var nextCut = 0
        for range in ranges {
            var start = range.lowerBound
            var index = graph.runIndex(of: start)
            while start < range.upperBound {
                let run = graph.runs[index]
                while nextCut < cuts.count, cuts[nextCut] <= start { nextCut += 1 }
                var end = min(run.end, range.upperBound)
                if nextCut < cuts.count, cuts[nextCut] < end { end = cuts[nextCut] }
                chunks.append(Chunk(events: start..<end, parents: start == run.start ? run.parents : [start - 1]))
                start = end
                if start == run.end { index += 1 }
            }
        }
        return chunks
    }
}

/// A tracker on its way through a part of the event graph. It keeps neither the graph nor the log, which may grow meanwhile.
struct Walker: Sendable {
    /// The critical version at which it began; -1 for the beginning.
    let base: Int
    private var tracker: Tracker
    /// The version that the tracker looks at.
    private var heads: [Int]
    /// The runs of the graph that were looked at.
    private var graphSteps = 0
    private var maximumSteps: Int

    /// The work so far: what was looked at, each for the logarithm of the size of the text's history.
    var steps: Int { graphSteps + tracker.steps }

    /// A walker that begins at the critical version `base`, -1 for the beginning, and goes no further than `end`. With
    /// `maximumSteps` it throws ``TextCRDTError/tooComplex`` some time after so many steps.
    init(base: Int, end: Int, maximumSteps: Int = .max) {
        self.base = base
        self.maximumSteps = maximumSteps
        tracker = Tracker(events: base + 1..<end)
        heads = base < 0 ? [] : [base]
    }

    /// Goes on to `end`, with at most so many steps from here.
    mutating func extend(to end: Int, maximumSteps: Int) {
        tracker.extend(to: end)
        self.maximumSteps = maximumSteps == .max ? .max : steps + maximumSteps
    }

    /// Visits events (ascending ranges) whose edits the text holds already.
    mutating func visit(
        _ ranges: [Range<Int>], _ graph: EventGraph, _ log: OperationLog
    ) throws(TextCRDTError) {
        for step in Replay.steps(ranges, graph) {
            try move(to: step.parents, graph, log)
            log.forEachRun(in: step.events) { run in
                if run.kind == .insert { _ = tracker.insert(run, graph) } else { tracker.delete(run) { _, _ in } }
            }
            heads = [step.events.upperBound - 1]
        }
    }

    /// Says how long the text with all visited events is.
    mutating func setLength(_ length: Int) { tracker.setLength(length) }

    /// Visits events and says what their edits are in the text with all events visited so far.
    mutating func visit(
        _ ranges: [Range<Int>], _ graph: EventGraph, _ log: OperationLog, _ edits: inout EditCollector
    ) throws(TextCRDTError) {
        for step in Replay.steps(ranges, graph) {
            try move(to: step.parents, graph, log)
            do {
                try log.forEachRun(in: step.events) { run in
                    let end = run.position + (run.kind == .insert ? 0 : run.count)
                    guard run.position >= 0, end <= tracker.currentLength else {
                        throw TextCRDTError.outOfBounds(position: run.position, count: run.count)
                    }
                    if run.kind == .insert {
                        edits.add(tracker.insert(run, graph), 0, run.content..<run.content + run.count)
                    } else {
                        tracker.delete(run) { edits.add($0, $1, 0..<0) }
                    }
                }
            } catch {
                throw error as? TextCRDTError ?? .malformed("edit")
            }
            heads = [step.events.upperBound - 1]
        }
    }

    /// Looks at another version, whose events were all visited.
    private mutating func move(
        to parents: [Int], _ graph: EventGraph, _ log: OperationLog
    ) throws(TextCRDTError) {
        guard steps <= maximumSteps else { throw .tooComplex }
        if parents == heads { return }
        let (onlyNow, onlyThen) = graph.difference(heads, parents, &graphSteps)
        for range in onlyNow {
            // Newest first: what was deleted must be put back before its insertion is taken away.
            var runs: [OperationLog.Run] = []
            log.forEachRun(in: range) { runs.append($0) }
            for run in runs.reversed() { tracker.move(run, -1) }
        }
        for range in onlyThen.reversed() { log.forEachRun(in: range) { tracker.move($0, 1) } }
        heads = parents
    }

    consuming func finish() -> Tracker { tracker }
}
