package import Links

/// The settings of a plugin's accounts, under `plugins.<id>.accounts.<name>`.
package struct AccountKeys: Sendable {
    /// How the file names the collections to sync.
    package enum Collections: Sendable {
        /// Any number of names; none for all collections.
        case many(ConfigKey<[String]>)
        /// Exactly one.
        case one(ConfigKey<String>)
    }

    /// Where the account is, its user, where the password comes from, and how often it is synced.
    package let url: ConfigKey<String?>
    package let user: ConfigKey<String?>
    package let password: ConfigKey<SecretSource?>
    package let every: ConfigKey<Duration>
    /// By what the server is trusted, where it is not by the authorities of the system.
    package let trust: ConfigKey<CertificateFingerprint?>
    package let authorities: ConfigKey<String?>
    private let collections: Collections

    /// `url` and `example` tell a person what an address may be.
    package init(url help: String, example: String, user: String, takesFolders: Bool, collections: Collections) {
        let address: ConfigType<String> = takesFolders ? .placeOrAddress : .serverAddress
        url = ConfigKey("accounts.*.url", address, help: help, example: example)
        self.user = ConfigKey(
            "accounts.*.user", .text, otherwise: "the e-mail address", help: "the user at the server", example: user)
        password = ConfigKey(
            "accounts.*.password", .secret, otherwise: "from the keyring", help: "where the password comes from",
            example: #"{ command = "pass dav/posteo" }"#, isSecret: true)
        every = ConfigKey(
            "accounts.*.every", .duration, default: .seconds(900), help: "how often it is synced by hub serve")
        trust = ConfigKey(
            "accounts.*.trust", .fingerprint, otherwise: "the authorities of the system",
            help: "the SHA-256 fingerprint of the server's certificate, to trust that one and no other",
            example: #""AB:CD:…""#)
        authorities = ConfigKey(
            "accounts.*.ca_file", .path, otherwise: "the authorities of the system, or SSL_CERT_FILE",
            help: "a PEM file with the authorities to trust", example: #""~/ca.pem""#)
        self.collections = collections
    }

    /// What the plugin's descriptor lists.
    package var all: [any ConfigDeclaration] {
        let names: any ConfigDeclaration =
            switch collections {
            case .many(let key): key
            case .one(let key): key
            }
        return [url, user, password, every, trust, authorities, names]
    }

    /// By what the server of the account `name` is trusted.
    func trust(of name: String, in config: Config) -> Account.Trust {
        if let fingerprint = config[trust, name] { return .certificate(fingerprint) }
        return config[authorities, name].map { .authorities(file: $0) } ?? .system
    }

    /// The collections that the account `name` is to sync.
    func collections(of name: String, in config: Config) -> [String] {
        switch collections {
        case .many(let key): config[key, name]
        case .one(let key): [config[key, name]]
        }
    }

    /// The change that writes them; nil when they are what the file means without.
    package func change(_ names: [String], of account: String) -> SettingChange? {
        switch collections {
        case .many(let key): names.isEmpty ? nil : .set(key, account, .list(names.map { .text($0) }))
        case .one(let key):
            names.first.flatMap { $0 == key.defaultValue ? nil : .set(key, account, .text($0)) }
        }
    }
}

extension ConfigType<String> {
    /// Where an account is: a URL, an e-mail address, or the path of a folder; `~` at its start is the home folder.
    fileprivate static let placeOrAddress = ConfigType(
        "a URL, an e-mail address, or a path that starts with / or ~", shape: .text, write: { .text($0) }
    ) { (value, home) throws(ConfigMismatch) in
        guard case .text(let text) = value else { throw .expected("text", found: value) }
        if text.hasPrefix("~") { return try ConfigType<String>.path.read(value, home) }
        guard Account.Address(text) != nil else {
            throw ConfigMismatch("expected a URL, an e-mail address, or a path that starts with / or ~")
        }
        return text
    }

    /// Where an account on a server is: a URL or an e-mail address.
    fileprivate static let serverAddress = ConfigType(
        "a URL or an e-mail address", shape: .text, write: { .text($0) }
    ) { (value, _) throws(ConfigMismatch) in
        guard case .text(let text) = value else { throw .expected("text", found: value) }
        guard let address = Account.Address(text), !address.isFolder else {
            throw ConfigMismatch("expected a URL or an e-mail address")
        }
        return text
    }
}

extension ConfigType<CertificateFingerprint> {
    /// The SHA-256 of a certificate.
    package static let fingerprint = ConfigType(
        "a SHA-256 fingerprint: 64 hexadecimal digits", shape: .text, write: { .text($0.description) }
    ) { (value, _) throws(ConfigMismatch) in
        guard case .text(let text) = value else { throw .expected("text", found: value) }
        guard let fingerprint = CertificateFingerprint(text) else {
            throw ConfigMismatch("expected a SHA-256 fingerprint: 64 hexadecimal digits")
        }
        return fingerprint
    }
}
