/// A three-way merge of two versions of a card, property by property.
///
/// What only they changed is written into our card; every other line of ours keeps its bytes. What both changed in
/// different ways is a conflict: there ours stays, unless `choice` says otherwise. The two sides had different texts when
/// they were last equal if the other side rewrites what it is given, so each has a base of its own.
package struct CardMerge: Sendable {
    /// What becomes of the values that both sides changed.
    package enum Choice: String, CaseIterable, Sendable {
        /// Ours stay.
        case here
        /// Theirs replace ours.
        case there
        /// Both are kept, where a card can hold both.
        case both
    }

    /// What becomes of each of them: a choice for all, and others for some fields by their ``Clash/name``.
    package struct Choices: Sendable {
        let all: Choice?
        let byField: [String: Choice]

        package init(_ all: Choice?, byField: [String: Choice] = [:]) {
            self.all = all
            self.byField = byField
        }

        /// The choice for the field `name`; nil when there is none.
        package subscript(name: String) -> Choice? { byField[name] ?? all }
    }

    /// A value that both sides changed in different ways.
    package struct Clash: Hashable, Sendable {
        /// The field in people's words, such as `phone`.
        package let field: String
        /// The kind of the value, such as `mobile`; may be empty.
        package let label: String
        /// Our value; nil when we removed it.
        package let ours: String?
        /// Their value; nil when they removed it.
        package let theirs: String?
        /// Whether a card can hold both values.
        package let canKeepBoth: Bool

        /// As in `phone mobile`.
        package var name: String { label.isEmpty ? field : "\(field) \(label)" }
    }

    /// Our card with their changes.
    package let card: Card
    /// What both sides changed; empty when `choice` has decided.
    package let conflicts: [Clash]
    /// What was taken over from them, in people's words.
    package let changes: [FieldChange]

    /// Merges what they changed between `theirBase` and `theirs` into `ours`, which was `ourBase` then.
    package init(ours: Card, ourBase: Card, theirBase: Card, theirs: Card, choice: Choice? = nil) {
        self.init(ours: ours, ourBase: ourBase, theirBase: theirBase, theirs: theirs, choices: Choices(choice))
    }

    /// The same with a choice for each field.
    package init(ours: Card, ourBase: Card, theirBase: Card, theirs: Card, choices: Choices) {
        func inOurVersion(_ card: Card) -> Card {
            card.version == ours.version ? card : card.converted(to: ours.version)
        }
        var merger = CardMerger(ours: ours, theirs: inOurVersion(theirs), choices: choices)
        merger.merge(ourBase: inOurVersion(ourBase), theirBase: inOurVersion(theirBase))
        card = merger.result
        conflicts = merger.conflicts
        changes = card.bytes == ours.bytes ? [] : ours.details.changes(to: card.details)
    }
}
