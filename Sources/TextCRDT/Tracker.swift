/// The state by which positions of concurrent events are carried over to one text: the scalars of the text in their final
/// order, each with whether it is there at the version looked at now, and whether any event so far deleted it.
///
/// It begins at a critical version, whose text it knows only as a length, and ends with the next one. The order
/// of concurrent insertions is that of Fugue as YjsMod builds it. Scalars of one run share a node of a treap, which keeps
/// sums of lengths; so each step costs the logarithm of the number of runs.
struct Tracker: Sendable {
    /// Ids of scalars of the text at the beginning: `first` and on. Others are the numbers of their events.
    private static let firstBase = 1 << 40
    /// More than any text holds.
    private static let baseLength = 1 << 32
    private static let none = -1

    private struct Sums {
        /// Scalars that are there at the version looked at now.
        var current = 0
        /// Scalars that no event so far deleted.
        var remaining = 0
        var all = 0
        /// Scalars of the text at the beginning.
        var base = 0

        static func += (a: inout Sums, b: Sums) {
            a.current += b.current
            a.remaining += b.remaining
            a.all += b.all
            a.base += b.base
        }
    }

    private struct Node {
        /// The id of the first scalar.
        var first: Int
        var count: Int
        /// The scalar to the left when the first one was inserted, or -1 for the beginning.
        var originLeft: Int
        /// The scalar that the first one was inserted before, when both have the same left origin; else -1.
        var rightParent: Int
        /// 0 where the insertion is not part of the version, 1 where it is, one more for each deletion.
        var state: Int
        var isDeleted = false

        var parent = Tracker.none
        var left = Tracker.none
        var right = Tracker.none
        let priority: UInt32
        var sums = Sums()

        var isBase: Bool { first >= Tracker.firstBase }

        var ownSums: Sums {
            Sums(
                current: state == 1 ? count : 0, remaining: isDeleted ? 0 : count, all: count, base: isBase ? count : 0)
        }

        /// Returns the left origin of the scalar at `offset` from the first.
        func originLeft(at offset: Int) -> Int { offset == 0 ? originLeft : first + offset - 1 }
    }

    private var nodes: ContiguousArray<Node> = []
    private var root = Tracker.none
    private var seed: UInt32 = 0x9E37_79B9
    /// The number of the first event that may be tracked.
    private let start: Int
    /// For each tracked event: the node of the scalar that it inserted, or the id of the scalar that it deleted.
    private var places: ContiguousArray<Int>
    /// The difference between the assumed and the real length of the text at the beginning.
    private var excess = 0
    /// The nodes that were looked at, each for the logarithm of their number.
    private(set) var steps = 0

    /// Creates a tracker for the events `events`, after a critical version.
    init(events: Range<Int>) {
        start = events.lowerBound
        places = ContiguousArray(repeating: 0, count: events.count)
        _ = insert(
            Node(
                first: Tracker.firstBase, count: Tracker.baseLength, originLeft: -1, rightParent: -1, state: 1,
                priority: nextPriority()), before: Tracker.none)
    }

    /// Lets events up to `end` be tracked.
    mutating func extend(to end: Int) {
        guard end - start > places.count else { return }
        places.append(contentsOf: repeatElement(0, count: end - start - places.count))
    }

    /// The length of the text at the version looked at now.
    var currentLength: Int { nodes[root].sums.current - excess }

    /// Says how long the text with all events so far is.
    mutating func setLength(_ length: Int) { excess = nodes[root].sums.remaining - length }

    // MARK: Events

    /// Applies an insertion; returns where it is in the text with all events so far.
    mutating func insert(_ run: OperationLog.Run, _ graph: EventGraph) -> Int {
        var originLeft = -1
        let next: Int
        if run.position == 0 {
            next = firstNode()
        } else {
            let (node, offset) = find(current: run.position - 1)
            originLeft = nodes[node].first + offset
            next = offset + 1 < nodes[node].count ? split(node, at: offset + 1) : successor(of: node)
        }
        let rightParent = rightParent(from: next, originLeft)
        let place = integrate(run.start, originLeft, rightParent, before: next, graph)
        let added = insert(
            Node(
                first: run.start, count: run.count, originLeft: originLeft, rightParent: rightParent, state: 1,
                priority: nextPriority()), before: place)
        for event in run.start..<run.end { places[event - start] = added }
        return sumsBefore(added).remaining
    }

    /// Applies a deletion; calls `body` with each stretch of the text with all events so far that goes.
    mutating func delete(_ run: OperationLog.Run, _ body: (_ position: Int, _ count: Int) -> Void) {
        var left = run.count
        var event = run.start
        while left > 0 {
            // A backspace begins with the last scalar.
            let isBackspace = run.kind == .backspace
            steps += 1
            var (node, offset) = find(current: isBackspace ? run.position + left - 1 : run.position)
            let count = min(left, isBackspace ? offset + 1 : nodes[node].count - offset)
            if isBackspace { offset -= count - 1 }
            node = isolate(node, offset, count)
            for index in 0..<count {
                places[event - start + index] = nodes[node].first + (isBackspace ? count - 1 - index : index)
            }
            if !nodes[node].isDeleted { body(sumsBefore(node).remaining, count) }
            change(node) {
                $0.state += 1
                $0.isDeleted = true
            }
            event += count
            left -= count
        }
    }

    /// Takes events out of the version looked at, or puts them back; `step` is -1 or 1.
    mutating func move(_ run: OperationLog.Run, _ step: Int) {
        var event = run.start
        while event < run.end {
            var (low, high) = (event, event)
            if run.kind == .insert {
                high = run.end - 1
            } else {
                low = places[event - start]
                high = low
                // Scalars deleted one after the other, in either direction, are mostly beside each other.
                var next = event + 1
                while next < run.end, case let target = places[next - start], target == high + 1 || target == low - 1 {
                    low = min(low, target)
                    high = max(high, target)
                    next += 1
                }
            }
            event += high - low + 1
            while low <= high {
                steps += 1
                let (found, offset) = find(id: low)
                let count = min(high - low + 1, nodes[found].count - offset)
                let node = isolate(found, offset, count)
                change(node) { $0.state += step }
                low += count
            }
        }
    }

    /// The events whose scalars the text with all events so far consists of, in order; the text at the beginning is left out.
    func forEachRemaining(_ body: (Range<Int>) -> Void) {
        var node = firstNode()
        while node != Tracker.none {
            let found = nodes[node]
            if !found.isDeleted, !found.isBase { body(found.first..<found.first + found.count) }
            node = successor(of: node)
        }
    }

    /// The event that inserted the scalar which a deletion took away; nil for the text at the beginning.
    func target(of deletion: Int) -> Int? {
        let target = places[deletion - start]
        return target < Tracker.firstBase ? target : nil
    }

    /// Returns the position of an inserted scalar in the text after all events so far, or the position it would have
    /// if it were not deleted; `rank` orders scalars, including deleted ones.
    func place(of insertion: Int) -> (position: Int, rank: Int, isDeleted: Bool) {
        let (node, offset) = find(id: insertion)
        let before = sumsBefore(node)
        let isDeleted = nodes[node].isDeleted
        return (before.remaining + (isDeleted ? 0 : offset), before.all + offset, isDeleted)
    }

    // MARK: The order of concurrent insertions

    private mutating func rightParent(from next: Int, _ originLeft: Int) -> Int {
        var node = next
        while node != Tracker.none {
            steps += 1
            if nodes[node].state != 0 { return nodes[node].originLeft == originLeft ? nodes[node].first : -1 }
            node = successor(of: node)
        }
        return -1
    }

    /// The node before which a new scalar comes, among those that its event does not know.
    private mutating func integrate(
        _ event: Int, _ originLeft: Int, _ rightParent: Int, before next: Int, _ graph: EventGraph
    ) -> Int {
        guard next != Tracker.none, nodes[next].state == 0 else { return next }
        let leftRank = rank(of: originLeft)
        let rightRank = rightParent < 0 ? Int.max : rank(of: rightParent)
        var isScanning = false
        var place = next
        var node = next
        while node != Tracker.none, nodes[node].state == 0 {
            steps += 1
            let other = nodes[node]
            let otherLeft = other.originLeft == originLeft ? leftRank : rank(of: other.originLeft)
            if otherLeft < leftRank { break }
            if otherLeft == leftRank {
                let otherRight =
                    other.rightParent == rightParent
                    ? rightRank : other.rightParent < 0 ? Int.max : rank(of: other.rightParent)
                if otherRight == rightRank, graph.comes(event, before: other.first) { break }
                isScanning = otherRight < rightRank
            }
            node = successor(of: node)
            if !isScanning { place = node }
        }
        return place
    }

    private func rank(of id: Int) -> Int {
        guard id >= 0 else { return -1 }
        let (node, offset) = find(id: id)
        return sumsBefore(node).all + offset
    }

    // MARK: Nodes

    /// The node and offset of the scalar at a position of the version looked at.
    private func find(current position: Int) -> (node: Int, offset: Int) {
        var (node, left) = (root, position)
        while true {
            let found = nodes[node]
            let before = found.left == Tracker.none ? 0 : nodes[found.left].sums.current
            if left < before {
                node = found.left
                continue
            }
            left -= before
            let own = found.state == 1 ? found.count : 0
            if left < own { return (node, left) }
            left -= own
            node = found.right
        }
    }

    private func find(id: Int) -> (node: Int, offset: Int) {
        if id < Tracker.firstBase {
            let node = places[id - start]
            return (node, id - nodes[node].first)
        }
        var (node, left) = (root, id - Tracker.firstBase)
        while true {
            let found = nodes[node]
            let before = found.left == Tracker.none ? 0 : nodes[found.left].sums.base
            if left < before {
                node = found.left
                continue
            }
            left -= before
            let own = found.isBase ? found.count : 0
            if left < own { return (node, left) }
            left -= own
            node = found.right
        }
    }

    private func firstNode() -> Int {
        var node = root
        while nodes[node].left != Tracker.none { node = nodes[node].left }
        return node
    }

    private func successor(of node: Int) -> Int {
        if nodes[node].right != Tracker.none {
            var next = nodes[node].right
            while nodes[next].left != Tracker.none { next = nodes[next].left }
            return next
        }
        var child = node
        var parent = nodes[node].parent
        while parent != Tracker.none, nodes[parent].right == child { (child, parent) = (parent, nodes[parent].parent) }
        return parent
    }

    private func sumsBefore(_ node: Int) -> Sums {
        var sums = nodes[node].left == Tracker.none ? Sums() : nodes[nodes[node].left].sums
        var child = node
        var parent = nodes[node].parent
        while parent != Tracker.none {
            if nodes[parent].right == child {
                if nodes[parent].left != Tracker.none { sums += nodes[nodes[parent].left].sums }
                sums += nodes[parent].ownSums
            }
            (child, parent) = (parent, nodes[parent].parent)
        }
        return sums
    }

    /// Changes what a node says of its scalars.
    private mutating func change(_ node: Int, _ body: (inout Node) -> Void) {
        let before = nodes[node].ownSums
        body(&nodes[node])
        let after = nodes[node].ownSums
        var above = node
        while above != Tracker.none {
            nodes[above].sums.current += after.current - before.current
            nodes[above].sums.remaining += after.remaining - before.remaining
            above = nodes[above].parent
        }
    }

    /// The node that holds exactly these scalars of a node.
    private mutating func isolate(_ node: Int, _ offset: Int, _ count: Int) -> Int {
        let begin = offset > 0 ? split(node, at: offset) : node
        if count < nodes[begin].count { _ = split(begin, at: count) }
        return begin
    }

    /// Cuts a node in two; returns the node of the scalars from `offset` on. The first ones stay where they are.
    private mutating func split(_ node: Int, at offset: Int) -> Int {
        var rest = Node(
            first: nodes[node].first + offset, count: nodes[node].count - offset,
            originLeft: nodes[node].originLeft(at: offset), rightParent: -1, state: nodes[node].state,
            isDeleted: nodes[node].isDeleted, priority: nextPriority())
        rest.sums = rest.ownSums
        let lost = rest.sums
        nodes[node].count = offset
        var above = node
        while above != Tracker.none {
            nodes[above].sums.current -= lost.current
            nodes[above].sums.remaining -= lost.remaining
            nodes[above].sums.all -= lost.all
            nodes[above].sums.base -= lost.base
            above = nodes[above].parent
        }
        let added = insert(rest, before: successor(of: node))
        if !rest.isBase { for id in rest.first..<rest.first + rest.count { places[id - start] = added } }
        return added
    }

    private mutating func insert(_ node: Node, before next: Int) -> Int {
        let added = nodes.count
        nodes.append(node)
        nodes[added].sums = node.ownSums
        guard root != Tracker.none else {
            root = added
            return added
        }
        if next != Tracker.none, nodes[next].left == Tracker.none {
            nodes[next].left = added
            nodes[added].parent = next
        } else {
            var last = next == Tracker.none ? root : nodes[next].left
            while nodes[last].right != Tracker.none { last = nodes[last].right }
            nodes[last].right = added
            nodes[added].parent = last
        }
        var above = nodes[added].parent
        let own = nodes[added].sums
        while above != Tracker.none {
            nodes[above].sums += own
            above = nodes[above].parent
        }
        while nodes[added].parent != Tracker.none, nodes[nodes[added].parent].priority < nodes[added].priority {
            rotateUp(added)
        }
        return added
    }

    private mutating func rotateUp(_ node: Int) {
        let parent = nodes[node].parent
        let above = nodes[parent].parent
        let inner: Int
        if nodes[parent].left == node {
            inner = nodes[node].right
            nodes[node].right = parent
            nodes[parent].left = inner
        } else {
            inner = nodes[node].left
            nodes[node].left = parent
            nodes[parent].right = inner
        }
        if inner != Tracker.none { nodes[inner].parent = parent }
        nodes[parent].parent = node
        nodes[node].parent = above
        if above == Tracker.none {
            root = node
        } else if nodes[above].left == parent {
            nodes[above].left = node
        } else {
            nodes[above].right = node
        }
        nodes[node].sums = nodes[parent].sums
        var sums = nodes[parent].ownSums
        if nodes[parent].left != Tracker.none { sums += nodes[nodes[parent].left].sums }
        if nodes[parent].right != Tracker.none { sums += nodes[nodes[parent].right].sums }
        nodes[parent].sums = sums
    }

    private mutating func nextPriority() -> UInt32 {
        seed ^= seed << 13
        seed ^= seed >> 17
        seed ^= seed << 5
        return seed
    }
}

extension EventGraph {
    /// Which of two concurrent insertions at one place comes first: that of the smaller agent.
    func comes(_ event: Int, before other: Int) -> Bool {
        let (a, b) = (owner(of: event), owner(of: other))
        return a.agent == b.agent ? a.sequence < b.sequence : AgentName(agents[a.agent]) < AgentName(agents[b.agent])
    }
}
