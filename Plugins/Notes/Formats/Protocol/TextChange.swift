package import TextCRDT

/// A change of a whole text: parts that stay, parts that go, and what comes between, from the beginning to the end.
///
/// Two changes of one text can be carried over each other, so that either order gives the same text. The page does the
/// same in JavaScript; this is the reference.
package struct TextChange: Hashable, Sendable {
    /// One step of a change, in scalars.
    package enum Step: Hashable, Sendable {
        case keep(Int)
        case delete(Int)
        case insert(String)
    }

    /// The steps; none is empty, neighbours are of different kinds, and an insertion comes before a deletion at one place.
    package private(set) var steps: [Step] = []

    package init() {}

    /// Creates the change that consecutive edits make.
    package init(_ edits: [TextEdit]) {
        self = TextChange.joined(edits[...])
    }

    /// Combines halves, so that many edits cost little more than their number.
    private static func joined(_ edits: ArraySlice<TextEdit>) -> TextChange {
        guard edits.count > 1 else {
            var change = TextChange()
            for edit in edits {
                change.keep(edit.position)
                change.insert(edit.inserted)
                change.delete(edit.deletedCount)
            }
            return change
        }
        let middle = edits.startIndex + edits.count / 2
        return joined(edits[..<middle]).then(joined(edits[middle...]))
    }

    /// Whether nothing changes.
    package var isEmpty: Bool { !steps.contains { if case .keep = $0 { false } else { true } } }

    /// The edits of the change, each relative to those before it.
    package var edits: [TextEdit] {
        var edits: [TextEdit] = []
        var position = 0
        var isOpen = false
        for step in steps {
            switch step {
            case .keep(let count):
                position += count
                isOpen = false
            case .insert(let text):
                edits.append(TextEdit(position: position, inserted: text))
                isOpen = true
            case .delete(let count):
                if isOpen {
                    edits[edits.count - 1].deletedCount = count
                } else {
                    edits.append(TextEdit(position: position, deletedCount: count))
                }
            }
            if case .insert(let text) = step { position += text.unicodeScalars.count }
        }
        return edits
    }

    // MARK: Building

    mutating func keep(_ count: Int) {
        guard count > 0 else { return }
        if case .keep(let before) = steps.last {
            steps[steps.count - 1] = .keep(before + count)
        } else {
            steps.append(.keep(count))
        }
    }

    mutating func delete(_ count: Int) {
        guard count > 0 else { return }
        if case .delete(let before) = steps.last {
            steps[steps.count - 1] = .delete(before + count)
        } else {
            steps.append(.delete(count))
        }
    }

    mutating func insert(_ text: String) {
        guard !text.unicodeScalars.isEmpty else { return }
        var index = steps.count
        if case .delete = steps.last { index -= 1 }
        if index > 0, case .insert(let before) = steps[index - 1] {
            steps[index - 1] = .insert(before + text)
        } else {
            steps.insert(.insert(text), at: index)
        }
    }

    // MARK: Combining

    /// Returns the change that is this one and then `next`. Beyond its steps, a change keeps the rest of the text.
    package func then(_ next: TextChange) -> TextChange {
        var result = TextChange()
        var (first, second) = (Cursor(steps), Cursor(next.steps))
        while true {
            if first.kind == .delete {
                result.delete(first.left)
                first.advance(first.left)
            } else if second.kind == .insert {
                result.insert(second.inserted(second.left))
                second.advance(second.left)
            } else {
                guard first.kind != .end || second.kind != .end else { return result }
                let count = min(first.left, second.left)
                switch (first.kind, second.kind) {
                case (.insert, .delete): break
                case (.insert, _): result.insert(first.inserted(count))
                case (_, .delete): result.delete(count)
                default: result.keep(count)
                }
                first.advance(count)
                second.advance(count)
            }
        }
    }

    /// Returns this change as one of the text that `other`, a change of the same text, makes. At one place, what `self`
    /// inserts comes before what `other` does when `isFirst`.
    package func over(_ other: TextChange, isFirst: Bool) -> TextChange {
        var result = TextChange()
        var (mine, theirs) = (Cursor(steps), Cursor(other.steps))
        while mine.kind != .end {
            if mine.kind == .insert, isFirst || theirs.kind != .insert {
                result.insert(mine.inserted(mine.left))
                mine.advance(mine.left)
            } else if theirs.kind == .insert {
                result.keep(theirs.left)
                theirs.advance(theirs.left)
            } else {
                let count = min(mine.left, theirs.left)
                // What they deleted is gone already.
                if theirs.kind != .delete {
                    if mine.kind == .delete { result.delete(count) } else { result.keep(count) }
                }
                mine.advance(count)
                theirs.advance(count)
            }
        }
        return result
    }

    /// Returns the text after the change; what lies outside of the text is left out.
    package func applied(to text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        var place = 0
        for step in steps {
            switch step {
            case .keep(let count):
                let end = min(place + count, scalars.count)
                result.append(contentsOf: scalars[place..<end])
                place = end
            case .delete(let count): place = min(place + count, scalars.count)
            case .insert(let text): result.append(contentsOf: text.unicodeScalars)
            }
        }
        result.append(contentsOf: scalars[place...])
        return String(result)
    }

    /// Returns where a place of the text is after the change.
    package func position(of position: Int, isAfterInsertion: Bool = false) -> Int {
        var (old, new) = (0, 0)
        for step in steps {
            switch step {
            case .keep(let count):
                if position < old + count || (position == old + count && !isAfterInsertion) {
                    return new + position - old
                }
                (old, new) = (old + count, new + count)
            case .delete(let count):
                if position < old + count { return new }
                old += count
            case .insert(let text):
                if position == old, !isAfterInsertion { return new }
                new += text.unicodeScalars.count
            }
        }
        return new + max(0, position - old)
    }

    /// The place in a list of steps.
    private struct Cursor {
        private let steps: [Step]
        private var index = 0
        /// The scalars of the step at `index` that are done.
        private var offset = 0
        private var text: [Unicode.Scalar] = []

        init(_ steps: [Step]) {
            self.steps = steps
            load()
        }

        enum Kind {
            case keep, delete, insert, end
        }

        var kind: Kind {
            guard index < steps.count else { return .end }
            return switch steps[index] {
            case .keep: .keep
            case .delete: .delete
            case .insert: .insert
            }
        }

        /// The scalars left; after the end everything is kept.
        var left: Int {
            guard index < steps.count else { return .max }
            switch steps[index] {
            case .keep(let count), .delete(let count): return count - offset
            case .insert: return text.count - offset
            }
        }

        func inserted(_ count: Int) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: text[offset..<offset + count])
            return String(view)
        }

        mutating func advance(_ count: Int) {
            guard index < steps.count else { return }
            offset += count
            guard left == 0 else { return }
            index += 1
            offset = 0
            load()
        }

        private mutating func load() {
            text = []
            if index < steps.count, case .insert(let inserted) = steps[index] { text = Array(inserted.unicodeScalars) }
        }
    }
}
