package import HubKit

extension AddressBooks {
    /// The accounts of contacts: CardDAV servers and vCard folders.
    package static let kind = AccountKind(
        plugin: "contacts", things: "contacts",
        addresses: AccountAddresses(
            "URL|E-MAIL|DIR", help: "CardDAV server, e-mail address or vCard folder",
            description: "a URL, an e-mail address or a folder",
            examples: "https://dav.example.org, ada@example.org or ~/.contacts", server: "carddav", folder: "vdir"),
        collections: .many(
            ConfigKey("accounts.*.books", .list(of: .text), default: [], help: "books to sync (default: all)"),
            Option("book", "NAME", help: "sync only this book (can be repeated)")),
        unit: "cards",
        withoutPassword: "export the contacts there as vCard, then use hub contacts import contacts.vcf",
        texts: AccountTexts(
            accounts: "manage CardDAV servers and vCard folders to sync with",
            add: (
                "connect a CardDAV server or a vCard folder",
                "A folder is synced in both directions and needs no password.",
                [
                    Example("hub contacts accounts add home ~/.contacts", "sync a folder of khard"),
                    Example("hub contacts accounts add posteo https://posteo.de:8443 --user ada", "connect a server"),
                    Example(
                        "hub contacts accounts add work ada@example.org --password-command \"pass work\"",
                        "server found by e-mail address"),
                ]
            ),
            edit: Example("hub contacts accounts edit home --url ~/contacts --every 5min", "a folder that moved"),
            remove: "Contacts are kept here and in the account.", found: ("book", "books"),
            sync: (
                "sync contacts with your accounts",
                "Changes on both sides are merged field by field. If both sides changed the same field, both versions "
                    + "are kept as a conflict. A sync that would remove many contacts asks first."
            ),
            firstSteps: [
                Example("hub contacts accounts add NAME URL", "connect a CardDAV server"),
                Example("hub contacts accounts add NAME DIR", "sync a folder of khard or vdirsyncer"),
            ]))

    /// The book for new contacts.
    static let defaultBook = ConfigKey<String?>(
        "default_book", .text, otherwise: "the first book of the only account",
        help: "book for new contacts, or here", example: #""posteo/Contacts""#)
}
