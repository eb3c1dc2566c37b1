/// The merge of a contact's card with a newly imported state of it.
///
/// Changes in the file since the last import are applied, local edits are kept. A state with an older `REV` changes
/// nothing. If the last imported state is unknown, new values are added and none is replaced or removed, since a value
/// that the file lacks may have been added here.
package struct ImportMerge: Sendable {
    /// The merged card; the same bytes if nothing changes.
    package let card: Card
    /// The applied changes.
    package let changes: [FieldChange]
    /// The fields where the file differs from local edits, which are kept.
    package let kept: [String]
    /// Whether the file's state is older than the last import.
    package let isOlder: Bool
    /// Whether the last imported state is known.
    package let isBaseKnown: Bool

    /// Merges `theirs` into `ours`; `base` is the last imported card, nil if unknown. `time` is the time for `REV` of a
    /// card with changes of both, in milliseconds since 1970 UTC.
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

    /// The maximum length of a displayed value.
    private static let maximumLength = 60
    /// The maximum number of listed changes.
    private static let maximumCount = 8

    /// A description of the changes; nil if there are none.
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
