package import TextCRDT

extension NoteDocument {
    /// Carries out an edit request of an agent that knows the version `known` of the text. One that was carried out before
    /// changes nothing, and is answered in the same way.
    package mutating func perform(
        _ request: EditRequest, note: String, by agent: String, known: Version?
    ) throws(TextCRDTError) -> (others: TextDelta?, own: TextDelta) {
        let field = request.field
        let (from, before, changes) = way(field, since: known)
        let others =
            from == before
            ? nil
            : TextDelta(
                note: note, field: field, from: from, to: before, edits: changes,
                acknowledged: self[field].nextSequence(of: agent))
        var edits: [TextEdit] = []
        if self[field].nextSequence(of: agent) <= request.sequence {
            // The client counts its events itself: this store may be an older copy, and its events are elsewhere already.
            edits = try apply(request.edits, to: field, by: agent, at: request.base, from: request.sequence)
        }
        let own = TextDelta(
            note: note, field: field, from: before, to: self[field].version, edits: edits,
            acknowledged: self[field].nextSequence(of: agent))
        return (others, own)
    }

    /// Returns what leads from a version of a text to its newest one: the whole text from nil, from a version that is not
    /// known here, and where the way is long.
    package func way(
        _ field: NoteField, since version: Version?
    ) -> (from: Version?, to: Version, edits: [TextEdit]) {
        let text = self[field]
        if let version, let edits = try? text.edits(since: version), edits.count <= ServerSession.maximumDelta {
            return (version, text.version, edits)
        }
        let whole = text.text
        return (nil, text.version, whole.isEmpty ? [] : [TextEdit(position: 0, inserted: whole)])
    }
}
