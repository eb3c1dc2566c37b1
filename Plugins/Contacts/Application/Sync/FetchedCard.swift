import ContactsDomain
import HubKit
import Links

/// A card on its way in, with all that is computed from it alone.
struct FetchedCard: Sendable {
    let entry: RemoteEntry
    let card: Card
    /// What tells it apart from other cards.
    let source: Int
    /// Whether it is a vCard at all.
    let isReadable: Bool

    init(_ remote: RemoteCard) {
        entry = RemoteEntry(href: remote.href, tag: remote.tag)
        card = Card(remote.bytes)
        let details = card.details
        source = CardSource.key(uid: details.uid, contentHash: card.syncHash)
        isReadable = card.first(.begin) != nil && card.first(.end) != nil
    }
}

/// What storing a fetched card did.
struct ReceivedCard: Sendable {
    /// What the engine is told.
    var settlement: SyncSettlement
    /// How the contact changed here.
    var change = Change.none
    /// Whether both sides had changed it.
    var isMerged = false
    /// The fields that both sides changed in different ways.
    var conflicts: [String] = []

    enum Change: Sendable {
        case none, new, changed
    }
}
