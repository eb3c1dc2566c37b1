/// What becomes of a contact's card when another state of it is imported.
///
/// What the file changed since the contact was imported last is taken over, what was edited here since stays. A state that
/// says in `REV` that it is older changes nothing. When it is not known what was imported, new values are added and none is
/// replaced or removed, for a value that the file lacks may have been added here.
package struct ImportMerge: Sendable {
    /// The contact's card after the import; the same bytes when nothing is taken over.
    package let card: Card
    /// What was taken over, in people's words.
    package let changes: [FieldChange]
    /// The fields in which the file says something else than what was edited here, which stays.
    package let kept: [String]
    /// Whether the file's state is older than what was imported before.
    package let isOlder: Bool
    /// Whether it is known what the contact's card was when it was imported last.
    package let isBaseKnown: Bool

    /// Merges `theirs` into `ours`; `base` is the card as it was imported last, nil when that is not known. `time` is the
    /// instant for `REV` of a card that holds changes of both, in milliseconds since 1970 UTC.
    package init(ours: Card, base: Card?, theirs: Card, region: CallingCode?, at time: Int64) {
        isBaseKnown = base != nil
        if let known = (base ?? ours).revisedAt, let revised = theirs.revisedAt, revised < known {
            (card, changes, kept, isOlder) = (ours, [], [], true)
            return
        }
        isOlder = false
        if let base {
            guard base.contentHash != ours.contentHash else {
                (card, kept) = (theirs, [])
                changes = ours.details.changes(to: theirs.details)
                return
            }
            let merge = CardMerge(ours: ours, ourBase: base, theirBase: base, theirs: theirs)
            let isChanged = merge.card.contentHash != ours.contentHash
            card = isChanged ? merge.card.revised(at: time) : ours
            changes = merge.changes
            kept = ImportMerge.unique(merge.conflicts.map(\.name))
        } else {
            let union = CardUnion(ours, with: theirs, remembering: nil, region: region, at: time)
            card = union.card
            changes = ours.details.changes(to: union.card.details)
            kept = ImportMerge.unique(union.conflicts.map(\.field.rawValue))
        }
    }

    private static func unique(_ names: [String]) -> [String] {
        names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The longest value that is shown.
    private static let maximumLength = 60
    /// How many changes are listed.
    private static let maximumCount = 8

    /// What was done, for a person; nil when there is nothing to say.
    package var words: String? {
        var parts = changes.prefix(ImportMerge.maximumCount).map { change in
            let text = change.description
            return text.count > ImportMerge.maximumLength ? "\(text.prefix(ImportMerge.maximumLength - 1))…" : text
        }
        if changes.count > ImportMerge.maximumCount {
            parts.append("and \(changes.count - ImportMerge.maximumCount) more")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
