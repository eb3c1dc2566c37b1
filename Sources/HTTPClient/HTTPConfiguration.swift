/// How a client connects, for all its requests.
package struct HTTPConfiguration: Hashable, Sendable {
    /// How a server is reached.
    package enum Proxy: Hashable, Sendable {
        /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
        case environment
        /// Always directly.
        case none
    }

    /// Where user names and passwords are looked up for requests that bring none.
    package enum PasswordFile: Hashable, Sendable {
        case none
        /// A file in the format of `.netrc`.
        case netrc(path: String)
    }

    /// What the client says it is.
    package var userAgent: String
    package var proxy: Proxy
    package var passwords: PasswordFile
    /// A file of PEM certificates that are trusted in place of the system's.
    package var certificateAuthorities: String?

    package init(
        userAgent: String = "hub", proxy: Proxy = .environment, passwords: PasswordFile = .none,
        certificateAuthorities: String? = nil
    ) {
        self.userAgent = userAgent
        self.proxy = proxy
        self.passwords = passwords
        self.certificateAuthorities = certificateAuthorities
    }
}
