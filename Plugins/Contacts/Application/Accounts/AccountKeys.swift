import ContactsDomain
package import HubKit

/// The settings of accounts, under `plugins.contacts`.
package enum AccountKeys {
    static let defaultBook = ConfigKey<String?>(
        "default_book", .text, otherwise: "the book of the only account",
        help: "the book that new contacts go to, or here",
        example: #""posteo/Contacts""#)
    static let url = ConfigKey<String?>(
        "accounts.*.url", .accountAddress, help: "a CardDAV URL, an e-mail address or a folder of cards",
        example: #""https://posteo.de:8443""#)
    static let user = ConfigKey<String?>(
        "accounts.*.user", .text, otherwise: "the e-mail address", help: "the user at the server",
        example: #""lukasz@posteo.de""#)
    static let password = ConfigKey<SecretSource?>(
        "accounts.*.password", .secret, otherwise: "from the keyring", help: "where the password comes from",
        example: #"{ command = "pass dav/posteo" }"#, isSecret: true)
    static let every = ConfigKey(
        "accounts.*.every", .duration, default: .seconds(900), help: "how often it is synced by hub serve")
    static let books = ConfigKey(
        "accounts.*.books", .list(of: .text), default: [], help: "the books to sync; all when none is named")

    package static let all: [any ConfigDeclaration] = [defaultBook, url, user, password, every, books]
}

extension ConfigType<String> {
    /// Where an account is: a URL, an e-mail address, or the path of a folder; `~` at its start is the home folder.
    fileprivate static let accountAddress = ConfigType(
        "a URL, an e-mail address, or a path that starts with / or ~", shape: .text, write: { .text($0) }
    ) { (value, home) throws(ConfigMismatch) in
        guard case .text(let text) = value else { throw .expected("text", found: value) }
        if text.hasPrefix("~") { return try ConfigType<String>.path.read(value, home) }
        guard Account.Address(text) != nil else {
            throw ConfigMismatch("expected a URL, an e-mail address, or a path that starts with / or ~")
        }
        return text
    }
}
