import ContactsDomain
import Storage

extension Transaction {
    /// Makes the cards that refer to merged contacts refer to the contacts that remain, and returns the changed ones.
    ///
    /// A group names its members, and a person their relatives, by `UID`. Other devices would no longer find those of
    /// the cards that the merge removes.
    func followMerges(_ merges: [(kept: Card, dropped: [Card])], _ rules: IndexingOptions) throws -> [ContactSummary] {
        var uids: [ByteString: ByteString] = [:]
        for merge in merges {
            guard let kept = merge.kept.details.uid?.withoutURN else { continue }
            for uid in merge.dropped.compactMap({ $0.details.uid?.withoutURN }) where uid != kept { uids[uid] = kept }
        }
        // A remaining card may refer to itself after the merge.
        return try changeReferences(to: Set(uids.keys).union(uids.values), rules) { $0.referring(by: uids) }
    }

    /// Changes the cards that refer to `uids`, and returns the contacts that were changed.
    func changeReferences(
        to uids: Set<ByteString>, _ rules: IndexingOptions, _ change: (Card) -> Card
    ) throws -> [ContactSummary] {
        let changed = try referringContacts(to: uids).compactMap { id -> (id: String, card: Card)? in
            guard let old = try contact(id)?.card else { return nil }
            let card = change(old)
            return card == old ? nil : (id, card)
        }
        if changed.isEmpty { return [] }
        let moment = now.milliseconds
        for contact in changed { try updateContact(contact.id, card: contact.card.revised(at: moment)) }
        try reindexContacts(changed.map(\.id), rules)
        let summaries = changed.map { ContactSummary(id: $0.id, $0.card.details) }
        try emit(ContactEvents.changed, summaries)
        return summaries
    }
}
