package import ContactsDomain
import SQLite
import Storage

extension Transaction {
    /// Returns the live contacts for a selector, by the first rule that finds one.
    package func contacts(named selector: String) throws -> [ContactSummary] {
        if let name = selector.suffix(ofField: "name") { return try contacts(byWords: name) }
        if selector.contains("@") {
            let found = try contacts(withEmail: selector)
            if !found.isEmpty { return found }
        }
        if selector.isPhoneNumber, let rules = try indexRules() {
            let found = try contacts(withPhone: selector, rules)
            if !found.isEmpty { return found }
        }
        return try contacts(byWords: selector)
    }

    /// Returns the contacts that match the words; a contact whose whole name matches is returned alone.
    private func contacts(byWords text: String) throws -> [ContactSummary] {
        let wanted = SearchQuery(text)
        let found = try searchContacts(wanted, limit: .max)
        let exact = found.filter { SearchQuery($0.name) == wanted }
        return exact.count == 1 ? exact : found
    }

    /// Returns the contacts in the trash that match the words.
    package func trashedContacts(named selector: String) throws -> [ContactSummary] {
        let query = SearchQuery(selector)
        return try rows("\(Contact.select) WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC, rowid DESC") {
            Contact($0).summary
        }
        .filter { query.isMet(by: "\($0.name) \($0.email) \($0.phone)") }
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
