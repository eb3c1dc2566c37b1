/// One change of a store, as the model knows it.
enum ModelDeed: Sendable {
    /// Makes a contact.
    case new(String, note: String)
    /// Takes over cards, by their names; what was changed here stays.
    case imported([String: String])
    case note(String, String)
    case tag(String, String)
    case untag(String, String)
    case remove(String)
    case restore(String)
}

/// The expected content of a store.
struct ModelBook: Sendable, Equatable {
    /// The expected properties of a contact.
    struct Contact: Sendable, Equatable {
        /// The card as it came; nil when it was made here.
        var card: String?
        /// The properties that were changed here since.
        var touched: Set<String> = []
        var note: String?
        var tags: Set<String> = []
        var isInTrash = false
        /// Whether a card came over changes that were made here.
        var isMerged = false
    }

    /// The contacts, by name.
    private(set) var contacts: [String: Contact] = [:]

    mutating func apply(_ deed: ModelDeed) {
        switch deed {
        case .new(let name, let note): contacts[name] = Contact(note: note)
        case .imported(let cards):
            for (name, card) in cards {
                var contact = contacts[name] ?? Contact()
                contact.card = card
                contact.isMerged = !contact.touched.isEmpty
                contact.isInTrash = false
                contacts[name] = contact
            }
        case .note(let name, let note):
            change(name, "NOTE") { $0.note = note }
        case .tag(let name, let tag): change(name, "CATEGORIES") { $0.tags.insert(tag) }
        case .untag(let name, let tag): change(name, "CATEGORIES") { $0.tags.remove(tag) }
        case .remove(let name): contacts[name]?.isInTrash = true
        case .restore(let name): contacts[name]?.isInTrash = false
        }
    }

    private mutating func change(_ name: String, _ property: String, _ body: (inout Contact) -> Void) {
        guard var contact = contacts[name] else { return }
        body(&contact)
        contact.touched.insert(property)
        contacts[name] = contact
    }
}
