package import ContactsDomain
import HubKit

/// Finds the contact for a selector: an id or a prefix of it, an e-mail address, a phone number, words, or `last`.
package struct ResolveContacts: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Returns the contact that `selector` matches, or several candidates to choose from; live ones, or with `inTrash`
    /// those in the trash.
    ///
    /// Throws `not-found`, with the nearest name as a hint.
    package func callAsFunction(_ selector: String, inTrash: Bool = false) async throws -> [ContactSummary] {
        let selector = selector.trimmed
        guard !selector.isEmpty else {
            throw HubError(.usage, code: "selector-empty", "the selector is empty")
        }
        let rules = contacts.rules
        let (found, near) = try await contacts.read { transaction in
            let found =
                inTrash
                ? try transaction.trashedContacts(named: selector)
                : try transaction.contacts(named: selector, rules, limit: .max)
            let near = found.isEmpty && !inTrash ? try transaction.contactsNear(selector, limit: 1).first : nil
            let length = try near.map { try transaction.shortIDLength($0.id) } ?? 0
            return (found, near.map { "did you mean \($0.name) (\($0.id.prefix(length)))?" })
        }
        if !found.isEmpty { return found }
        let place = inTrash ? " in the trash" : ""
        throw HubError(.notFound, code: "contact-not-found", "no contact\(place) matches \"\(selector)\"", hint: near)
    }
}

extension Transaction {
    /// Returns the candidates for a selector, by the first rule that finds one.
    fileprivate func contacts(named selector: String, _ rules: IndexingOptions, limit: Int) throws -> [ContactSummary] {
        if selector == "last" { return try newestContact().map { [$0] } ?? [] }
        if Identifier.isPrefix(selector) {
            let ids = try contactIDs(beginningWith: selector, limit: limit)
            if !ids.isEmpty { return try contactSummaries(ids) }
        }
        if let name = selector.suffix(ofField: "name") { return try contacts(byWords: name, limit: limit) }
        if selector.contains("@") {
            let found = try contacts(withEmail: selector)
            if !found.isEmpty { return found }
        }
        if selector.isPhoneNumber {
            let found = try contacts(withPhone: selector, rules)
            if !found.isEmpty { return found }
        }
        return try contacts(byWords: selector, limit: limit)
    }

    /// Returns the contacts that match the words; a contact whose whole name matches is returned alone.
    private func contacts(byWords text: String, limit: Int) throws -> [ContactSummary] {
        let found = try searchContacts(SearchQuery(text), limit: limit)
        let wanted = SearchQuery(text)
        let exact = found.filter { SearchQuery($0.name) == wanted }
        return exact.count == 1 ? exact : found
    }

    /// Returns the candidates in the trash.
    fileprivate func trashedContacts(named selector: String) throws -> [ContactSummary] {
        let rows = try trashedContacts()
        if selector == "last" { return rows.first.map { [ContactSummary(id: $0.id, $0.card.details)] } ?? [] }
        let byID = Identifier.isPrefix(selector) ? rows.filter { $0.id.hasPrefix(selector) } : []
        let query = SearchQuery(selector)
        let summaries = (byID.isEmpty ? rows : byID).map { ContactSummary(id: $0.id, $0.card.details) }
        return byID.isEmpty ? summaries.filter { query.isMet(by: "\($0.name) \($0.email) \($0.phone)") } : summaries
    }
}

extension String {
    /// The text after `field:`; nil if the text does not start with it.
    fileprivate func suffix(ofField field: String) -> String? {
        hasPrefix(field + ":") ? String(dropFirst(field.count + 1)) : nil
    }

    /// Whether the text can only be a phone number: three digits or more with the usual separators.
    fileprivate var isPhoneNumber: Bool {
        var digits = 0
        for scalar in unicodeScalars {
            switch scalar {
            case "0"..."9": digits += 1
            case "+", " ", "(", ")", "-", "/", ".", "\u{A0}": break
            default: return false
            }
        }
        return digits >= 3
    }
}
