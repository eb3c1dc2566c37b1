import ContactsDomain
import Sync
import System

/// A fetched card, with all values derived from it.
struct FetchedCard: IncomingItem {
    let place: RemoteEntry
    let card: Card
    /// The identity of the card.
    let source: Int
    /// The `UID`, without `urn:uuid:`.
    let uid: ByteString?
    /// The `UID`s of the cards that it refers to.
    let references: [ByteString]
    /// The content hash.
    let hash: Int
    /// The index row; with the id for a new contact.
    let entry: ContactIndexRow
    /// The error of the request; nil if it was fetched.
    let failure: String?
    /// Whether it is a valid vCard.
    let isReadable: Bool

    init(_ remote: RemoteCard, _ rules: IndexingOptions) {
        place = RemoteEntry(href: remote.href, etag: remote.etag)
        card = Card(remote.bytes)
        let details = card.details
        (uid, references) = (details.uid?.withoutURN, details.references)
        hash = card.syncHash
        source = CardSource.key(uid: details.uid, contentHash: hash)
        entry = ContactIndexRow(id: Identifier.make(), details, rules)
        failure = remote.failure
        isReadable = remote.failure == nil && card.isReadable
    }
}

extension FetchedCard {
    var href: String { place.href }
    var identity: Int? { source }

    /// The problem of an unreadable card.
    var problem: SyncProblem<String> {
        SyncProblem(failure.map { .unfetchable($0) } ?? .unreadable, href: href)
    }
}

extension Card {
    /// Whether it is a valid vCard.
    var isReadable: Bool { first(.begin) != nil && first(.end) != nil && refusal == nil }
}

/// The result of storing a fetched card.
struct ReceivedCard: Sendable {
    /// The outcome for the engine.
    var outcome: FetchOutcome<String>
    /// The change of the contact here.
    var change = Change.none
    /// Whether both sides had changed it.
    var isMerged = false
    /// The conflicting fields.
    var conflicts: [String] = []
    /// The index row of a new contact that has none yet.
    var entry: ContactIndexRow?
    /// The `UID`s of the card here and there, if the server has given it a new one.
    var renamed: (ours: ByteString, theirs: ByteString)?
    /// The book from which another program moved the contact's card.
    var movedFrom: String?
    /// The contact in no book with the same `UID`, which was not changed.
    var twin: String?

    enum Change: Sendable {
        case none, new, changed
    }
}
