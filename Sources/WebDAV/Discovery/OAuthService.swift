/// Services whose WebDAV accepts only OAuth. They are recognized by their hosts, so that users are not asked for a
/// useless password, and no password is sent.
enum OAuthService: String, CaseIterable {
    case google

    /// The common name.
    var name: String { "Google" }

    private var domains: [String] {
        ["google.com", "googleapis.com", "googleusercontent.com", "gmail.com", "googlemail.com"]
    }

    /// The service that runs `host`, a server's name or the domain of a mail address.
    init?(host: String) {
        let service = OAuthService.allCases.first { service in
            service.domains.contains { host == $0 || host.hasSuffix("." + $0) }
        }
        guard let service else { return nil }
        self = service
    }
}
