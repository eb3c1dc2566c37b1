package import Sync

/// The next action of a sync.
package enum SyncAction: Hashable, Sendable {
    /// Ask the user for confirmation; answered by ``SyncEngine/consent(_:)``.
    case ask(SyncQuestion)
    /// Fetch these cards; each is answered by ``SyncEngine/settle(_:as:)``.
    case fetch([String])
    /// Create a card on the remote side; `attempt` counts from 1, and later attempts use another name.
    case create(contact: String, attempt: Int, inOldVersion: Bool)
    /// Update a remote card.
    case update(contact: String, RemoteEntry, inOldVersion: Bool)
    /// Delete a remote card.
    case remove(contact: String, RemoteEntry)
    /// Move the contacts to the trash whose cards were deleted remotely. The keys are contact ids, the values paths.
    case trash([String: String])
    /// Forget the links of these paths, where neither side has a card any more.
    case forget([String])
    /// Report a problem; the item is skipped.
    case tell(SyncProblem)
}

/// A request to confirm many removals.
package struct SyncQuestion: Hashable, Sendable {
    /// The number of contacts to move to the trash.
    package let removedHere: Int
    /// The number of remote cards to delete.
    package let removedThere: Int
    /// The number of contacts on both sides.
    package let total: Int

    package init(removedHere: Int, removedThere: Int, total: Int) {
        self.removedHere = removedHere
        self.removedThere = removedThere
        self.total = total
    }
}

/// The reason why a contact was not synced; the others are.
package struct SyncProblem: Hashable, Sendable {
    /// The kind of problem.
    package enum Reason: Hashable, Sendable {
        /// The book is read-only; local changes are not sent.
        case readOnly
        /// The book is read-only; the card stays there.
        case readOnlyRemoval
        /// The server rejected the card.
        case refused(ItemRefusal)
        /// The server rejected the deletion.
        case notRemovable(ItemRefusal)
        /// Two cards of the book have the same `UID`.
        case sameUID
        /// Two contacts have the same `UID`; this one is not sent.
        case sameUIDHere
        /// The card keeps changing on the server.
        case busy
        /// The remote item is not a valid vCard.
        case unreadable
        /// The card could not be fetched.
        case unfetchable(String)
    }

    /// The kind of problem.
    package let reason: Reason
    /// The contact; nil if there is none yet.
    package let contact: String?
    /// The path on the remote side; nil if it has none yet.
    package let href: String?

    package init(_ reason: Reason, contact: String? = nil, href: String? = nil) {
        self.reason = reason
        self.contact = contact
        self.href = href
    }

    /// Whether the content of the item is unknown until a later sync.
    var isPassing: Bool {
        switch reason {
        case .unreadable, .unfetchable, .busy: true
        default: false
        }
    }
}

/// The outcome of a fetched card.
package enum FetchOutcome: Hashable, Sendable {
    /// It no longer exists.
    case vanished
    /// The contact is up to date, or only the local side has changed since (`sends`).
    case linked(contact: String, tag: String, sends: Bool)
    /// It is to be deleted remotely.
    case unwanted(contact: String, tag: String)
    /// It is skipped.
    case left(SyncProblem)
}
