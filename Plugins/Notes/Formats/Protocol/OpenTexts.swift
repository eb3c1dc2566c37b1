package import TextCRDT

/// The texts of a note that several people edit now, with the newest changes of both: who knows a recent version gets what follows
/// it without a look at the history.
package struct OpenTexts: Sendable {
    /// What leads from a version to the newest one; from nil, the whole text.
    package typealias Way = (from: Version?, to: Version, edits: [TextEdit])

    private struct Change {
        let from: Version
        let edits: [TextEdit]

        /// About the bytes that it takes in memory.
        var size: Int { edits.reduce(128) { $0 + 32 + $1.inserted.utf8.count } }
    }

    /// The changes of a text that are kept at least, once there are so many.
    private static let keptChanges = 256

    /// The texts with their history.
    package private(set) var document: NoteDocument
    /// The newest version.
    package private(set) var version: NoteVersion
    /// The newest changes of the texts, the oldest first; each leads to the version of the next, and the last to the newest one.
    private var titleChanges: [Change] = []
    private var contentChanges: [Change] = []
    private var changesSize = 0
    /// About the bytes that an event takes in memory, with its share of its run and of the text.
    private static let eventSize = 16

    /// Takes texts as they are stored, without the changes that led to them.
    package init(_ document: NoteDocument) {
        self.document = document
        self.document.isLive = true
        version = document.version
    }

    // MARK: Edits

    /// Carries out an edit request of an agent that knows the version `known` of the text. One that was carried out before
    /// changes nothing, and is answered in the same way.
    package mutating func perform(
        _ request: EditRequest, in note: String, by agent: String, known: Version?
    ) throws(TextCRDTError) -> (others: TextDelta?, own: TextDelta) {
        let field = request.field
        let (from, before, changes) = way(field, since: known)
        let others =
            from == before
            ? nil
            : TextDelta(
                note: note, field: field, from: from, to: before, edits: changes,
                acknowledged: document[field].nextSequence(of: agent))
        var edits: [TextEdit] = []
        if document[field].nextSequence(of: agent) <= request.sequence {
            // The client counts its events itself: this store may be an older copy, and its events are elsewhere already.
            edits = try document.apply(
                request.edits, to: field, by: agent, at: request.base, from: request.sequence)
            add(edits, to: field)
        }
        let own = TextDelta(
            note: note, field: field, from: before, to: version[field], edits: edits,
            acknowledged: document[field].nextSequence(of: agent))
        return (others, own)
    }

    /// Takes in events of another replica; both parts or none. Returns the resulting changes of the texts.
    package mutating func merge(_ patch: NotePatch) throws(TextCRDTError) -> NoteEdits {
        let edits = try document.merge(patch)
        for field in NoteField.allCases where patch[field] != nil { add(edits[field], to: field) }
        return edits
    }

    /// Changes the texts in place. `change` returns the resulting changes with its own result; after an error the texts are not to be used.
    package mutating func change<Result, Failure: Error>(
        _ change: (inout NoteDocument) throws(Failure) -> (edits: NoteEdits, result: Result)
    ) throws(Failure) -> Result {
        let (edits, result) = try change(&document)
        for field in NoteField.allCases { add(edits[field], to: field) }
        return result
    }

    /// Replaces the texts by what edits have made of them elsewhere.
    package mutating func replace(by document: NoteDocument, after edits: NoteEdits) {
        self.document = document
        self.document.isLive = true
        for field in NoteField.allCases { add(edits[field], to: field) }
    }

    /// Records that the document has changed by edits.
    private mutating func add(_ edits: [TextEdit], to field: NoteField) {
        let newest = document[field].version
        guard newest != version[field] else { return }
        let change = Change(from: version[field], edits: edits)
        version[field] = newest
        changesSize += change.size
        switch field {
        case .title: changesSize -= Self.add(change, to: &titleChanges)
        case .content: changesSize -= Self.add(change, to: &contentChanges)
        }
    }

    /// Adds a change; returns the size of those that it takes the place of.
    private static func add(_ change: Change, to changes: inout [Change]) -> Int {
        defer { changes.append(change) }
        guard changes.count == 2 * keptChanges else { return 0 }
        defer { changes.removeFirst(keptChanges) }
        return changes.prefix(keptChanges).reduce(0) { $0 + $1.size }
    }

    // MARK: Memory

    /// About the bytes that it takes in memory.
    package var size: Int {
        Self.eventSize * (document.title.eventCount + document.content.eventCount) + changesSize
    }

    /// Forgets the changes that led to the newest versions: who knows an older one gets what follows from the history.
    package mutating func forgetChanges() { (titleChanges, contentChanges, changesSize) = ([], [], 0) }

    // MARK: Versions

    /// Returns what leads from a version of a text to its newest one: the whole text from nil, from a version that is not known
    /// here, and where the way is long.
    package func way(_ field: NoteField, since known: Version?) -> Way {
        guard let known else { return document.way(field, since: nil) }
        if known == version[field] { return (known, known, []) }
        let changes = field == .title ? titleChanges : contentChanges
        guard let first = changes.lastIndex(where: { $0.from == known }) else {
            return document.way(field, since: known)
        }
        let edits = changes[first...].flatMap(\.edits)
        guard edits.count <= ServerSession.maximumDelta else { return document.way(field, since: nil) }
        return (known, version[field], edits)
    }

    /// Returns what a client that knows versions of the texts, or none, gets when it opens the note.
    package func texts(of note: String, since known: NoteVersion?, for agent: String) -> [TextDelta] {
        NoteField.allCases.map { field in
            let way = way(field, since: known?[field])
            return TextDelta(
                note: note, field: field, from: way.from, to: way.to, edits: way.edits,
                acknowledged: document[field].nextSequence(of: agent))
        }
    }

    /// Returns a cursor with its positions in the newest text; nil while edits of its version are missing here.
    package func placed(_ presence: Presence) -> Presence? {
        guard presence.selection != nil, let known = presence.version, known != version[presence.field] else {
            var placed = presence
            placed.version = version[presence.field]
            return placed
        }
        let way = way(presence.field, since: known)
        guard way.from != nil else { return document.placed(presence) }
        return presence.moved(by: way.edits, to: way.to)
    }
}

extension NoteDocument {
    /// Returns what leads from a version of a text to its newest one: the whole text from nil, from a version that is not
    /// known here, and where the way is long.
    package func way(_ field: NoteField, since version: Version?) -> OpenTexts.Way {
        let text = self[field]
        if let version, let edits = try? text.edits(since: version), edits.count <= ServerSession.maximumDelta {
            return (version, text.version, edits)
        }
        let whole = text.text
        return (nil, text.version, whole.isEmpty ? [] : [TextEdit(position: 0, inserted: whole)])
    }
}
