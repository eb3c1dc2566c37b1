/// A three-way merge of two versions of a card, property by property.
///
/// Remote changes are applied to the local card; all other lines keep their bytes. Different changes of the same value
/// are a conflict: the local value is kept, unless `choice` says otherwise. If the server rewrites cards, the two sides
/// had different texts when they were last equal, so each side has its own base.
package struct CardMerge: Sendable {
    /// The choice for conflicting values.
    package enum Choice: String, CaseIterable, Sendable {
        /// Keep the local values.
        case here
        /// Take the remote values.
        case there
        /// Keep both where possible.
        case both
    }

    /// The choices for all conflicts: a default, and others for some fields by their ``Conflict/name``.
    package struct Choices: Sendable {
        let all: Choice?
        let byField: [String: Choice]

        package init(_ all: Choice?, byField: [String: Choice] = [:]) {
            self.all = all
            self.byField = byField
        }

        /// Returns the choice for the field `name`; nil if there is none.
        package subscript(name: String) -> Choice? { byField[name] ?? all }
    }

    /// A conflict: a value that both sides changed differently.
    package struct Conflict: Hashable, Sendable {
        /// The field, such as `phone`.
        package let field: String
        /// The label of the value, such as `mobile`; may be empty.
        package let label: String
        /// The local value; nil if it was removed.
        package let ours: String?
        /// The remote value; nil if it was removed.
        package let theirs: String?
        /// Whether both values can be kept.
        package let canKeepBoth: Bool

        /// The field with its label: `phone mobile`.
        package var name: String { label.isEmpty ? field : "\(field) \(label)" }
    }

    /// The merged card.
    package let card: Card
    /// The conflicts; empty if `choice` has resolved them.
    package let conflicts: [Conflict]
    /// The remote changes that were applied.
    package let changes: [FieldChange]

    /// Merges the remote changes between `theirBase` and `theirs` into `ours`, whose base is `ourBase`.
    package init(ours: Card, ourBase: Card, theirBase: Card, theirs: Card, choice: Choice? = nil) {
        self.init(ours: ours, ourBase: ourBase, theirBase: theirBase, theirs: theirs, choices: Choices(choice))
    }

    /// Merges with a choice per field.
    package init(ours: Card, ourBase: Card, theirBase: Card, theirs: Card, choices: Choices) {
        func inOurVersion(_ card: Card) -> Card {
            card.version == ours.version ? card : card.converted(to: ours.version)
        }
        var merger = CardMerger(ours: ours, theirs: inOurVersion(theirs), choices: choices)
        merger.merge(ourBase: inOurVersion(ourBase), theirBase: inOurVersion(theirBase))
        card = merger.result
        conflicts = merger.conflicts
        changes = card.bytes == ours.bytes ? [] : ours.changes(to: card)
    }
}
