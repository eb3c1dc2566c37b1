import HubKit

extension AccountKeys {
    /// The settings of accounts under `plugins.contacts`.
    static let contacts = AccountKeys(
        url: "a CardDAV URL, an e-mail address or a folder of cards", example: #""https://posteo.de:8443""#,
        user: #""lukasz@posteo.de""#, takesFolders: true,
        collections: .many(
            ConfigKey(
                "accounts.*.books", .list(of: .text), default: [],
                help: "the books to sync; all when none is named")))

    /// The book that new contacts go to.
    static let defaultBook = ConfigKey<String?>(
        "default_book", .text, otherwise: "the first book of the only account",
        help: "the book that new contacts go to, or here", example: #""posteo/Contacts""#)
}
