import Commands
import ContactsDomain
import HubKit

/// `hub contacts search`: searches contacts, best match first.
enum SearchCommand {
    private static let words = Arguments<String>(
        "WORD", .oneOrMore, help: "words, digits, \"phrases\", fields such as tag:chess, @searches")

    static let command = Command(
        "search", summary: "search all contact fields, best match first",
        discussion: [
            "Accents and scripts are ignored: lukasz finds Łukasz, strasse finds Straße. A word matches prefixes of words or, "
                + "from three letters on, any part; digits match any part of a phone number.",
            "Fields: name, nickname, phone, email, org, address, note and all others, tag, group and book, as in org:acme; "
                + "has:phone and no:email; is:person, is:company and is:group; changed:<30d, created:>1y or changed:2026-01-01..2026-03-31. "
                + "- in front negates a word or field; after --, or within quotes, as in \"ann -tag:work\". A phrase is in double quotes. "
                + "@NAME is a saved search.",
        ],
        examples: [
            Example("hub contacts search lukasz", "by name"), Example("hub contacts search 234 567", "by phone number"),
            Example("hub contacts search 'org:acme has:phone -tag:work'", "by fields"),
        ], parameters: [words, SharedOptions.limit], fields: ContactListItem.fields
    ) { (contacts: ContactsPlugin, input: Input) in
        let text = input[words].joined(separator: " ")
        let limit = input.rowLimit(50)
        let query = try await contacts.query(text)
        let result = try await contacts.search(query, like: text, limit: limit)
        let matches = result.rows.count < limit ? result.rows.count : try await contacts.countMatches(query)
        let rows = try await contacts.entities.listed(result.rows)
        let near = try await contacts.entities.listed(Array(result.suggestions.prefix(1))).first
        return .matches(
            rows, ContactListItem.fields,
            count: Output.count(
                rows.count, of: matches, "matches",
                whole: rows.count == result.total
                    ? NumberFormat.counted(rows.count, "contact")
                    : "\(NumberFormat.grouped(rows.count)) of \(NumberFormat.grouped(result.total)) contacts"),
            none: Diagnostic(
                "No contact matches \"\(text)\"", hint: near.map { "did you mean \($0.summary.name) (\($0.shortID))?" })
        )
    }
}
