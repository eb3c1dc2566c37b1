package import Links

/// What the engine wants done next.
package enum SyncAction: Hashable, Sendable {
    /// A person must agree first; answered by ``SyncEngine/consent(_:)``.
    case ask(SyncQuestion)
    /// Fetch these cards; each is answered by ``SyncEngine/settle(_:as:)``.
    case fetch([String])
    /// Give them a card they do not have; `attempt` counts from 1, and a later one takes another name.
    case create(contact: String, attempt: Int, inOldVersion: Bool)
    /// Give them our version of a card.
    case update(contact: String, RemoteEntry, inOldVersion: Bool)
    /// Remove the card there.
    case remove(contact: String, RemoteEntry)
    /// They removed these cards: ours go to the trash. The keys are contacts, the values places.
    case trash([String: String])
    /// Nobody has the cards of these places any more.
    case forget([String])
    /// Something is left as it is, and the person is told why.
    case tell(SyncProblem)
}

/// What a sync asks before it removes much.
package struct SyncQuestion: Hashable, Sendable {
    /// How many contacts would go to the trash here.
    package let removedHere: Int
    /// How many cards would be removed there.
    package let removedThere: Int
    /// How many contacts both sides had in common.
    package let total: Int

    package init(removedHere: Int, removedThere: Int, total: Int) {
        self.removedHere = removedHere
        self.removedThere = removedThere
        self.total = total
    }
}

/// Why one contact was not synced; the others are.
package struct SyncProblem: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The book takes no changes: what was changed here stays here.
        case readOnly
        /// The book takes no changes: what was removed here stays there.
        case readOnlyRemoval
        /// They do not take the card.
        case refused(ItemRefusal)
        /// They do not let it be removed.
        case notRemovable(ItemRefusal)
        /// The same `UID` is twice in the book.
        case sameUID
        /// Two contacts of ours have the same `UID`; this one stays here.
        case sameUIDHere
        /// It is changed there again and again.
        case busy
        /// What they have is no vCard.
        case unreadable
        /// They do not give their card.
        case unfetchable(String)
    }

    package let reason: Reason
    /// The contact; nil when there is none yet.
    package let contact: String?
    /// Its place on the other side; nil when it has none yet.
    package let href: String?

    package init(_ reason: Reason, contact: String? = nil, href: String? = nil) {
        self.reason = reason
        self.contact = contact
        self.href = href
    }
}

/// What became of one fetched card.
package enum SyncSettlement: Hashable, Sendable {
    /// It is gone meanwhile.
    case vanished
    /// The contact is up to date with it, or only ours has changed since (`sends`).
    case linked(contact: String, tag: String, sends: Bool)
    /// It is to be removed there.
    case unwanted(contact: String, tag: String)
    /// It is left alone.
    case left(SyncProblem)
}
