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

        static let all: [any ConfigDeclaration] = [
            enabled, address, port, socketPort, names, certificate, key, plaintext, legacy, store, monitor,
        ]

        private static func isInAddress(_ character: Character) -> Bool {
            character.isHexDigit || character == "." || character == ":"
        }
    }

    static let all: [any ConfigDeclaration] = [mirror, followLinks, name] + Server.all
}
