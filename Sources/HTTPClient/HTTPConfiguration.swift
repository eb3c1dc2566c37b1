/// The connection settings of a client, for all its requests.
package struct HTTPConfiguration: Hashable, Sendable {
    /// The use of proxies.
    package enum Proxy: Hashable, Sendable {
        /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
        case environment
        /// Always directly.
        case none
    }

    /// The source of user names and passwords for requests without credentials.
    package enum NetrcFile: Hashable, Sendable {
        case none
        /// A file in the format of `.netrc`.
        case netrc(path: String)
    }

    /// The way a server's identity is verified over TLS.
    package enum Trust: Hashable, Sendable {
        /// A certificate for its name from an authority of the system, or of those that `SSL_CERT_FILE` and `SSL_CERT_DIR`
        /// name, as OpenSSL has it.
        case system
        /// A certificate for its name from an authority in this file of PEM certificates.
        case authorities(file: String)
        /// The public key of its certificate, in the form that libcurl pins, whatever name and date the certificate has.
        case publicKey(String)
    }

    /// The value of the `User-Agent` field.
    package var userAgent: String
    /// The proxy to use.
    package var proxy: Proxy
    /// The netrc(5) file to read credentials from.
    package var passwords: NetrcFile
    /// The way server certificates are verified.
    package var trust: Trust
    /// The time for which an unused connection is kept for the next request, in whole seconds. Servers close theirs after
    /// a time of the same order.
    package var idleTime: Duration

    package init(
        userAgent: String = "hub", proxy: Proxy = .environment, passwords: NetrcFile = .none,
        trust: Trust = .system, idleTime: Duration = .seconds(60)
    ) {
        self.userAgent = userAgent
        self.proxy = proxy
        self.passwords = passwords
        self.trust = trust
        self.idleTime = idleTime
    }
}
