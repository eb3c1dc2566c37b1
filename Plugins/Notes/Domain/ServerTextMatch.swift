/// What a text of a server has of the text here, if its author had read the versions that were sent up to one of them.
///
/// What was typed here counts as found only as whole runs at their own place: the same letters elsewhere, or a part of a run
/// between other words, are someone else's.
struct ServerTextMatch {
    typealias Scalars = TextDiff.Scalars

    /// The length from which on a run that is found whole was read, however much else has changed.
    private static let provingCount = 12

    /// The index of the last sent version whose insertions are looked for; -1 for none.
    let stage: Int
    /// The cells that the author may have read, by their index.
    private(set) var base: [Int]
    /// For each cell of `base` its place in the text of the server, or -1.
    private(set) var places: [Int]
    /// The replaced ranges between `base` and the text.
    private(set) var hunks: [SequenceDiff.Hunk]
    /// The number of scalars that the author added, and of scalars of others that they removed.
    private(set) var cost = 0
    /// The last sent version that the author had read, as shown by runs of it that only the author can have typed; -1 without any.
    private(set) var readStage = -1
    /// The last one of which such a run is too long to be there by chance; -1 without any.
    private(set) var provenStage = -1
    /// Whether all runs that were sent later than `readStage` were found.
    private(set) var isWhole = true
    /// The cells of runs that were not found.
    private(set) var absent: Set<Int> = []
    /// The cells of short runs that were found, but beside nothing that is beside them here: they may be there by chance.
    private(set) var loose: Set<Int> = []

    /// Compares `server` with the cells of a version, without those of `dropped`.
    init(
        _ cells: ArraySlice<StagedScalar>, _ server: Scalars, stage: Int, isCoarse: (Int) -> Bool,
        without dropped: Set<Int> = []
    ) {
        self.stage = stage
        base = cells.indices.filter { index in
            // What was moved here had been there before, at whatever version.
            (cells[index].isIn(stage) || (!cells[index].isNew && cells[index].deletion < 0)) && !dropped.contains(index)
        }
        let text = Scalars(base.map { cells[$0].scalar })
        places = [Int](repeating: -1, count: base.count)
        // Someone else may have any words; what was sent from here is hardly gone while the same words are there.
        hunks = WordDiff.hunks(text, server) { [base] in cells[base[$0]].stage >= 0 }
        findUnchanged(cells, text, server)
        dropPartlyDeleted(cells)
        checkRuns(cells, isCoarse)
        cost = server.count - places.count { $0 >= 0 }
        for (index, place) in zip(base, places) where place < 0 && cells[index].stage < 0 && cells[index].deletion < 0 {
            cost += 1
        }
    }

    private mutating func findUnchanged(_ cells: ArraySlice<StagedScalar>, _ text: Scalars, _ server: Scalars) {
        var (index, place) = (0, 0)
        func fill(_ places: inout [Int], to end: Int) {
            while index < end {
                places[index] = place
                (index, place) = (index + 1, place + 1)
            }
        }
        for hunk in hunks {
            fill(&places, to: hunk.old.lowerBound)
            // A word that was begun here may have been continued there.
            if WordDiff.isWord(text, hunk.old), !isOneRun(hunk.old, cells) {
                let (old, new) = (text[hunk.old], server[hunk.new])
                if new.starts(with: old) {
                    place = hunk.new.lowerBound
                    fill(&places, to: hunk.old.upperBound)
                } else if new.reversed().starts(with: old.reversed()) {
                    place = hunk.new.upperBound - hunk.old.count
                    fill(&places, to: hunk.old.upperBound)
                }
            }
            (index, place) = (hunk.old.upperBound, hunk.new.upperBound)
        }
        fill(&places, to: base.count)
    }

    /// Whether some cells of `base` were typed here and sent together.
    private func isOneRun(_ range: Range<Int>, _ cells: ArraySlice<StagedScalar>) -> Bool {
        let stages = range.map { cells[base[$0]].stage }
        return stages.allSatisfy { $0 >= 0 && $0 == stages[0] }
    }

    /// What was deleted here is still there only as a whole; a part of it is what someone else typed.
    private mutating func dropPartlyDeleted(_ cells: ArraySlice<StagedScalar>) {
        var start = 0
        for end in base.indices.map({ $0 + 1 }) {
            let deletion = cells[base[start]].deletion
            if end < base.count, cells[base[end]].deletion == deletion { continue }
            if deletion >= 0, places[start..<end].contains(where: { $0 < 0 }) {
                for index in start..<end { places[index] = -1 }
            }
            start = end
        }
    }

    private mutating func checkRuns(_ cells: ArraySlice<StagedScalar>, _ isCoarse: (Int) -> Bool) {
        var missing: [(stage: Int, cells: [Int])] = []
        let replaced = hunks.filter { !$0.new.isEmpty }
        for run in cells.runs(base) {
            let found = run.map { base[$0] }
            let stage = cells[found[0]].stage
            // The lines and words around it may be others, and so what separates it from them.
            let words = run.trimmed { !TextDiff.isWord(cells[base[$0]].scalar) }
            let lost = (words.isEmpty ? run[...] : words).filter { places[$0] < 0 }
            guard lost.isEmpty else {
                // A part that was only deleted there is sent again at its place; with other words there, it is another text.
                let isReplaced = lost.contains { index in replaced.contains { $0.old.contains(index) } }
                if stage <= self.stage, isReplaced || lost.count == run.count { missing.append((stage, found)) }
                continue
            }
            let isTelling = WordDiff.isTelling(found.map { cells[$0].scalar })
            if !isTelling, !isBesideNeighbor(run) { loose.formUnion(found) }
            if found.allSatisfy({ cells[$0].isNew }), isTelling {
                let read = isCoarse(stage) ? stage - 1 : stage
                readStage = max(readStage, read)
                if found.count >= Self.provingCount { provenStage = max(provenStage, read) }
            }
        }
        missing.removeAll { $0.stage <= readStage }
        absent = Set(missing.flatMap(\.cells))
        isWhole = missing.isEmpty
    }

    /// Whether the server's text has a run directly after what is before it here, or before what is after it.
    private func isBesideNeighbor(_ run: [Int]) -> Bool {
        guard let first = run.first, let last = run.last else { return false }
        let before = first == 0 ? -1 : places[first - 1]
        let after = last + 1 == base.count ? -1 : places[last + 1]
        return (before >= 0 && before + 1 == places[first]) || (after >= 0 && after == places[last] + 1)
    }

    /// Returns for each cell its place in the text of the server, or -1: also those in words of which a part was changed.
    func allPlaces(_ cells: ArraySlice<StagedScalar>, _ server: Scalars) -> [Int] {
        var found = [Int](repeating: -1, count: cells.count)
        for (index, place) in zip(base, places) { found[index - cells.startIndex] = place }
        let text = Scalars(base.map { cells[$0].scalar })
        for hunk in hunks where hunk.old.allSatisfy({ places[$0] < 0 && cells[base[$0]].deletion < 0 }) {
            guard WordDiff.isWord(text, hunk.old), WordDiff.isWord(server, hunk.new),
                base[hunk.old.upperBound - 1] - base[hunk.old.lowerBound] == hunk.old.count - 1
            else { continue }
            var (index, place) = (0, 0)
            let end = SequenceDiff.Hunk(
                old: hunk.old.count..<hunk.old.count, new: hunk.new.count..<hunk.new.count)
            for part in TextDiff.hunks(Scalars(text[hunk.old]), Scalars(server[hunk.new])) + [end] {
                while index < part.old.lowerBound {
                    found[base[hunk.old.lowerBound + index] - cells.startIndex] = hunk.new.lowerBound + place
                    (index, place) = (index + 1, place + 1)
                }
                (index, place) = (part.old.upperBound, part.new.upperBound)
            }
        }
        return found
    }
}
