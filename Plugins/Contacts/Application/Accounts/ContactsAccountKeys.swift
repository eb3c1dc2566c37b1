import HubKit

extension AccountKeys {
    /// The settings of accounts under `plugins.contacts`.
    static let contacts = AccountKeys(
        url: "CardDAV URL, e-mail address or vCard folder", example: #""https://posteo.de:8443""#,
        user: #""lukasz@posteo.de""#, takesFolders: true,
        collections: .many(
            ConfigKey(
                "accounts.*.books", .list(of: .text), default: [],
                help: "books to sync (default: all)")))

    /// The book for new contacts.
    static let defaultBook = ConfigKey<String?>(
        "default_book", .text, otherwise: "the first book of the only account",
        help: "book for new contacts, or here", example: #""posteo/Contacts""#)
}
