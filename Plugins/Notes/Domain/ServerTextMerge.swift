import TextCRDT

/// One text beside what a server of whole notes returned of it: which scalars both have, and what that says about who had
/// read what.
struct ServerTextMerge {
    /// A scalar of the text here, or one that was deleted here and may still be on the server.
    private struct Cell {
        let scalar: UInt32
        /// The index of the first sent version that has the scalar, if it was typed here and is not settled; else -1.
        let stage: Int
        /// The index of the first sent version that has its deletion; -1 while it is there.
        var deletion = -1
        /// Whether the scalar was not on the server before its stage, and so shows that the stage was read.
        var isNew = true

        var isOwn: Bool { stage >= 0 && deletion < 0 }
    }

    /// Changes of the text by one side, and what was found missing.
    struct Outcome {
        /// The edits in their order, each with whether it is one of this side.
        var edits: [(isOwn: Bool, edits: [TextEdit])] = []
        /// The first stage of which an insertion was missing.
        var missing = Int.max
        /// The first stage of which a deletion was missing.
        var returned = Int.max
    }

    /// The length of a piece that is not the same on both sides by chance.
    private static let tellingCount = 8
    /// The scalars from which on one stands for a word or a syllable, but for a few.
    private static let firstIdeograph: UInt32 = 0x2E80

    private let cells: [Cell]
    private let server: TextDiff.Scalars
    /// For each cell its place in the text of the server, or -1.
    private var places: [Int]
    /// Whether a scalar of the server is a cell.
    private var isKnown: [Bool]
    /// The scalars of the server that are own ones at another place, and these.
    private var moved: (pieces: [Piece], from: Set<Int>, to: Set<Int>) = ([], [], [])
    /// The last sent version that the author of the server's text had read; -1 if the text does not show any.
    private(set) var readStage = -1

    /// Compares a text with that of the server.
    init(
        _ text: ReplicatedText, _ field: NoteField, _ sent: SentEdits, _ serverText: String,
        isOwn: (String) -> Bool, isMoved: (String) -> Bool
    ) throws(TextCRDTError) {
        var buffer = CellBuffer(try text.text(at: sent.settled[field]))
        for group in try text.edits(since: sent.settled[field], stages: sent.sent.map(\.version[field])) {
            let isSeen = group.stage < sent.sent.count && sent.sent[group.stage].areDeletionsSeen
            for edit in group.edits {
                buffer.apply(
                    edit, stage: isOwn(group.agent) ? group.stage : -1, keepsDeleted: !isSeen,
                    isNew: !isMoved(group.agent))
            }
        }
        cells = buffer.cells
        server = TextDiff.scalars(of: serverText)
        places = []
        isKnown = []
        match(Array(cells.indices))
        // A few letters that happen to be in what someone else typed at this place do not count.
        let strange = Set(ownRuns().filter { !isPresent($0) }.joined())
        if !strange.isEmpty { match(cells.indices.filter { !strange.contains($0) }) }
        findMoved()
        let new = cells.indices.filter { cells[$0].isOwn && cells[$0].isNew }
        for piece in pieces(new, places) + moved.pieces where isTelling(piece) && cells[piece.cells.first ?? 0].isNew {
            // The last letters of a piece may be there by chance.
            let stages = piece.cells.map { cells[$0].stage }.sorted(by: >)
            let hasIdeograph = piece.places.contains { server[$0] >= Self.firstIdeograph }
            let stage = stages[hasIdeograph ? 0 : min(2, stages.count - 1)]
            guard stage < sent.sent.count else { continue }
            readStage = max(readStage, sent.sent[stage].isCoarse ? stage - 1 : stage)
        }
    }

    // MARK: Matching

    private mutating func match(_ used: [Int]) {
        places = [Int](repeating: -1, count: cells.count)
        isKnown = [Bool](repeating: false, count: server.count)
        var (index, place) = (0, 0)
        let end = TextDiff.Hunk(old: used.count..<used.count, new: server.count..<server.count)
        for hunk in TextDiff.hunks(TextDiff.Scalars(used.map { cells[$0].scalar }), server) + [end] {
            while index < hunk.old.lowerBound {
                places[used[index]] = place
                isKnown[place] = true
                (index, place) = (index + 1, place + 1)
            }
            (index, place) = (hunk.old.upperBound, hunk.new.upperBound)
        }
    }

    /// Scalars that follow each other on both sides.
    private struct Piece {
        var cells: ArraySlice<Int>
        var places: Range<Int>
    }

    /// The pieces of some cells that have places.
    private func pieces(_ indices: [Int], _ places: [Int]) -> [Piece] {
        var pieces: [Piece] = []
        for (offset, index) in indices.enumerated() where places[index] >= 0 {
            let place = places[index]
            if let last = pieces.last, last.cells.endIndex == offset, last.places.upperBound == place,
                indices[offset - 1] == index - 1, cells[index - 1].isNew == cells[index].isNew
            {
                pieces[pieces.count - 1] = Piece(
                    cells: indices[last.cells.startIndex...offset], places: last.places.lowerBound..<place + 1)
            } else {
                pieces.append(Piece(cells: indices[offset...offset], places: place..<place + 1))
            }
        }
        return pieces
    }

    /// Own cells beside each other that were sent together.
    private func ownRuns() -> [[Int]] {
        var runs: [[Int]] = []
        for index in cells.indices where cells[index].isOwn {
            if let last = runs.last?.last, last == index - 1, cells[last].stage == cells[index].stage {
                runs[runs.count - 1].append(index)
            } else {
                runs.append([index])
            }
        }
        return runs
    }

    /// Whether what is found of a run is that run: most of it, a piece that is telling, or nothing new beside it.
    private func isPresent(_ run: [Int]) -> Bool {
        let found = pieces(run, places)
        let count = found.reduce(0) { $0 + $1.places.count }
        return count == 0 || 2 * count >= run.count || found.contains(where: isTelling)
            || found.allSatisfy { piece in
                let (low, high) = (piece.places.lowerBound, piece.places.upperBound)
                return (low == 0 || isKnown[low - 1]) && (high == server.count || isKnown[high])
            }
    }

    /// Whether a piece can hardly be the same by chance: a long one, or a whole word, which an ideograph is.
    private func isTelling(_ piece: Piece) -> Bool {
        if piece.places.count >= Self.tellingCount { return true }
        var letters = 0
        for place in piece.places {
            if server[place] >= Self.firstIdeograph { return true }
            letters = TextDiff.isWord(server[place]) ? letters + 1 : 0
            let isEnd = place + 1 == server.count || !TextDiff.isWord(server[place + 1])
            let start = place + 1 - letters
            if letters >= 4, isEnd, start == 0 || !TextDiff.isWord(server[start - 1]) { return true }
        }
        return false
    }

    /// Finds what was typed here and stands at another place there, as where two inserted at one place.
    private mutating func findMoved() {
        var found = places
        let missing = cells.indices.filter { cells[$0].isOwn && found[$0] < 0 }
        let added = server.indices.filter { !isKnown[$0] }
        guard !missing.isEmpty, !added.isEmpty else { return }
        var (index, place) = (0, 0)
        let hunks = TextDiff.hunks(
            TextDiff.Scalars(missing.map { cells[$0].scalar }), TextDiff.Scalars(added.map { server[$0] }))
        let end = TextDiff.Hunk(old: missing.count..<missing.count, new: added.count..<added.count)
        for hunk in hunks + [end] {
            while index < hunk.old.lowerBound {
                found[missing[index]] = added[place]
                (index, place) = (index + 1, place + 1)
            }
            (index, place) = (hunk.old.upperBound, hunk.new.upperBound)
        }
        for piece in pieces(missing, found) where isTelling(piece) {
            moved.pieces.append(piece)
            moved.from.formUnion(piece.cells)
            moved.to.formUnion(piece.places)
        }
    }

    // MARK: Merging

    /// Returns the edits, when the author of the server's text had read what was sent up to the stage `read`.
    func outcome(read: Int) -> Outcome {
        var outcome = Outcome()
        var writer = EditWriter()
        var place = 0
        func takeAdded(to end: Int) {
            while place < end {
                writer.insert(server[place], isOwn: moved.to.contains(place))
                place += 1
            }
        }
        var next = server.count
        var nexts = places
        for index in places.indices.reversed() {
            nexts[index] = next
            if places[index] >= 0 { next = places[index] }
        }
        for (index, cell) in cells.enumerated() {
            if places[index] >= 0 {
                takeAdded(to: places[index])
                place += 1
                if cell.deletion < 0 {
                    writer.keep()
                } else if cell.deletion <= read {
                    writer.insert(cell.scalar, isOwn: false)
                } else {
                    outcome.returned = min(outcome.returned, cell.deletion)
                }
            } else if cell.deletion < 0 {
                if cell.isOwn, cell.stage > read, !moved.from.contains(index) {
                    // The text of the server comes first.
                    takeAdded(to: nexts[index])
                    writer.keep()
                    outcome.missing = min(outcome.missing, cell.stage)
                } else {
                    writer.delete()
                }
            }
        }
        takeAdded(to: server.count)
        outcome.edits = writer.finish()
        return outcome
    }

    /// The cells of a text while it is edited; edits near each other cost little.
    private struct CellBuffer {
        private var left: [Cell] = []
        /// The cells after the last edit, the last one first.
        private var right: [Cell]
        /// The number of cells in `left` that are not deleted.
        private var position = 0

        init(_ text: String) { right = text.unicodeScalars.reversed().map { Cell(scalar: $0.value, stage: -1) } }

        var cells: [Cell] { left + right.reversed() }

        private mutating func seek(_ target: Int) {
            while position < target, let cell = right.popLast() {
                left.append(cell)
                if cell.deletion < 0 { position += 1 }
            }
            while position > target, let cell = left.popLast() {
                right.append(cell)
                if cell.deletion < 0 { position -= 1 }
            }
        }

        mutating func apply(_ edit: TextEdit, stage: Int, keepsDeleted: Bool, isNew: Bool) {
            seek(edit.position)
            var count = edit.deletedCount
            while count > 0, var cell = right.popLast() {
                if cell.deletion < 0 {
                    count -= 1
                    // What came and went between two PUTs was never on the server.
                    if stage < 0 || !keepsDeleted || cell.stage == stage { continue }
                    cell.deletion = stage
                }
                left.append(cell)
            }
            left += edit.inserted.unicodeScalars.map { Cell(scalar: $0.value, stage: stage, isNew: isNew) }
            position += edit.inserted.unicodeScalars.count
        }
    }

    /// Edits as they are found from the beginning to the end of a text.
    private struct EditWriter {
        private var edits: [(isOwn: Bool, edits: [TextEdit])] = []
        private var current: (isOwn: Bool, edit: TextEdit, scalars: String.UnicodeScalarView)?
        private var position = 0

        mutating func keep() {
            flush()
            position += 1
        }

        mutating func delete() {
            begin(isOwn: false)
            current?.edit.deletedCount += 1
        }

        mutating func insert(_ value: UInt32, isOwn: Bool) {
            begin(isOwn: isOwn)
            current?.scalars.append(Unicode.Scalar(value) ?? "\u{FFFD}")
            position += 1
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
