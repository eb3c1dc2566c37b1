extension ReplicatedText {
    /// Carries the events added since `mark` over to the text; returns what they changed there. When one of them cannot
    /// be, none is kept.
    ///
    /// Throws ``TextCRDTError/tooComplex`` when it takes many more than `maximumSteps` steps.
    mutating func integrate(
        from mark: Mark, maximumSteps: Int = .max
    ) throws(TextCRDTError) -> [TextEdit] {
        guard graph.count > mark.eventCount else { return [] }
        var edits = EditCollector(length: buffer.count)
        do throws(TextCRDTError) {
            try replay(from: mark, &edits, maximumSteps)
        } catch {
            rewind(to: mark)
            throw error
        }
        edits.apply(to: &buffer, log)
        return edits.edits(log)
    }

    private borrowing func replay(
        from mark: Mark, _ edits: inout EditCollector, _ maximumSteps: Int
    ) throws(TextCRDTError) {
        let end = graph.count
        var left = maximumSteps
        let (base, stretches) = graph.criticalEvents(from: mark.eventCount)
        var next = mark.eventCount
        // The events that were known before and do not precede a critical version.
        var known = base + 1..<mark.eventCount
        for stretch in stretches + [end...end] {
            if next < stretch.lowerBound {
                var walker = Walker(self, base: known.lowerBound - 1, end: stretch.lowerBound, maximumSteps: left)
                if !known.isEmpty { try walker.visit([known]) }
                walker.setLength(edits.length)
                try walker.visit([next..<stretch.lowerBound], &edits)
                left -= walker.steps
            }
            guard stretch.lowerBound < end else { break }
            try follow(stretch.lowerBound..<stretch.upperBound + 1, &edits)
            next = stretch.upperBound + 1
            known = next..<next
        }
    }

    /// Takes over edits that were made on the text as it is.
    private borrowing func follow(_ events: Range<Int>, _ edits: inout EditCollector) throws(TextCRDTError) {
        do {
            try log.forEachRun(in: events) { run in
                let end = run.position + (run.kind == .insert ? 0 : run.count)
                guard run.position >= 0, end <= edits.length else {
                    throw TextCRDTError.outOfBounds(position: run.position, count: run.count)
                }
                if run.kind == .insert {
                    edits.add(run.position, 0, run.content..<run.content + run.count)
                } else {
                    edits.add(run.position, run.count, 0..<0)
                }
            }
        } catch {
            throw error as? TextCRDTError ?? .malformed("edit")
        }
    }
}

/// Edits as they come out of a merge, put together where one goes on where the last ended.
struct EditCollector {
    private var pieces: [EditScript.Piece] = []
    /// The scalars between the places of consecutive edits, which the gap of a text would move.
    private var distance = 0
    /// The length of the text after the edits so far.
    private(set) var length: Int

    /// For a text that is `length` long.
    init(length: Int) { self.length = length }

    mutating func add(_ position: Int, _ deleted: Int, _ content: Range<Int>) {
        length += content.count - deleted
        if let last = pieces.last {
            let index = pieces.count - 1
            if deleted == 0, last.position + last.content.count == position,
                last.content.upperBound == content.lowerBound,
                !last.content.isEmpty
            {
                pieces[index].content = last.content.lowerBound..<content.upperBound
                return
            }
            if content.isEmpty, last.content.isEmpty, position == last.position || position + deleted == last.position {
                pieces[index].position = position
                pieces[index].deleted += deleted
                return
            }
        }
        if let last = pieces.last { distance += abs(position - last.position) }
        pieces.append((position, deleted, content))
    }

    func apply(to buffer: inout GapBuffer, _ log: OperationLog) {
        // Edits far from each other are put together first, so that the text is moved once.
        if pieces.count > 64, distance / 16 > buffer.count + 16 * pieces.count {
            buffer = EditScript(pieces[...]).applied(to: buffer, log)
            return
        }
        for piece in pieces {
            if piece.deleted > 0 { buffer.remove(piece.deleted, at: piece.position) }
            if !piece.content.isEmpty { buffer.insert(log.scalars[piece.content], at: piece.position) }
        }
    }

    func edits(_ log: OperationLog) -> [TextEdit] {
        pieces.map {
            TextEdit(
                position: $0.position, deletedCount: $0.deleted, inserted: String(scalars: log.scalars[$0.content]))
        }
    }
}
