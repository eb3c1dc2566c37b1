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

    let cells: [StagedScalar]
    let isTitle: Bool
    let server: TextDiff.Scalars
    /// For each cell its place in the text of the server, or -1.
    private(set) var places: [Int] = []
    /// Own runs that are at another place there.
    private(set) var moved: (from: Set<Int>, to: Set<Int>) = ([], [])
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
        return best ?? part(of: cells, server, count: count, isCoarse: isCoarse, unread) ?? unread
    }

    /// Returns the match with what of all versions is at its own place, where none of them was read as a whole: the author may have
    /// deleted a part at once.
    private static func part(
        of cells: ArraySlice<StagedScalar>, _ server: TextDiff.Scalars, count: Int, isCoarse: (Int) -> Bool,
        _ unread: ServerTextMatch
    ) -> ServerTextMatch? {
        guard count > 0 else { return nil }
        let all = ServerTextMatch(cells, server, stage: count - 1, isCoarse: isCoarse)
        let part = ServerTextMatch(
            cells, server, stage: count - 1, isCoarse: isCoarse, without: all.absent.union(all.loose))
        return part.isWhole && part.loose.isEmpty && part.cost < unread.cost ? part : nil
    }

    /// Finds runs that were typed here and are at another place there, as where two inserted at one place.
    private mutating func findMoved(sentCount: Int, isCoarse: (Int) -> Bool) {
        var isKnown = [Bool](repeating: false, count: server.count)
        for place in places where place >= 0 { isKnown[place] = true }
        let live = cells.indices.filter { cells[$0].deletion < 0 }
        let missing = cells.runs(live).map { $0.map { live[$0] } }.filter { run in
            cells[run[0]].stage < sentCount && words(of: run[...]).allSatisfy { places[$0] < 0 }
                && WordDiff.isTelling(run.map { cells[$0].scalar })
        }
        guard !missing.isEmpty, isKnown.contains(false) else { return }
        for run in missing {
            // The lines around it may be others.
            let line = run.trimmed { cells[$0].scalar == 10 || cells[$0].scalar == 32 }
            let words = words(of: line)
            let scalars = words.map { cells[$0].scalar }
            for start in isKnown.indices where !isKnown[start] && server[start] == scalars.first {
                guard let found = wholeRun(scalars, at: start, isKnown), let end = found.last,
                    isBeside(line.prefix(upTo: words.startIndex), line.suffix(from: words.endIndex), start...end),
                    line.count >= Self.unmistakableCount || isNear(run, start)
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

    /// A run without what separates its words from others, unless it has no words.
    private func words(of run: ArraySlice<Int>) -> ArraySlice<Int> {
        let words = run.trimmed { !TextDiff.isWord(cells[$0].scalar) }
        return words.isEmpty ? run : words
    }

    /// Whether what is before and after the words of a run is also before and after a range of the server's text, where it may be found as
    /// that of another line, such as a list mark.
    private func isBeside(_ before: ArraySlice<Int>, _ after: ArraySlice<Int>, _ range: ClosedRange<Int>) -> Bool {
        server[..<range.lowerBound].suffix(before.count).elementsEqual(before.map { cells[$0].scalar })
            && server[(range.upperBound + 1)...].prefix(after.count).elementsEqual(after.map { cells[$0].scalar })
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
}

extension RandomAccessCollection {
    /// Returns the elements without those at both ends that satisfy `isRedundant`.
    func trimmed(_ isRedundant: (Element) -> Bool) -> SubSequence {
        let rest = drop(while: isRedundant)
        return rest.dropLast(rest.reversed().prefix(while: isRedundant).count)
    }
}
