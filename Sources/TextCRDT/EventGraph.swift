/// Which event follows which, in runs.
///
/// Inside one replica events are numbered in the order of their arrival, so parents always have smaller numbers.
struct EventGraph: Sendable {
    /// Events of one agent, each the only child of the one before it within the run.
    struct Run: Sendable {
        let start: Int
        var end: Int
        /// The parents of the first event, sorted.
        let parents: [Int]
        let agent: Int
        /// The agent's own number of the first event.
        let sequence: Int
        /// Whether the first event follows all that was known when it came.
        let joinsAll: Bool
    }

    /// Consecutive events of an agent under their local numbers.
    private struct AgentSpan {
        let sequence: Int
        let start: Int
        var count: Int
    }

    private(set) var runs: ContiguousArray<Run> = []
    /// The events that none follows, sorted.
    private(set) var heads: [Int] = []
    private(set) var agents: [String] = []
    private var agentNumbers: [AgentName: Int] = [:]
    /// For each agent, sorted by sequence.
    private var spans: [ContiguousArray<AgentSpan>] = []

    /// The number of events.
    var count: Int { runs.last?.end ?? 0 }

    // MARK: Names

    /// The local number of an agent, given now if need be.
    mutating func number(ofAgent name: String) -> Int {
        if let known = agentNumbers[AgentName(name)] { return known }
        agents.append(name)
        agentNumbers[AgentName(name)] = agents.count - 1
        spans.append([])
        return agents.count - 1
    }

    /// The first sequence number that the agent has not used.
    func nextSequence(ofAgent agent: Int) -> Int { spans[agent].last.map { $0.sequence + $0.count } ?? 0 }

    /// The local number of an agent; nil when it is not known here.
    func knownNumber(ofAgent name: String) -> Int? { agentNumbers[AgentName(name)] }

    /// The local number of an event; nil when it is not known here.
    func number(of id: EventID) -> Int? {
        guard let agent = knownNumber(ofAgent: id.agent) else { return nil }
        return number(agent: agent, sequence: id.sequence)
    }

    /// The local number of an event of an agent; nil when it is not known here.
    func number(agent: Int, sequence: Int) -> Int? {
        let spans = spans[agent]
        let next = spans.firstIndex(after: sequence) { $0.sequence }
        guard next > 0 else { return nil }
        let span = spans[next - 1]
        return sequence < span.sequence + span.count ? span.start + sequence - span.sequence : nil
    }

    /// The number of events from `sequence` on that are all known here, or all unknown, and which of the two; at most
    /// `limit`.
    func knownPrefix(agent: Int, sequence: Int, limit: Int) -> (isKnown: Bool, count: Int) {
        let spans = spans[agent]
        let next = spans.firstIndex(after: sequence) { $0.sequence }
        if next > 0, sequence < spans[next - 1].sequence + spans[next - 1].count {
            return (true, min(limit, spans[next - 1].sequence + spans[next - 1].count - sequence))
        }
        return (false, next < spans.count ? min(limit, spans[next].sequence - sequence) : limit)
    }

    /// The agent and sequence of an event.
    func owner(of event: Int) -> (agent: Int, sequence: Int) {
        let run = runs[runIndex(of: event)]
        return (run.agent, run.sequence + event - run.start)
    }

    /// The id of an event.
    func id(of event: Int) -> EventID {
        let owner = owner(of: event)
        return EventID(agent: agents[owner.agent], sequence: owner.sequence)
    }

    /// The index of the run that an event belongs to.
    func runIndex(of event: Int) -> Int { runs.firstIndex(after: event) { $0.start } - 1 }

    /// The events that an event follows directly, sorted.
    func parents(of event: Int) -> [Int] {
        let run = runs[runIndex(of: event)]
        return event == run.start ? run.parents : [event - 1]
    }

    /// The number of events from `event` on, at most `limit`, each of which but the first follows exactly the one before it.
    func straight(_ event: Int, _ limit: Int) -> Int {
        var next = runs[runIndex(of: event)].end
        while next < event + limit, case let run = runs[runIndex(of: next)], run.parents == [next - 1] {
            next = run.end
        }
        return min(limit, next - event)
    }

    // MARK: Growing

    /// Adds events; `parents` are those of the first, sorted, none an ancestor of another.
    mutating func append(_ count: Int, agent: Int, sequence: Int, parents: [Int]) {
        let start = self.count
        if let last = runs.last, parents.count == 1, parents[0] == start - 1, last.agent == agent,
            last.sequence + last.end - last.start == sequence
        {
            runs[runs.count - 1].end += count
        } else {
            runs.append(
                Run(
                    start: start, end: start + count, parents: parents, agent: agent, sequence: sequence,
                    joinsAll: parents == heads))
        }
        if parents.count == 1, heads.count == 1, parents[0] == heads[0] {
            heads[0] = start + count - 1
        } else {
            for parent in parents {
                let index = heads.partitioningIndex { $0 >= parent }
                if index < heads.count, heads[index] == parent { heads.remove(at: index) }
            }
            heads.append(start + count - 1)
        }
        let next = spans[agent].firstIndex(after: sequence) { $0.sequence }
        if next > 0, case let last = spans[agent][next - 1], last.sequence + last.count == sequence,
            last.start + last.count == start
        {
            spans[agent][next - 1].count += count
        } else {
            spans[agent].insert(AgentSpan(sequence: sequence, start: start, count: count), at: next)
        }
    }

    /// Takes back all events from `start` on; `heads` are what they were then.
    mutating func truncate(to start: Int, heads: [Int]) {
        while let last = runs.last, last.start >= start { runs.removeLast() }
        if let last = runs.indices.last { runs[last].end = min(runs[last].end, start) }
        for agent in spans.indices {
            spans[agent].removeAll { $0.start >= start }
            for index in spans[agent].indices {
                spans[agent][index].count = min(spans[agent][index].count, start - spans[agent][index].start)
            }
        }
        self.heads = heads
    }

    // MARK: Comparing versions

    /// Returns the events that only one of two versions contains, as ranges, the newest first.
    func difference(_ a: [Int], _ b: [Int]) -> (onlyA: [Range<Int>], onlyB: [Range<Int>]) {
        var steps = 0
        return difference(a, b, &steps)
    }

    /// Returns the events that only one of two versions contains, as ranges, the newest first; adds the runs that were looked at
    /// to `steps`.
    func difference(_ a: [Int], _ b: [Int], _ steps: inout Int) -> (onlyA: [Range<Int>], onlyB: [Range<Int>]) {
        if a == b { return ([], []) }
        var onlyA: [Range<Int>] = []
        var onlyB: [Range<Int>] = []
        var queue = MaximumQueue()
        for event in a { queue.push(event, .a) }
        for event in b { queue.push(event, .b) }
        while queue.unsharedCount > 0, let (top, firstSide) = queue.pop() {
            steps += 1
            var (event, side) = (top, firstSide)
            let run = runs[runIndex(of: event)]
            while let next = queue.top, next.event >= run.start {
                queue.removeTop()
                guard next.side != side else { continue }
                if side != .shared {
                    if next.event < event {
                        if side == .a {
                            onlyA.append(next.event + 1..<event + 1)
                        } else {
                            onlyB.append(next.event + 1..<event + 1)
                        }
                        event = next.event
                    }
                    side = .shared
                }
            }
            switch side {
            case .a: onlyA.append(run.start..<event + 1)
            case .b: onlyB.append(run.start..<event + 1)
            case .shared: break
            }
            for parent in run.parents { queue.push(parent, side) }
        }
        return (onlyA, onlyB)
    }

    /// Returns the events that no other of `events` follows, sorted.
    func dominators(of events: [Int]) -> [Int] {
        var steps = 0
        return dominators(of: events, &steps)
    }

    /// Returns the events that no other of `events` follows, sorted; adds the runs that were looked at to `steps`.
    func dominators(of events: [Int], _ steps: inout Int) -> [Int] {
        guard events.count > 1 else { return events }
        var left = Array(Set(events)).sorted()
        guard left.count > 1 else { return left }
        // The newest event that is left follows none of the others; what it follows is looked at run by run.
        var dominators: [Int] = []
        var followed = MaximumQueue()
        while let newest = left.last {
            let next = followed.top?.event ?? -1
            if newest > next {
                dominators.append(newest)
                left.removeLast()
                followed.push(newest, .shared)
                continue
            }
            steps += 1
            let start = runs[runIndex(of: next)].start
            while let last = left.last, last >= start, last <= next { left.removeLast() }
            while let top = followed.top, top.event >= start { followed.removeTop() }
            for parent in runs[runIndex(of: next)].parents { followed.push(parent, .shared) }
        }
        return dominators.reversed()
    }

    /// Whether a version holds an event.
    func isAncestor(_ event: Int, of version: [Int]) -> Bool {
        if version.contains(event) { return true }
        return difference([event], version).onlyA.isEmpty
    }

    /// Returns the critical versions: each event that follows all before it, and that all after it follow.
    ///
    /// `base` is the last one before `from`, or -1 for the beginning; `stretches` are the ranges of such events from
    /// `from` on, in order.
    func criticalEvents(from: Int) -> (base: Int, stretches: [ClosedRange<Int>]) {
        var stretches: [ClosedRange<Int>] = []
        var lowestParent = Int.max
        for run in runs.reversed() {
            let last = min(lowestParent, run.end - 1)
            if run.joinsAll, last >= run.start {
                if run.start < from {
                    if last >= from { stretches.append(from...last) }
                    return (min(last, from - 1), stretches.reversed())
                }
                stretches.append(run.start...last)
            }
            guard let first = run.parents.first else {
                lowestParent = -1
                continue
            }
            lowestParent = min(lowestParent, first)
        }
        return (-1, stretches.reversed())
    }
}

/// Events to look at, the newest first.
private struct MaximumQueue {
    enum Side {
        case a, b, shared
    }

    private var heap: [(event: Int, side: Side)] = []
    /// The number of events that belong to only one version.
    private(set) var unsharedCount = 0

    var top: (event: Int, side: Side)? { heap.first }

    mutating func push(_ event: Int, _ side: Side) {
        if side != .shared { unsharedCount += 1 }
        heap.append((event, side))
        var child = heap.count - 1
        while child > 0, case let parent = (child - 1) / 2, heap[parent].event < heap[child].event {
            heap.swapAt(parent, child)
            child = parent
        }
    }

    mutating func removeTop() { _ = pop() }

    mutating func pop() -> (event: Int, side: Side)? {
        guard let first = heap.first else { return nil }
        if first.side != .shared { unsharedCount -= 1 }
        let last = heap.removeLast()
        if heap.isEmpty { return first }
        var parent = 0
        while case var child = 2 * parent + 1, child < heap.count {
            if child + 1 < heap.count, heap[child + 1].event > heap[child].event { child += 1 }
            if heap[child].event <= last.event { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = last
        return first
    }
}

extension [Int] {
    /// The index of the first element for which `isAfter` holds; it holds for all that follow.
    fileprivate func partitioningIndex(_ isAfter: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension ContiguousArray {
    /// The index of the first element whose key is greater than `key`; elements are sorted by it.
    func firstIndex(after key: Int, _ keyOf: (Element) -> Int) -> Int {
        // Most look-ups are for the newest.
        if let last, keyOf(last) <= key { return count }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if keyOf(self[middle]) <= key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
