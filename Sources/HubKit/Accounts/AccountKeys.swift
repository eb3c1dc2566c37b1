package import Sync

/// The settings of a plugin's accounts, under `plugins.<id>.accounts.<name>`.
package struct AccountKeys: Sendable {
    /// The setting that names the collections to sync.
    package enum Collections: Sendable {
        /// Any number of names; empty for all collections.
        case many(ConfigKey<[String]>)
        /// Exactly one.
        case one(ConfigKey<String>)
    }

    /// The address of the account.
    package let url: ConfigKey<String?>
    /// The user name on the server.
    package let user: ConfigKey<String?>
    /// The source of the password; without one, the keyring.
    package let password: ConfigKey<SecretSource?>
    /// The interval between syncs by the background service.
    package let every: ConfigKey<Duration>
    /// The trust settings of the server, if it is not trusted through the system's certificate authorities.
    package let trust: ConfigKey<CertificateFingerprint?>
    /// A PEM file with certificate authorities.
    package let authorities: ConfigKey<String?>
    private let collections: Collections

    /// Creates the settings; `url` and `example` describe an address to the user.
    package init(url help: String, example: String, user: String, takesFolders: Bool, collections: Collections) {
        let address: ConfigType<String> = takesFolders ? .placeOrAddress : .serverAddress
        url = ConfigKey("accounts.*.url", address, help: help, example: example)
        self.user = ConfigKey(
            "accounts.*.user", .text, otherwise: "the e-mail address", help: "user name on the server", example: user)
        password = ConfigKey(
            "accounts.*.password", .secret, otherwise: "from the keyring", help: "source of the password",
            example: #"{ command = "pass dav/posteo" }"#, isSecret: true)
        every = ConfigKey(
            "accounts.*.every", .duration, default: .seconds(900), help: "interval between syncs by hub serve")
        trust = ConfigKey(
            "accounts.*.trust", .fingerprint, otherwise: "the system's certificate authorities",
            help: "SHA-256 fingerprint of the only server certificate to trust",
            example: #""AB:CD:…""#)
        authorities = ConfigKey(
            "accounts.*.ca_file", .path, otherwise: "the system's certificate authorities, or SSL_CERT_FILE",
            help: "PEM file with the certificate authorities to trust", example: #""~/ca.pem""#)
        self.collections = collections
    }

    /// All settings, for the plugin's descriptor.
    package var all: [any ConfigDeclaration] {
        let names: any ConfigDeclaration =
            switch collections {
            case .many(let key): key
            case .one(let key): key
            }
        return [url, user, password, every, trust, authorities, names]
    }

    /// Returns how the server of the account `name` is trusted.
    func trust(of name: String, in config: Config) -> Account.Trust {
        if let fingerprint = config[trust, name] { return .certificate(fingerprint) }
        return config[authorities, name].map { .authorities(file: $0) } ?? .system
    }

    /// Returns the collections of the account `name` to sync.
    func collections(of name: String, in config: Config) -> [String] {
        switch collections {
        case .many(let key): config[key, name]
        case .one(let key): [config[key, name]]
        }
    }

    /// Returns the change that stores the names; nil when they are the default.
    package func change(_ names: [String], of account: String) -> SettingChange? {
        switch collections {
        case .many(let key): names.isEmpty ? nil : .set(key, account, .list(names.map { .text($0) }))
        case .one(let key):
            names.first.flatMap { $0 == key.defaultValue ? nil : .set(key, account, .text($0)) }
        }
    }
}

extension ConfigType<String> {
    /// The address of an account: a URL, an e-mail address or the path of a folder; a leading `~` is the home folder.
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

    /// The address of an account on a server: a URL or an e-mail address.
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
