import ContactsDomain
import HubKit
import Links

/// A card on its way in, with all that is computed from it alone.
struct FetchedCard: Sendable {
    let place: RemoteEntry
    let card: Card
    /// What tells it apart from other cards.
    let source: Int
    /// What it says, as a number.
    let hash: Int
    /// Its derived rows; under the id that it gets if it is a new contact.
    let entry: ContactEntry
    /// Why it was not given; nil when it was.
    let failure: String?
    /// Whether it is a vCard at all.
    let isReadable: Bool

    init(_ remote: RemoteCard, _ rules: IndexRules) {
        place = RemoteEntry(href: remote.href, tag: remote.tag)
        card = Card(remote.bytes)
        let details = card.details
        hash = card.syncHash
        source = CardSource.key(uid: details.uid, contentHash: hash)
        entry = ContactEntry(id: Identifier.make(), details, rules)
        failure = remote.failure
        isReadable = remote.failure == nil && card.isReadable
    }
}

extension FetchedCard {
    var href: String { place.href }

    /// Why it is left alone when it is not readable.
    var problem: SyncProblem {
        SyncProblem(failure.map { .unfetchable($0) } ?? .unreadable, href: href)
    }
}

extension Card {
    /// Whether it is a vCard at all.
    var isReadable: Bool { first(.begin) != nil && first(.end) != nil }
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
    /// The derived rows of a contact that is new here and has none yet.
    var entry: ContactEntry?
    /// The book from which another program moved the contact's card.
    var movedFrom: String?
    /// The contact that is only here, has the same `UID`, and was left alone.
    var twin: String?

    enum Change: Sendable {
        case none, new, changed
    }
}
