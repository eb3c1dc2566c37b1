/// The effect of each event on the text it was made on, in runs, in the order of the event graph.
struct OperationLog: Sendable {
    enum Kind: UInt8, Sendable {
        /// Scalars one after the other.
        case insert = 0
        /// Scalars from a position on, the first one first.
        case delete = 1
        /// Scalars before a position, the last one first.
        case backspace = 2
    }

    /// Events that one stroke of the hand, or one paste, made.
    struct Run: Sendable {
        let start: Int
        var count: Int
        var kind: Kind
        /// The lowest position of the run.
        var position: Int
        /// The start of an insertion's scalars in `scalars`.
        let content: Int

        var end: Int { start + count }

        /// Whether both, which have the same number of events, delete at the same positions; a single one has no direction.
        func isSameDeletion(as other: Run) -> Bool {
            kind != .insert && other.kind != .insert && position == other.position && (kind == other.kind || count == 1)
        }

        /// The part of the run that holds `range`.
        func part(_ range: Range<Int>) -> Run {
            let skipped = range.lowerBound - start
            var position = position
            switch kind {
            case .insert: position += skipped
            case .delete: break
            case .backspace: position += end - range.upperBound
            }
            return Run(
                start: range.lowerBound, count: range.count, kind: kind, position: position,
                content: kind == .insert ? content + skipped : 0)
        }
    }

    private(set) var runs: ContiguousArray<Run> = []
    /// All scalars that were ever inserted.
    private(set) var scalars: ContiguousArray<UInt32> = []

    /// The number of events.
    var count: Int { runs.last?.end ?? 0 }

    mutating func appendInsertion(_ inserted: some Sequence<UInt32>, at position: Int) {
        let content = scalars.count
        scalars.append(contentsOf: inserted)
        let count = scalars.count - content
        guard count > 0 else { return }
        if let last = runs.last, last.kind == .insert, last.position + last.count == position {
            runs[runs.count - 1].count += count
        } else {
            runs.append(Run(start: self.count, count: count, kind: .insert, position: position, content: content))
        }
    }

    mutating func appendDeletion(_ count: Int, at position: Int, isBackspace: Bool = false) {
        guard count > 0 else { return }
        if let last = runs.last, last.kind != .insert {
            let index = runs.count - 1
            if (last.kind == .delete || last.count == 1), !isBackspace || count == 1, last.position == position {
                runs[index].kind = .delete
                runs[index].count += count
                return
            }
            if last.kind == .backspace || last.count == 1, isBackspace || count == 1,
                position + count == last.position
            {
                runs[index].kind = .backspace
                runs[index].position = position
                runs[index].count += count
                return
            }
        }
        runs.append(
            Run(
                start: self.count, count: count, kind: isBackspace ? .backspace : .delete, position: position,
                content: 0))
    }

    mutating func truncate(to end: Int, scalarCount: Int) {
        while let last = runs.last, last.start >= end { runs.removeLast() }
        if let last = runs.last, last.end > end { runs[runs.count - 1] = last.part(last.start..<end) }
        scalars.removeSubrange(scalarCount...)
    }

    /// The parts of runs that hold `events`, in order.
    func forEachRun(in events: Range<Int>, _ body: (Run) throws -> Void) rethrows {
        var index = runs.firstIndex(after: events.lowerBound) { $0.start } - 1
        var next = events.lowerBound
        while next < events.upperBound {
            let end = min(runs[index].end, events.upperBound)
            try body(runs[index].part(next..<end))
            next = end
            index += 1
        }
    }

    /// The scalar that an event inserted; nil for a deletion.
    func scalar(of event: Int) -> UInt32? {
        let run = runs[runs.firstIndex(after: event) { $0.start } - 1]
        return run.kind == .insert ? scalars[run.content + event - run.start] : nil
    }
}
