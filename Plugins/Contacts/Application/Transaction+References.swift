import ContactsDomain
import Storage

extension Transaction {
    /// Makes the cards that refer to merged contacts refer to the contacts that remain, and returns the changed ones.
    ///
    /// A group names its members, and a person their relatives, by `UID`. Other devices would no longer find those of
    /// the cards that the merge removes.
    func followMerges(_ merges: [(kept: Card, dropped: [Card])], _ rules: IndexingOptions) throws -> [ContactSummary] {
        var uids: [String: String] = [:]
        for merge in merges {
            guard let kept = merge.kept.details.uid else { continue }
            for uid in merge.dropped.compactMap(\.details.uid) where uid != kept {
                uids[Card.reference(uid).uid] = kept
            }
        }
        if uids.isEmpty { return [] }
        let changed = try referringContacts().compactMap { contact -> (id: String, card: Card)? in
            let card = contact.card.referring(by: uids)
            return card == contact.card ? nil : (contact.id, card)
        }
        let moment = now.milliseconds
        for contact in changed { try updateContact(contact.id, card: contact.card.revised(at: moment)) }
        try reindexContacts(changed.map(\.id), rules)
        let summaries = changed.map { ContactSummary(id: $0.id, $0.card.details) }
        try emit(ContactEvents.changed, summaries)
        return summaries
    }
}
