import TextCRDT

extension ServerTextMerge {
    /// Returns the edits, when the author of the server's text had read what was sent up to the stage `read`.
    func outcome(read: Int) -> Outcome {
        var writer = Writer(merge: self, read: read)
        for index in cells.indices { writer.write(index) }
        return writer.finish()
    }

    /// Writes the cells and what the server has added in their order.
    private struct Writer {
        let merge: ServerTextMerge
        let read: Int
        private let nexts: [Int]
        private let followers: [Int?]
        private var outcome = Outcome()
        private var edits = EditWriter()
        /// The place in the server's text that comes next.
        private var place = 0
        /// The cell that was written last, or -1 for what the server has added.
        private var last: Int?
        /// The cell that was before the current one here.
        private var previous: Int?
        /// What separates what was written last from what comes next, if something between them was deleted here and is still there.
        private var deletedSeparator: UInt32?

        init(merge: ServerTextMerge, read: Int) {
            self.merge = merge
            self.read = read
            (nexts, followers) = (merge.nextPlaces, merge.followers)
        }

        mutating func write(_ index: Int) {
            let cell = merge.cells[index]
            if merge.places[index] >= 0 {
                takeAdded(to: merge.places[index])
                place += 1
                if cell.deletion < 0 { keep(index) } else { skip(cell) }
            } else if merge.isMissing(index, read) {
                keepMissing(index)
            } else if cell.deletion < 0 {
                edits.delete()
            }
            if cell.deletion < 0 { previous = index }
        }

        mutating func finish() -> Outcome {
            takeAdded(to: merge.server.count)
            outcome.edits = edits.finish()
            return outcome
        }

        private mutating func takeAdded(to end: Int) {
            while place < end {
                let scalar = merge.server[place]
                separate(from: scalar)
                if let deletedSeparator, let before = edits.last, before != 10, scalar != 10,
                    deletedSeparator == 10 || WordDiff.isWithinWord(before, scalar)
                {
                    edits.separate(by: deletedSeparator)
                }
                (last, deletedSeparator) = (-1, nil)
                edits.insert(scalar, isOwn: merge.moved.to.contains(place))
                place += 1
            }
        }

        /// Keeps a cell that both sides have.
        private mutating func keep(_ index: Int) {
            let scalar = merge.cells[index].scalar
            if last != previous {
                separate(from: scalar)
                if deletedSeparator != nil, !edits.isKept { separateFromPrevious(scalar) }
            }
            edits.keep(scalar)
            (last, deletedSeparator) = (index, nil)
        }

        /// Leaves out a cell that was deleted here and is still there.
        private mutating func skip(_ cell: StagedScalar) {
            outcome.returned = min(outcome.returned, cell.deletion)
            if deletedSeparator != 10 { deletedSeparator = cell.scalar == 10 ? 10 : 32 }
        }

        /// Keeps a cell that was typed here and that the server lacks.
        private mutating func keepMissing(_ index: Int) {
            let cell = merge.cells[index]
            // A word that the server has is not torn.
            let next = merge.wordStart(nexts[index])
            if !edits.isKept, place < next, !merge.continuesLine(cell, edits.last, merge.server[place]) {
                takeAdded(to: next)
            }
            if last != previous { separateFromPrevious(cell.scalar) }
            edits.keep(cell.scalar, isMissing: true)
            (last, deletedSeparator) = (index, nil)
            outcome.missing = min(outcome.missing, cell.stage)
        }

        /// Writes what separates the last cell, if the server lacks it, from a scalar that was not beside it.
        private mutating func separate(from scalar: UInt32) {
            guard let kept = last, edits.isKept else { return }
            edits.separate(
                by: merge.separator(merge.cells[kept].scalar, scalar, beside: followers[kept], isAfter: false, read))
        }

        /// Writes what separates a scalar from the one before it, which was not there before.
        private mutating func separateFromPrevious(_ scalar: UInt32) {
            guard let before = edits.last else { return }
            edits.separate(by: merge.separator(before, scalar, beside: previous, isAfter: true, read))
        }
    }

    /// For each cell the place of the next one that is in the text of the server.
    fileprivate var nextPlaces: [Int] {
        var (nexts, next) = (places, server.count)
        for index in places.indices.reversed() {
            nexts[index] = next
            if places[index] >= 0 { next = places[index] }
        }
        return nexts
    }

    /// For each cell the one that follows it here.
    fileprivate var followers: [Int?] {
        var (followers, next) = ([Int?](repeating: nil, count: cells.count), Int?.none)
        for index in cells.indices.reversed() {
            followers[index] = next
            if cells[index].deletion < 0 { next = index }
        }
        return followers
    }

    /// Whether a cell is typed here, and missing in the text of the server, whose author had read the stage `read`.
    fileprivate func isMissing(_ index: Int, _ read: Int) -> Bool {
        places[index] < 0 && cells[index].isOwn && cells[index].stage > read && !moved.from.contains(index)
    }

    /// The place at which the word begins that a place of the server's text is in.
    fileprivate func wordStart(_ place: Int) -> Int {
        var start = place
        while start > 0, start < server.count, WordDiff.isWithinWord(server[start - 1], server[start]) { start -= 1 }
        return start
    }

    /// Returns what separates two scalars that come together, one of which was beside `neighbor`: lines and words of two authors
    /// stay apart. `isAfter` is whether the second one was after it.
    fileprivate func separator(
        _ before: UInt32, _ after: UInt32, beside neighbor: Int?, isAfter: Bool, _ read: Int
    ) -> UInt32? {
        guard before != 10, after != 10 else { return nil }
        let isAtLine = !isTitle && neighbor.map { cells[$0].scalar == 10 } != false
        if isAtLine, isAfter, before != 32 { return 10 }
        if isAtLine, let neighbor, places[neighbor] < 0, !isMissing(neighbor, read) { return 10 }
        let wasApart = before != 32 && after != 32 && neighbor.map { cells[$0].scalar == 32 } == true
        guard wasApart || WordDiff.isWithinWord(before, after) else { return nil }
        return isAtLine ? 10 : 32
    }

    /// Whether what was typed here goes on with the line before it, and `added` by the server does not, or only after the word. Else
    /// the text of the server comes first.
    fileprivate func continuesLine(_ cell: StagedScalar, _ before: UInt32?, _ added: UInt32) -> Bool {
        guard let before, before != 10, cell.scalar != 10 else { return false }
        return added == 10 || (WordDiff.isWithinWord(before, cell.scalar) && !WordDiff.isWithinWord(before, added))
    }

    /// Edits as they are found from the beginning to the end of a text.
    fileprivate struct EditWriter {
        private var edits: [(isOwn: Bool, edits: [TextEdit])] = []
        private var current: (isOwn: Bool, edit: TextEdit, scalars: String.UnicodeScalarView)?
        private var position = 0
        /// The scalar before the next edit.
        private(set) var last: UInt32?
        /// Whether it is one that the server lacks.
        private(set) var isKept = false

        mutating func keep(_ scalar: UInt32, isMissing: Bool = false) {
            flush()
            position += 1
            (last, isKept) = (scalar, isMissing)
        }

        mutating func separate(by scalar: UInt32?) {
            if let scalar { insert(scalar, isOwn: true) }
        }

        mutating func delete() {
            begin(isOwn: false)
            current?.edit.deletedCount += 1
        }

        mutating func insert(_ value: UInt32, isOwn: Bool) {
            begin(isOwn: isOwn)
            current?.scalars.append(Unicode.Scalar(value) ?? "\u{FFFD}")
            position += 1
            (last, isKept) = (value, false)
        }

        private mutating func begin(isOwn: Bool) {
            if current?.isOwn != isOwn { flush() }
            if current == nil { current = (isOwn, TextEdit(position: position), String.UnicodeScalarView()) }
        }

        private mutating func flush() {
            guard case (let isOwn, var edit, let scalars)? = current else { return }
            current = nil
            edit.inserted = String(scalars)
            if edits.last?.isOwn == isOwn {
                edits[edits.count - 1].edits.append(edit)
            } else {
                edits.append((isOwn, [edit]))
            }
        }

        mutating func finish() -> [(isOwn: Bool, edits: [TextEdit])] {
            flush()
            return edits
        }
    }
}
