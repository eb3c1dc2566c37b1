/// Many edits put together into one pass over a text: parts that stay, parts that go, and what comes between.
///
/// Edits are combined in halves, so n of them cost n log n, where n edits at places far apart, made one after the other,
/// would move the text n times.
struct EditScript {
    /// An edit, with the inserted scalars as a range of the log's.
    typealias Piece = (position: Int, deleted: Int, content: Range<Int>)

    private enum Kind {
        case keep, delete, insert, end
    }

    private struct Step {
        let kind: Kind
        var count: Int
        /// The first inserted scalar in the log.
        var content = 0
    }

    private var steps: ContiguousArray<Step> = []

    /// Combines edits that follow one another.
    init(_ pieces: ArraySlice<Piece>) {
        guard pieces.count > 1 else {
            for piece in pieces {
                add(Step(kind: .keep, count: piece.position))
                add(Step(kind: .insert, count: piece.content.count, content: piece.content.lowerBound))
                add(Step(kind: .delete, count: piece.deleted))
            }
            return
        }
        let middle = pieces.startIndex + pieces.count / 2
        self = EditScript(EditScript(pieces[..<middle]), then: EditScript(pieces[middle...]))
    }

    /// The first script and then the second, which goes on from its text. The rest of a text stays.
    private init(_ first: EditScript, then second: EditScript) {
        steps.reserveCapacity(first.steps.count + second.steps.count)
        var (a, b) = (Cursor(first.steps), Cursor(second.steps))
        while true {
            if a.kind == .delete {
                add(a.take(a.left))
            } else if b.kind == .insert {
                add(b.take(b.left))
            } else {
                guard a.kind != .end || b.kind != .end else { return }
                let count = min(a.left, b.left)
                let (step, next) = (a.take(count), b.take(count))
                switch (step.kind, next.kind) {
                case (.insert, .delete): break
                case (_, .delete): add(next)
                case (.insert, _): add(step)
                default: add(Step(kind: .keep, count: count))
                }
            }
        }
    }

    private mutating func add(_ step: Step) {
        guard step.count > 0 else { return }
        if let last = steps.last, last.kind == step.kind,
            step.kind != .insert || last.content + last.count == step.content
        {
            steps[steps.count - 1].count += step.count
        } else {
            steps.append(step)
        }
    }

    /// Returns the text after all edits.
    func applied(to text: GapBuffer, _ log: OperationLog) -> GapBuffer {
        let old = text.scalars(0..<text.count)
        var new = ContiguousArray<UInt32>()
        new.reserveCapacity(old.count)
        var next = 0
        for step in steps {
            switch step.kind {
            case .keep:
                new.append(contentsOf: old[next..<next + step.count])
                next += step.count
            case .delete: next += step.count
            case .insert: new.append(contentsOf: log.scalars[step.content..<step.content + step.count])
            case .end: break
            }
        }
        new.append(contentsOf: old[next...])
        return GapBuffer(new)
    }

    private struct Cursor {
        private let steps: ContiguousArray<Step>
        private var index = 0
        private var offset = 0

        init(_ steps: ContiguousArray<Step>) { self.steps = steps }

        var kind: Kind { index < steps.count ? steps[index].kind : .end }

        /// The scalars left of the step; what follows the last one stays.
        var left: Int { index < steps.count ? steps[index].count - offset : .max }

        mutating func take(_ count: Int) -> Step {
            guard index < steps.count else { return Step(kind: .end, count: count) }
            let step = Step(kind: steps[index].kind, count: count, content: steps[index].content + offset)
            offset += count
            if offset == steps[index].count { (index, offset) = (index + 1, 0) }
            return step
        }
    }
}
