import Commands
import NotesDomain

/// The settings under `plugins.notes`.
enum NotesKeys {
    static let mirror = ConfigKey(
        "mirror", ConfigType<String>.path, otherwise: "none",
        help: "folder of Markdown files to sync with the notes", example: #""~/notes""#)

    static let followLinks = ConfigKey(
        "follow_links", .bool, default: false,
        help: "whether the mirror and imports follow links out of their folder")

    static let name = ConfigKey(
        "name", .text, default: "me", help: "your name as the owner of notes that you share", example: #""lukasz""#)

    /// The settings of the server, under `plugins.notes.server`.
    enum Server {
        static let enabled = ConfigKey(
            "server.enabled", .bool, default: false, help: "whether hub serve opens the notes server")

        static let address = ConfigKey(
            "server.address",
            .text(#"an IP address such as "127.0.0.1""#) { !$0.isEmpty && $0.allSatisfy(isInAddress) },
            default: "127.0.0.1", help: "IP address on which the server listens")

        static let port = ConfigKey(
            "server.port", .integer(in: 0...65_535), default: 3000, help: "port of the server's routes")

        static let socketPort = ConfigKey(
            "server.socket_port", .integer(in: 0...65_535), default: 3001,
            help: "port of the server's WebSockets and routes; may be the same")

        static let names = ConfigKey(
            "server.names", .list(of: .text), default: [], help: "host names by which clients reach the server",
            example: #"["notes.example.org"]"#)

        static let certificate = ConfigKey(
            "server.certificate", ConfigType<String>.path, otherwise: "none",
            help: "PEM file with the server's certificate and its chain", example: #""/etc/ssl/notes.pem""#)

        static let key = ConfigKey(
            "server.key", ConfigType<String>.path, otherwise: "none", help: "PEM file with the certificate's key",
            example: #""/etc/ssl/private/notes.key""#)

        static let plaintext = ConfigKey(
            "server.plaintext", .bool, default: false,
            help: "serve other machines without encryption, such as behind a proxy")

        static let legacy = ConfigKey(
            "server.without_account", ConfigType<String>.word(of: LegacyMode.allCases.map(\.rawValue)),
            otherwise: "open while only this machine is served and there are no accounts, else off",
            help: "what clients without an account may do", example: #""readonly""#)

        static let store = ConfigKey(
            "server.store", .text, otherwise: "the notes of this machine",
            help: "PostgreSQL database that hub notes serve uses; others may use it too",
            example: #""postgres://hub@db.example.org/hub?sslmode=verify-full""#)

        static let monitor = ConfigKey(
            "server.monitor",
            .text(#"an IP address and a port such as "127.0.0.1:9464""#) { text in
                text.last { $0 == ":" } != nil && text.allSatisfy { isInAddress($0) || $0 == "[" || $0 == "]" }
            }, otherwise: "none",
            help: "address of the server's /healthz, /readyz and /metrics", example: #""127.0.0.1:9464""#)

        static let maximumNotes = ConfigKey<Int?>(
            "server.max_notes", .integer(in: 0...1_000_000_000), otherwise: "no limit",
            help: "notes that an account may own on the server", example: "10000")

        static let maximumTexts = ConfigKey<Int?>(
            "server.max_texts_mb", .integer(in: 0...1_000_000_000), otherwise: "no limit",
            help: "MB that the texts of an account may take, with all their edits", example: "500")

        static let maximumAttachments = ConfigKey<Int?>(
            "server.max_attachments_mb", .integer(in: 0...1_000_000_000), otherwise: "no limit",
            help: "MB of attachments that an account may have", example: "2000")

        static let drain = ConfigKey(
            "server.drain_seconds", .integer(in: 0...600), default: 5,
            help: "seconds between /readyz saying no and the end of connections, when a server is stopped")

        static let url = ConfigKey(
            "server.url",
            .text(#"an address such as "https://notes.example.org""#) { text in
                ["http://", "https://"].contains { text.hasPrefix($0) && text.utf8.count > $0.utf8.count }
                    && !text.contains(where: \.isWhitespace)
            }, otherwise: "that of the listener",
            help: "address of the server in invitations, such as that of a proxy",
            example: #""https://notes.example.org""#)

        static let proxyHeader = ConfigKey(
            "server.proxy.header",
            .text(#"a header field such as "X-Forwarded-User""#) { text in
                !text.isEmpty && text.utf8.allSatisfy { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 == 0x2D }
            }, otherwise: "none",
            help: "header in which a trusted proxy names the account that it has logged in",
            example: #""X-Forwarded-User""#)

        static let proxySecret = ConfigKey(
            "server.proxy.secret_file", ConfigType<String>.path, otherwise: "none",
            help: "file with the secret that the trusted proxy sends as X-Hub-Proxy-Secret",
            example: #""/etc/hub/proxy-secret""#)

        static let proxyAddresses = ConfigKey(
            "server.proxy.addresses", .list(of: .text), default: ["127.0.0.1", "::1"],
            help: "IP addresses of the trusted proxy", example: #"["10.0.0.2"]"#)

        static let all: [any ConfigDeclaration] = [
            enabled, address, port, socketPort, names, certificate, key, plaintext, legacy, store, monitor, drain, url,
            proxyHeader, proxySecret, proxyAddresses,
            maximumNotes, maximumTexts, maximumAttachments,
        ]

        private static func isInAddress(_ character: Character) -> Bool {
            character.isHexDigit || character == "." || character == ":"
        }
    }

    static let all: [any ConfigDeclaration] = [mirror, followLinks, name] + Server.all
}
