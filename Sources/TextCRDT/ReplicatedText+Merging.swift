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
            if isLive {
                try merge(from: mark, &edits, maximumSteps)
            } else {
                try replay(from: mark, &edits, maximumSteps)
            }
        } catch {
            walker = nil
            rewind(to: mark)
            throw error
        }
        edits.apply(to: &buffer, log)
        return edits.edits(log)
    }

    /// The edits that follow all before them after which a live text forgets the state of its merges.
    private static let calmEdits = 100

    /// Does the same as `replay`, and keeps the state of the merge: the next event costs no more than what is concurrent to it.
    private mutating func merge(
        from mark: Mark, _ edits: inout EditCollector, _ maximumSteps: Int
    ) throws(TextCRDTError) {
        let added = mark.eventCount..<graph.count
        let isStraight = isStraight(since: mark)
        calmCount = isStraight ? calmCount + 1 : 0
        if calmCount > Self.calmEdits { walker = nil }
        if walker == nil, isStraight { return try follow(added, &edits) }
        if let base = walker?.base,
            graph.runs[graph.runIndex(of: added.lowerBound)...].allSatisfy({
                $0.start < added.lowerBound || ($0.parents.first ?? -1) >= base
            })
        {
            walker?.extend(to: added.upperBound, maximumSteps: maximumSteps)
        } else {
            let base = graph.criticalEvents(from: mark.eventCount).base
            var made = Walker(base: base, end: added.upperBound, maximumSteps: maximumSteps)
            if base + 1 < mark.eventCount { try made.visit([base + 1..<mark.eventCount], graph, log) }
            made.setLength(edits.length)
            walker = made
        }
        try walker?.visit([added], graph, log, &edits)
    }

    /// Whether each event since `mark` follows all events before it.
    private func isStraight(since mark: Mark) -> Bool {
        graph.runs[graph.runIndex(of: mark.eventCount)...].allSatisfy { run in
            // The events of a run follow each other.
            run.start < mark.eventCount ? mark.heads.count <= 1 : run.joinsAll
        }
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
                var walker = Walker(base: known.lowerBound - 1, end: stretch.lowerBound, maximumSteps: left)
                if !known.isEmpty { try walker.visit([known], graph, log) }
                walker.setLength(edits.length)
                try walker.visit([next..<stretch.lowerBound], graph, log, &edits)
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
