import TextCRDT

/// A scalar of a text here, or one that was deleted here and may still be on a server of whole notes.
struct StagedScalar {
    let scalar: UInt32
    /// The index of the first sent version that has the scalar, if it was typed here and is not settled; else -1.
    let stage: Int
    /// The index of the first sent version that has its deletion; -1 while it is there.
    var deletion = -1
    /// Whether the scalar was not on the server before its stage, and so shows that the stage was read.
    var isNew = true
    /// The index of the first sent version that has the scalar, no matter who typed it; -1 for what is settled.
    var arrival = -1

    /// Whether the server showed the scalar after what is settled.
    var isRecent: Bool { stage < 0 && arrival >= 0 }

    /// Whether it was typed here and is not settled.
    var isOwn: Bool { stage >= 0 && deletion < 0 }

    /// Whether the sent version with an index has the scalar.
    func isIn(_ version: Int) -> Bool { stage <= version && (deletion < 0 || deletion > version) }
}

/// A text with what each sent version added to it and removed from it.
struct StagedText {
    let cells: [StagedScalar]

    /// Creates the cells of a text. `isOwn` tells the agents of this side, `isMoved` those that moved what the server had before.
    init(
        _ text: ReplicatedText, _ field: NoteField, _ sent: SentEdits, isOwn: (String) -> Bool,
        isMoved: (String) -> Bool
    ) throws(TextCRDTError) {
        var buffer = Buffer(try text.text(at: sent.settled[field]))
        for group in try text.edits(since: sent.settled[field], stages: sent.sent.map(\.version[field])) {
            let isSeen = group.stage < sent.sent.count && sent.sent[group.stage].areDeletionsSeen
            for edit in group.edits {
                buffer.apply(
                    edit, stage: isOwn(group.agent) ? group.stage : -1, arrival: group.stage, keepsDeleted: !isSeen,
                    isNew: !isMoved(group.agent))
            }
        }
        cells = buffer.cells
    }

    /// The cells of a text while it is edited; edits near each other cost little.
    private struct Buffer {
        private var left: [StagedScalar] = []
        /// The cells after the last edit, the last one first.
        private var right: [StagedScalar]
        /// The number of cells in `left` that are not deleted.
        private var position = 0

        init(_ text: String) {
            right = text.unicodeScalars.reversed().map { StagedScalar(scalar: $0.value, stage: -1) }
        }

        var cells: [StagedScalar] { left + right.reversed() }

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

        mutating func apply(_ edit: TextEdit, stage: Int, arrival: Int, keepsDeleted: Bool, isNew: Bool) {
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
            left += edit.inserted.unicodeScalars.map {
                StagedScalar(scalar: $0.value, stage: stage, isNew: isNew, arrival: arrival)
            }
            position += edit.inserted.unicodeScalars.count
        }
    }
}

extension Collection<StagedScalar> where Index == Int {
    /// Returns the runs that were typed here and sent together, as offsets in `indices`, which are some cells in their order: what the
    /// server or a later version has put into a run does not part it.
    func runs(_ indices: [Int]) -> [[Int]] {
        var runs: [[Int]] = []
        /// The run of each stage that may go on.
        var open: [Int: Int] = [:]
        for (offset, index) in indices.enumerated() {
            let cell = self[index]
            if !open.isEmpty { open = open.filter { $0.key <= cell.arrival } }
            guard cell.stage >= 0 else { continue }
            if let run = open[cell.stage] {
                runs[run].append(offset)
            } else {
                open[cell.stage] = runs.count
                runs.append([offset])
            }
        }
        return runs
    }
}
