package import Commands
package import Sync

/// The settings of a plugin's accounts, under `plugins.<id>.accounts.<name>`.
package struct AccountKeys: Sendable {
    /// The address of the account.
    package let address: ConfigKey<String?>
    /// The user name on the server.
    package let user: ConfigKey<String?>
    /// The source of the secret; without one, the keyring.
    package let password: ConfigKey<SecretSource?>
    /// The interval between syncs by the background service.
    package let every: ConfigKey<Duration>
    /// The trust settings of the server, if it is not trusted through the system's certificate authorities.
    package let trust: ConfigKey<CertificateFingerprint?>
    /// A PEM file with certificate authorities.
    package let authorities: ConfigKey<String?>
    /// All settings that accounts of this kind have, for the plugin's descriptor.
    package let all: [any ConfigDeclaration]
    private let collections: AccountKind.Collections

    init(
        section: String, _ addresses: AccountAddresses, secret: AccountKind.Secret?,
        collections: AccountKind.Collections,
        interval: Duration?
    ) {
        let example = addresses.examples.prefix { $0 != "," && $0 != " " }
        address = ConfigKey(
            "\(section).*.\(addresses.key)", .address(addresses), help: addresses.help, example: "\"\(example)\"")
        user = ConfigKey(
            "\(section).*.user", .text, otherwise: "the e-mail address", help: "user name on the server",
            example: #""lukasz@posteo.de""#)
        let word =
            switch secret {
            case .key: (key: "key", noun: "API key")
            case .token: (key: "token", noun: "token")
            case .password, nil: (key: "password", noun: "password")
            }
        password = ConfigKey(
            "\(section).*.\(word.key)", .secret, otherwise: "from the keyring", help: "source of the \(word.noun)",
            example: #"{ command = "pass dav/posteo" }"#, isSecret: true)
        every = ConfigKey(
            "\(section).*.every", .duration, default: interval ?? .seconds(900),
            help: "interval between syncs by hub serve"
        )
        trust = ConfigKey(
            "\(section).*.trust", .fingerprint, otherwise: "the system's certificate authorities",
            help: "SHA-256 fingerprint of the only server certificate to trust",
            example: #""AB:CD:…""#)
        authorities = ConfigKey(
            "\(section).*.ca_file", .path, otherwise: "the system's certificate authorities, or SSL_CERT_FILE",
            help: "PEM file with the certificate authorities to trust", example: #""~/ca.pem""#)
        self.collections = collections
        var all: [any ConfigDeclaration] = [address]
        let hasServers = addresses.server != nil
        if hasServers { all.append(user) }
        if secret != nil { all.append(password) }
        if interval != nil { all.append(every) }
        if hasServers { all += [trust, authorities] as [any ConfigDeclaration] }
        switch collections {
        case .none: break
        case .many(let key, _): all.append(key)
        case .one(let key, _): all.append(key)
        }
        self.all = all
    }

    /// Returns how the server of the account `name` is trusted.
    func trust(of name: String, in config: Config) -> Account.Trust {
        if let fingerprint = config[trust, name] { return .certificate(fingerprint) }
        return config[authorities, name].map { .authorities(file: $0) } ?? .system
    }

    /// Returns the collections of the account `name` to sync.
    func collections(of name: String, in config: Config) -> [String] {
        switch collections {
        case .none: []
        case .many(let key, _): config[key, name]
        case .one(let key, _): [config[key, name]]
        }
    }

    /// Returns the change that stores the names; nil when they are the default.
    package func change(_ names: [String], of account: String) -> SettingChange? {
        switch collections {
        case .none: nil
        case .many(let key, _): names.isEmpty ? nil : .set(key, account, .list(names.map { .text($0) }))
        case .one(let key, _):
            names.first.flatMap { $0 == key.defaultValue ? nil : .set(key, account, .text($0)) }
        }
    }
}

extension ConfigType<String> {
    /// The address of an account; a leading `~` of a folder is the home folder.
    fileprivate static func address(_ addresses: AccountAddresses) -> ConfigType {
        let folder = "a path that starts with / or ~"
        let expected =
            addresses.folder == nil
            ? addresses.description : addresses.server == nil ? folder : "a URL, an e-mail address, or \(folder)"
        return ConfigType(expected, shape: .text, write: { .text($0) }) { (value, home) throws(ConfigMismatch) in
            guard case .text(let text) = value else { throw .expected("text", found: value) }
            if addresses.folder != nil, text.hasPrefix("~") { return try ConfigType<String>.path.read(value, home) }
            guard let address = addresses.address(text) else { throw ConfigMismatch("expected \(expected)") }
            if case .identifier(let identifier) = address { return identifier }
            return text
        }
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
