import TextCRDT

/// A text merged with what a server of whole notes returned of it: its author has changed one of the versions that were sent, or
/// what the server had before.
///
/// What was typed here and is not sent is never looked for in the server's text, and what was sent counts as found only as
/// ``ServerTextMatch`` says. What is not found stays, and is sent again.
struct ServerTextMerge {
    /// Changes of the text by one side, and what was found missing.
    struct Outcome {
        /// The edits in their order, each with whether it is one of this side.
        var edits: [(isOwn: Bool, edits: [TextEdit])] = []
        /// The first stage of which an insertion was missing.
        var missing = Int.max
        /// The first stage of which a deletion was missing.
        var returned = Int.max
    }

    /// The length from which on a run is found at any place.
    static let unmistakableCount = 16
    /// The length of a piece of a run from which on words may be between it and the rest, and the most scalars of these.
    private static let (tellingCount, maximumSkip) = (8, 64)

    private let cells: [StagedScalar]
    private let isTitle: Bool
    private let server: TextDiff.Scalars
    /// For each cell its place in the text of the server, or -1.
    private var places: [Int] = []
    /// Own runs that are at another place there.
    private var moved: (from: Set<Int>, to: Set<Int>) = ([], [])
    /// The last sent version that the author of the server's text had read; -1 if the text does not show any.
    private(set) var readStage = -1

    /// Compares a text with that of the server.
    init(
        _ text: ReplicatedText, _ field: NoteField, _ sent: SentEdits, _ serverText: String,
        isOwn: (String) -> Bool, isMoved: (String) -> Bool
    ) throws(TextCRDTError) {
        cells = try StagedText(text, field, sent, isOwn: isOwn, isMoved: isMoved).cells
        isTitle = field == .title
        server = TextDiff.scalars(of: serverText)
        let window = changedLines()
        let part = TextDiff.Scalars(server[window.server])
        func isCoarse(_ stage: Int) -> Bool { sent.sent[stage].isCoarse }
        let match = Self.bestMatch(cells[window.cells], part, count: sent.sent.count, isCoarse: isCoarse)
        readStage = match.readStage
        places = cells.indices.map { $0 < window.cells.lowerBound ? $0 : $0 + server.count - cells.count }
        for (offset, place) in match.allPlaces(cells[window.cells], part).enumerated() {
            places[window.cells.lowerBound + offset] = place < 0 ? -1 : window.server.lowerBound + place
        }
        findMoved(sentCount: sent.sent.count, isCoarse: isCoarse)
    }

    // MARK: Matching

    /// The lines between those at both ends that are the same and have nothing of this side.
    private func changedLines() -> (cells: Range<Int>, server: Range<Int>) {
        func isSame(_ cell: Int, _ place: Int) -> Bool {
            cells[cell].stage < 0 && cells[cell].deletion < 0 && cells[cell].scalar == server[place]
        }
        let count = min(cells.count, server.count)
        var head = 0
        while head < count, isSame(head, head) { head += 1 }
        while head > 0, cells[head - 1].scalar != 10 { head -= 1 }
        var tail = 0
        while tail < count - head, isSame(cells.count - 1 - tail, server.count - 1 - tail) { tail += 1 }
        while tail > 0, cells.count == tail || cells[cells.count - tail - 1].scalar != 10 { tail -= 1 }
        return (head..<cells.count - tail, head..<server.count - tail)
    }

    /// Returns the match with the version that the author has most likely changed: the last one that they must have read, or
    /// that of which least was changed.
    private static func bestMatch(
        _ cells: ArraySlice<StagedScalar>, _ server: TextDiff.Scalars, count: Int, isCoarse: (Int) -> Bool
    ) -> ServerTextMatch {
        let unread = ServerTextMatch(cells, server, stage: -1, isCoarse: isCoarse)
        var best: ServerTextMatch?
        for stage in stride(from: count - 1, through: 0, by: -1) {
            var match = ServerTextMatch(cells, server, stage: stage, isCoarse: isCoarse)
            if isCoarse(stage), !match.isWhole {
                match = ServerTextMatch(cells, server, stage: stage, isCoarse: isCoarse, without: match.absent)
            }
            guard match.isWhole, match.cost <= unread.cost || match.provenStage == stage else { continue }
            if match.cost < best?.cost ?? .max { best = match }
            if match.readStage == stage || match.cost == 0 { break }
        }
        return best ?? unread
    }

    /// Finds runs that were typed here and are at another place there, as where two inserted at one place.
    private mutating func findMoved(sentCount: Int, isCoarse: (Int) -> Bool) {
        var isKnown = [Bool](repeating: false, count: server.count)
        for place in places where place >= 0 { isKnown[place] = true }
        let live = cells.indices.filter { cells[$0].deletion < 0 }
        let missing = cells.runs(live).map { $0.map { live[$0] } }.filter { run in
            cells[run[0]].stage < sentCount && run.allSatisfy { places[$0] < 0 }
                && WordDiff.isTelling(run.map { cells[$0].scalar })
        }
        guard !missing.isEmpty, isKnown.contains(false) else { return }
        for run in missing {
            // The lines around it may be others.
            let scalars = Array(run.map { cells[$0].scalar }.trimmed { $0 == 10 || $0 == 32 })
            for start in isKnown.indices where !isKnown[start] && server[start] == scalars.first {
                guard let found = wholeRun(scalars, at: start, isKnown),
                    scalars.count >= Self.unmistakableCount || isNear(run, start)
                else { continue }
                moved.from.formUnion(run)
                moved.to.formUnion(found)
                for place in found { isKnown[place] = true }
                let stage = cells[run[0]].stage
                if run.allSatisfy({ cells[$0].isNew }) {
                    readStage = max(readStage, isCoarse(stage) ? stage - 1 : stage)
                }
                break
            }
        }
    }

    /// Returns the places of a run that begins at one of the server's text, where someone may have put words into it; nil if it is not there
    /// as a whole, or has no piece that is hardly there by chance.
    private func wholeRun(_ run: [UInt32], at start: Int, _ isKnown: [Bool]) -> [Int]? {
        var places: [Int] = []
        var (place, piece, isTelling, skipped) = (start, 0, false, 0)
        var word = 0
        while word < run.count {
            var end = word + 1
            while end < run.count, WordDiff.isWithinWord(run[end - 1], run[end]) { end += 1 }
            let range = place..<place + end - word
            if range.upperBound <= server.count, !isKnown[range].contains(true), isApart(range),
                server[range].elementsEqual(run[word..<end])
            {
                places += range
                (word, place) = (end, range.upperBound)
                isTelling = isTelling || (word - piece >= Self.tellingCount && WordDiff.isTelling(run[piece..<word]))
                continue
            }
            guard word > 0, place < server.count, server[place] != 10, skipped < Self.maximumSkip else { return nil }
            (piece, place, skipped) = (word, place + 1, skipped + 1)
        }
        return skipped == 0 || isTelling ? places : nil
    }

    /// Whether a range of the server's text begins and ends where words do.
    private func isApart(_ range: Range<Int>) -> Bool {
        let (start, end) = (range.lowerBound, range.upperBound)
        return (start == 0 || !WordDiff.isWithinWord(server[start - 1], server[start]))
            && (end == server.count || !WordDiff.isWithinWord(server[end - 1], server[end]))
    }

    /// Whether there is nothing between a run and a place of the server's text but what was added on both sides lately.
    private func isNear(_ run: [Int], _ place: Int) -> Bool {
        let (first, last) = (run[0], run[run.count - 1])
        func isRecent(_ indices: some Sequence<Int>) -> Bool {
            for index in indices where places[index] >= 0 && cells[index].stage < 0 {
                let isBetween = index < first ? places[index] > place : places[index] < place
                if !isBetween { return true }
                if !cells[index].isRecent { return false }
            }
            return true
        }
        return isRecent(last + 1..<cells.count) && isRecent((0..<first).reversed())
    }

    // MARK: Merging

    /// Returns the edits, when the author of the server's text had read what was sent up to the stage `read`.
    func outcome(read: Int) -> Outcome {
        var outcome = Outcome()
        var writer = EditWriter()
        var place = 0
        let (nexts, followers) = (nextPlaces, followers)
        /// The cell that was written last, or -1 for what the server has added; the cell that was before the current one.
        var (last, previous): (Int?, Int?)
        /// Writes what separates the last cell, which the server lacks, from a scalar that was not beside it.
        func separate(from scalar: UInt32) {
            guard let kept = last, writer.isKept else { return }
            writer.separate(by: separator(cells[kept].scalar, scalar, beside: followers[kept], read))
        }
        func takeAdded(to end: Int) {
            while place < end {
                separate(from: server[place])
                last = -1
                writer.insert(server[place], isOwn: moved.to.contains(place))
                place += 1
            }
        }
        for (index, cell) in cells.enumerated() {
            if places[index] >= 0 {
                takeAdded(to: places[index])
                place += 1
                if cell.deletion >= 0 {
                    outcome.returned = min(outcome.returned, cell.deletion)
                } else {
                    if last != previous { separate(from: cell.scalar) }
                    writer.keep(cell.scalar)
                    last = index
                }
            } else if isMissing(index, read) {
                if !writer.isKept, place < nexts[index], !continuesLine(cell, writer.last, server[place]) {
                    takeAdded(to: nexts[index])
                }
                if last != previous, let before = writer.last {
                    writer.separate(by: separator(before, cell.scalar, beside: previous, read))
                }
                writer.keep(cell.scalar, isMissing: true)
                last = index
                outcome.missing = min(outcome.missing, cell.stage)
            } else if cell.deletion < 0 {
                writer.delete()
            }
            if cell.deletion < 0 { previous = index }
        }
        takeAdded(to: server.count)
        outcome.edits = writer.finish()
        return outcome
    }

    /// For each cell the place of the next one that is in the text of the server.
    private var nextPlaces: [Int] {
        var (nexts, next) = (places, server.count)
        for index in places.indices.reversed() {
            nexts[index] = next
            if places[index] >= 0 { next = places[index] }
        }
        return nexts
    }

    /// For each cell the one that follows it here.
    private var followers: [Int?] {
        var (followers, next) = ([Int?](repeating: nil, count: cells.count), Int?.none)
        for index in cells.indices.reversed() {
            followers[index] = next
            if cells[index].deletion < 0 { next = index }
        }
        return followers
    }

    /// Whether a cell is typed here, and missing in the text of the server, whose author had read the stage `read`.
    private func isMissing(_ index: Int, _ read: Int) -> Bool {
        places[index] < 0 && cells[index].isOwn && cells[index].stage > read && !moved.from.contains(index)
    }

    /// Returns what separates two scalars that come together, one of which was beside `neighbor`: lines and words of two authors
    /// stay apart.
    private func separator(_ before: UInt32, _ after: UInt32, beside neighbor: Int?, _ read: Int) -> UInt32? {
        guard before != 10, after != 10 else { return nil }
        let isAtLine = !isTitle && neighbor.map { cells[$0].scalar == 10 } != false
        if isAtLine, let neighbor, places[neighbor] < 0, !isMissing(neighbor, read) { return 10 }
        let wasApart = before != 32 && after != 32 && neighbor.map { cells[$0].scalar == 32 } == true
        guard wasApart || WordDiff.isWithinWord(before, after) else { return nil }
        return isAtLine ? 10 : 32
    }

    /// Whether what was typed here goes on with the line before it, and `added` by the server does not, or only after the word. Else
    /// the text of the server comes first.
    private func continuesLine(_ cell: StagedScalar, _ before: UInt32?, _ added: UInt32) -> Bool {
        guard let before, before != 10, cell.scalar != 10 else { return false }
        return added == 10 || (WordDiff.isWithinWord(before, cell.scalar) && !WordDiff.isWithinWord(before, added))
    }

    /// Edits as they are found from the beginning to the end of a text.
    private struct EditWriter {
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

extension RandomAccessCollection {
    /// Returns the elements without those at both ends that satisfy `isRedundant`.
    func trimmed(_ isRedundant: (Element) -> Bool) -> SubSequence {
        let rest = drop(while: isRedundant)
        return rest.dropLast(rest.reversed().prefix(while: isRedundant).count)
    }
}
