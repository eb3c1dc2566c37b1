package import TextCRDT

/// One text in an editor that keeps no history: it sends edits against the version that it knows and carries what is not yet
/// confirmed over what others do meanwhile. The page does the same in JavaScript; this is the reference.
///
/// At most one request is on its way. Its number is that of its first event, so a repeated one changes nothing, and what
/// ``Snapshot`` keeps brings everything back after a reload or a drop.
package struct EditClient: Sendable {
    /// What survives a reload of the page.
    package struct Snapshot: Hashable, Sendable {
        /// The version that the server is known to have had.
        package var version: Version
        /// The text at this version.
        package var text: String
        /// The edits that were sent and not confirmed, relative to the text.
        package var inFlight: [TextEdit]
        /// The edits that were not sent, relative to the text with those in flight.
        package var buffered: [TextEdit]
        /// The number of the first event in flight, or else of the next one.
        package var sequence: Int
    }

    /// The note.
    package let note: String
    /// The text of the note.
    package let field: NoteField
    private var version: Version
    /// The text of the server at `version`.
    private var known: String
    private var inFlight: EditRequest?
    private var inFlightChange = TextChange()
    private var buffered = TextChange()
    private var sequence: Int
    /// Whether requests can be sent: the text was opened on this connection.
    private var isOpen = false

    /// Creates an editor for a text that was never opened, or continues from a snapshot.
    package init(note: String, field: NoteField = .content, _ snapshot: Snapshot? = nil) {
        self.note = note
        self.field = field
        version = snapshot?.version ?? Version([])
        known = snapshot?.text ?? ""
        sequence = snapshot?.sequence ?? 0
        buffered = TextChange(snapshot?.buffered ?? [])
        if let edits = snapshot?.inFlight, !edits.isEmpty {
            inFlightChange = TextChange(edits)
            inFlight = EditRequest(field: field, sequence: sequence, base: version, edits: edits)
        }
    }

    /// What to keep so that nothing is lost by a reload.
    package var snapshot: Snapshot {
        Snapshot(
            version: version, text: known, inFlight: inFlightChange.edits, buffered: buffered.edits, sequence: sequence)
    }

    /// The text as the editor shows it.
    package var text: String { buffered.applied(to: inFlightChange.applied(to: known)) }

    /// Whether everything typed is confirmed by the server.
    package var isSaved: Bool { inFlight == nil && buffered.isEmpty }

    /// The request that opens the text on a new connection.
    package func opening(number: Int) -> NoteRequest {
        var since = NoteVersion()
        since[field] = version
        return NoteRequest(number, note, .open(since))
    }

    /// Records that the connection was lost.
    package mutating func disconnected() { isOpen = false }

    /// Takes in edits of the shown text by its user.
    package mutating func type(_ edits: [TextEdit]) { buffered = buffered.then(TextChange(edits)) }

    /// Returns the request to send now; nil when there is nothing, or one is on its way.
    package mutating func request(number: Int) -> NoteRequest? {
        guard isOpen, inFlight == nil, !buffered.isEmpty else { return nil }
        let edit = EditRequest(field: field, sequence: sequence, base: version, edits: buffered.edits)
        (inFlight, inFlightChange, buffered) = (edit, buffered, TextChange())
        return NoteRequest(number, note, .edit(edit))
    }

    /// Takes in what the server sends; returns the edits of the shown text. Nil when the server's text does not follow the
    /// known one: open it again.
    package mutating func receive(_ delta: TextDelta) -> [TextEdit]? {
        guard delta.from == nil || delta.from == version else { return nil }
        let next = TextChange(delta.edits).applied(to: delta.from == nil ? "" : known)
        let edits = delta.from == nil ? TextDiff.edits(from: known, to: next) : delta.edits
        var change = TextChange(edits)
        defer {
            (version, known) = (delta.to, next)
            sequence = max(sequence, inFlight?.sequence ?? delta.acknowledged)
        }
        if let request = inFlight, delta.acknowledged > request.sequence {
            let sent = inFlightChange
            (inFlight, inFlightChange) = (nil, TextChange())
            if change.edits == sent.edits { return [] }
            let shown = buffered.applied(to: sent.applied(to: known))
            let places = ConfirmedPlaces(sent: sent, stored: change, length: known.unicodeScalars.count)
            buffered = places.carried(buffered)
            return TextDiff.edits(from: shown, to: buffered.applied(to: next))
        }
        let carried = inFlightChange.over(change, isFirst: false)
        change = change.over(inFlightChange, isFirst: true)
        inFlightChange = carried
        let over = buffered.over(change, isFirst: false)
        change = change.over(buffered, isFirst: true)
        buffered = over
        return change.edits
    }

    /// Records the server's first answer after ``opening(number:)``. Returns the request to repeat, carried over to the known
    /// version; nil when all is confirmed.
    package mutating func opened(acknowledged: Int, number: Int) -> NoteRequest? {
        isOpen = true
        guard inFlight != nil else {
            sequence = max(sequence, acknowledged)
            return nil
        }
        // The server has nothing of it, or all: it was carried over to the version that is known now.
        guard !inFlightChange.isEmpty else {
            inFlight = nil
            return nil
        }
        let edit = EditRequest(field: field, sequence: sequence, base: version, edits: inFlightChange.edits)
        inFlight = edit
        return NoteRequest(number, note, .edit(edit))
    }
}
