import Collation
import ContactsDomain

/// What is kept beside a contact so that SQL can sort, filter and find it: one row of `contacts_entry` and its tags.
///
/// It is derived from the card alone and can be thrown away at any time. It is a class because an import hands a hundred
/// thousand of them on, each of a dozen texts.
final class ContactEntry: Sendable {
    /// Changes when the same card would give another entry.
    static let version = 1

    /// The order of names, in SQL; the entry is called `e`. Its first term is what the index of the order holds.
    static let order = "substr(e.sort_key, 1, 8), e.sort_key, e.number"
    /// The same turned round.
    static let reversedOrder = "substr(e.sort_key, 1, 8) DESC, e.sort_key DESC, e.number DESC"

    /// The contact's id.
    let id: String
    /// The bytes that sort the contact in the person's language.
    let sortKey: [UInt8]
    /// Name, phone, e-mail and tags as a list shows them.
    let summary: ContactSummary
    /// Month × 100 + day of the birthday; nil when either is unknown.
    let birthday: Int?
    /// Folded names and nicknames.
    let name: String
    /// The first letter of each word of `name`, so that a query of one letter is a lookup.
    let initials: String
    /// Folded e-mail addresses and the digits of phone numbers: what a person is reached by.
    let reach: String
    /// The rest of the folded text: organization, tags, addresses, note.
    let other: String

    /// The cards that the contact took over in merges.
    let merged: [MergedSource]

    /// The entry of the contact `id` with these details.
    init(id: String, _ details: ContactDetails, _ rules: IndexRules) {
        let text = SearchText(details, region: rules.callingCode)
        self.id = id
        sortKey = details.sortKey(rules.nameOrder, rules.collator)
        summary = ContactSummary(id: id, details)
        birthday = details.birthday?.date.flatMap { date in
            if let month = date.month, let day = date.day { month * 100 + day } else { nil }
        }
        name = ContactEntry.lines(text.name, text.nickname)
        initials = ContactEntry.initials(of: name)
        reach = ContactEntry.lines(text.email, text.digits)
        other = ContactEntry.lines(text.organization, text.address, text.note)
        merged = details.mergedSources
    }

    /// The entry of another contact that says the same.
    init(_ entry: ContactEntry, of id: String) {
        self.id = id
        var summary = entry.summary
        summary.id = id
        self.summary = summary
        sortKey = entry.sortKey
        birthday = entry.birthday
        (name, initials, reach, other) = (entry.name, entry.initials, entry.reach, entry.other)
        merged = entry.merged
    }

    /// The texts that the search tables hold, in the order of their columns.
    var texts: [String] { [name, initials, reach, other] }

    /// A tag as it is compared: without case and accents.
    static func folded(_ tag: String) -> String { Transliterator.fold(tag) }

    /// The contact's tags as they are compared.
    var foldedTags: Set<String> { Set(summary.tags.map(ContactEntry.folded)) }

    /// Tags as one column holds them.
    static func column(_ tags: [String]) -> String { tags.joined(separator: "\n") }

    /// The tags in a column.
    static func tags(_ column: String) -> [String] {
        column.split(separator: "\n").map(String.init)
    }

    /// The sources of the cards that the contact took over.
    var aliasSources: [Int] { merged.map { CardSource.key(uid: $0.uid, contentHash: $0.content ?? 0) } }

    private static func lines(_ texts: String...) -> String {
        texts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The distinct first letters of the words of folded text, with blanks between them.
    private static func initials(of text: String) -> String {
        var initials = ""
        var isInside = false
        for scalar in text.unicodeScalars {
            let isWord = scalar.value >= 0x80 || scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
            if isWord, !isInside, !initials.unicodeScalars.contains(scalar) {
                if !initials.isEmpty { initials.append(" ") }
                initials.unicodeScalars.append(scalar)
            }
            isInside = isWord
        }
        return initials
    }
}
