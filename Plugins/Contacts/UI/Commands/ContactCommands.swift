import Commands
import ContactsDomain
import HubKit

/// The commands of contacts that follow from the description of the entity.
enum ContactCommands {
    /// The commands and parameters.
    static let entity = EntityCommands(
        Contact.kind, valueName: "SEL", oneForm: "id, e-mail, phone number, words, or last",
        manyForms: "ids, e-mails, phone numbers, words, last", fields: ContactListItem.fields, complete: complete
    ) { (contacts: ContactsPlugin) in contacts.entities }

    /// One selector: an id or a prefix of it, an e-mail address, a phone number, words, or `last`.
    static let one = entity.one
    /// One selector, or `-` for several on stdin.
    static let oneOrStdin = entity.oneOrStdin
    /// Several selectors.
    static let many = entity.many
    /// Several selectors, or none if an option selects the contacts.
    static let some = entity.some
    /// Only contacts that have all these tags.
    static let tags = entity.tags
    /// Completes contacts by id prefix and by words in any of their fields.
    static let completion = entity.completion

    static let remove = entity.remove(
        examples: [
            Example("hub contacts rm lukasz", "one contact"),
            Example("hub contacts rm --tag old-work", "all with a tag"),
        ], byTag: true
    ) { _, _ in
        ""
    } notes: { contacts, removed in
        try await contacts.readOnlyNotes(removed.map(\.id))
    }

    static let restore = entity.restore(
        examples: [
            Example("hub contacts restore lukasz", "one contact"),
            Example("hub contacts restore last", "the last one removed"),
        ]
    ) { contacts, chosen in
        var lines: [String] = []
        for contact in chosen {
            guard let survivor = try await contacts.entities.get(contact.id).mergedInto else { continue }
            let name = try await contacts.entities.names(of: [survivor])[survivor]
            let short = try await contacts.entities.shortID(of: survivor)
            lines.append(
                name.map { "  \(contact.name) was merged into \($0) (\(short)), which keeps the merged values" }
                    ?? "  \(contact.name) was merged into \(short), which no longer exists")
        }
        return lines
    }

    static let tagging = entity.tagging { verb in
        [
            Example("hub contacts \(verb) lukasz friends chess", "two tags"),
            Example("hub contacts \(verb) last work", "the newest contact"),
            Example(
                "hub contacts list --plain=id oslo | hub contacts \(verb) - trip", "all contacts that match a word"),
        ]
    } notes: { contacts, chosen in
        try await contacts.readOnlyNotes(chosen.map(\.id))
    }

    static let history = entity.history(examples: [
        Example("hub contacts history lukasz", "every change and who made it"),
        Example("hub contacts history 7kt --json=at,changes", "for a script"),
    ])

    static let diff = entity.diff(examples: [
        Example("hub contacts diff lukasz --since 1w", "since last week"),
        Example("hub contacts diff lukasz --since 2026-11-01 --until 2026-11-08", "over one week"),
    ])

    /// Completes contacts by id prefix and by words in any of their fields.
    @Sendable private static func complete(
        _ contacts: ContactsPlugin, _ typed: String
    ) async throws -> [ContactSummary] {
        if typed.isEmpty { return try await contacts.contactPage(limit: 50).rows }
        let byID = Identifier.isPrefix(typed) ? (try? await contacts.entities.resolve(typed)) ?? [] : []
        let named = byID.filter { $0.id.hasPrefix(typed) }
        return named.isEmpty ? try await contacts.search(typed, limit: 50).rows : Array(named.prefix(50))
    }
}

/// A contact as a table row.
typealias ContactListItem = ListedEntity<ContactSummary>

extension ContactListItem {
    /// The columns of every list of contacts.
    static var fields: [Field<ContactListItem>] {
        [
            .id(of: "contact"),
            Field(
                "name", "NAME", help: "name of the contact",
                cell: { $0.summary.isGroup ? "\($0.summary.shownName) (group)" : $0.summary.shownName }
            ) {
                .text($0.summary.name)
            },
            Field("phone", "PHONE", help: "preferred phone number", column: .ifRoom(2)) { .text($0.summary.phone) },
            Field("email", "EMAIL", help: "preferred e-mail address", column: .ifRoom(1)) { .text($0.summary.email) },
            Field(
                "tags", "TAGS", help: "tags of the contact", column: .ifRoom(3),
                cell: { $0.summary.tags.joined(separator: ", ") }
            ) { FieldValue($0.summary.tags) },
        ]
    }
}
