import ContentLines
import Text

/// The union of two cards.
package struct CardUnion: Sendable {
    /// The card with the values of both; the same bytes if the other has no new ones.
    package let card: Card
    /// The conflicting single values.
    package let conflicts: [MergeConflict]

    /// Merges `other` into `card`.
    ///
    /// Lines of `card` without new values keep their bytes. Lists are united by main value, labels are joined, notes
    /// are concatenated, the larger picture is kept, and unknown lines of `other` are added unless they exist. A field
    /// with a single value is kept; the other's value is used if it is empty, or if `taking` contains the field.
    /// `source` is recorded, so that the other card is recognised when it is imported again. `time` is the time for
    /// `REV`, in milliseconds since 1970 UTC.
    package init(
        _ card: Card, with other: Card, remembering source: MergedSource?, taking: Set<MergeField> = [],
        region: CallingCode? = nil, at time: Int64?
    ) {
        var merger = CardUnionBuilder(card, other.converted(to: card.version), taking, region)
        merger.merge()
        if let source { merger.remember(source) }
        if let time, merger.hasChanged { merger.patch.setRevision(time) }
        self.card = merger.hasChanged ? Card(merger.patch.bytes()) : card
        conflicts = merger.conflicts
    }
}

extension Card {
    /// The parameter for the content hash of a merged card as last imported.
    private static let contentParameter = "X-HUB-CONTENT"

    /// The values of an `X-HUB-MERGED-UID` property.
    func mergedSource(_ property: Property) -> MergedSource {
        let content = parameter(Card.contentParameter, of: property).flatMap { UInt64($0, radix: 16) }
        return MergedSource(uid: ByteString(trimmedText(property)), content: content.map { Int(bitPattern: UInt($0)) })
    }

    /// Returns the card with the records of merged cards that are new in `new` since `base`, and without those that it
    /// no longer has.
    package func recordingMerges(of new: Card, since base: Card) -> Card {
        let (before, after) = (base.details.mergedSources, new.details.mergedSources)
        let gone = before.filter { !after.contains($0) }
        let mine = details.mergedSources
        let added = after.filter { !before.contains($0) && !mine.contains($0) }
        if gone.isEmpty, added.isEmpty { return self }
        var patch = CardPatch(self)
        for place in all(.mergedUID) where gone.contains(mergedSource(properties[place])) {
            patch.apply(.remove(place))
        }
        for source in added { patch.insert(Card.line(for: source), behind: patch.lastPlace) }
        return Card(patch.bytes())
    }

    /// The line that records a merged card.
    static func line(for source: MergedSource) -> PropertyLine {
        var line = PropertyLine(
            PropertyKind.mergedUID.rawValue, content: source.uid.bytes.filter { $0 != ASCII.cr && $0 != ASCII.lf })
        if let content = source.content {
            line.parameters = [
                ContentParameter(contentParameter, written: String(UInt64(UInt(bitPattern: content)), radix: 16))
            ]
        }
        return line
    }
}
