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

    /// By what a server proves over TLS who it is.
    package enum Trust: Hashable, Sendable {
        /// A certificate for its name from an authority of the system, or of those that `SSL_CERT_FILE` and `SSL_CERT_DIR`
        /// name, as OpenSSL has it.
        case system
        /// A certificate for its name from an authority in this file of PEM certificates.
        case authorities(file: String)
        /// The public key of its certificate, in the form that libcurl pins, whatever name and date the certificate has.
        case publicKey(String)
    }

    /// What the client says it is.
    package var userAgent: String
    /// The proxy to use.
    package var proxy: Proxy
    /// The netrc(5) file to read credentials from.
    package var passwords: PasswordFile
    /// The way server certificates are verified.
    package var trust: Trust

    package init(
        userAgent: String = "hub", proxy: Proxy = .environment, passwords: PasswordFile = .none,
        trust: Trust = .system
    ) {
        self.userAgent = userAgent
        self.proxy = proxy
        self.passwords = passwords
        self.trust = trust
    }
}
