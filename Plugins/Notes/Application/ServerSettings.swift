package import Commands
package import HubKit
package import NotesDomain

/// Where and how the notes server listens.
package struct ServerSettings: Sendable {
    /// Whether `hub serve` opens it.
    package let isEnabled: Bool
    /// The numeric IP address.
    package let address: String
    /// Whether only this machine reaches the server.
    package let isLoopback: Bool
    /// The port of the routes.
    package let port: Int
    /// The port of the WebSockets, which has the routes too; may be the same.
    package let socketPort: Int
    /// The names by which clients call the server, besides its address.
    package let names: [String]
    /// The files of the certificate with its chain and of its key.
    package let certificate: (chain: String, key: String)?
    /// The setting that a certificate or a key lacks; nil for both or none.
    private let missingSetting: String?
    /// Whether other machines are served without encryption.
    package let allowsPlaintext: Bool
    /// The database that `hub notes serve` serves; nil for the notes of the person here.
    package let store: String?
    /// Where it says how it is; nil for nowhere.
    package let monitor: String?
    /// What clients without an account may do. Nil leaves it to the accounts, on a server that only this machine reaches:
    /// without any, everything.
    package let legacy: LegacyMode?

    /// The seconds that a proxy gets to see that the server is about to stop.
    package let drainSeconds: Int
    /// The proxy that logs people in; nil for none.
    package let proxy: TrustedProxy?
    /// The address in invitations; nil for that of the listener.
    private let publicURL: String?
    /// The limits of accounts that have none of their own.
    package let limits: AccountLimits

    /// The bytes of a megabyte, as limits count them.
    package static let megabyte = 1_000_000

    init(_ config: Config) {
        drainSeconds = config[NotesKeys.Server.drain]
        publicURL = config[NotesKeys.Server.url]
        proxy = config[NotesKeys.Server.proxyHeader].map { header in
            TrustedProxy(
                header: header, secretFile: config[NotesKeys.Server.proxySecret],
                addresses: config[NotesKeys.Server.proxyAddresses])
        }
        limits = AccountLimits(
            notes: config[NotesKeys.Server.maximumNotes],
            texts: config[NotesKeys.Server.maximumTexts].map { $0 * Self.megabyte },
            attachments: config[NotesKeys.Server.maximumAttachments].map { $0 * Self.megabyte })
        isEnabled = config[NotesKeys.Server.enabled]
        address = config[NotesKeys.Server.address]
        port = config[NotesKeys.Server.port]
        socketPort = config[NotesKeys.Server.socketPort]
        names = config[NotesKeys.Server.names]
        switch (config[NotesKeys.Server.certificate], config[NotesKeys.Server.key]) {
        case (let chain?, let key?): (certificate, missingSetting) = ((chain, key), nil)
        case (nil, nil): (certificate, missingSetting) = (nil, nil)
        case (_?, nil): (certificate, missingSetting) = (nil, "plugins.notes.server.key")
        case (nil, _?): (certificate, missingSetting) = (nil, "plugins.notes.server.certificate")
        }
        store = config[NotesKeys.Server.store]
        monitor = config[NotesKeys.Server.monitor]
        allowsPlaintext = config[NotesKeys.Server.plaintext]
        isLoopback = address.hasPrefix("127.") || address == "::1"
        legacy = config[NotesKeys.Server.legacy].flatMap(LegacyMode.init) ?? (isLoopback ? nil : .off)
    }

    /// Whether routes and WebSockets share one port.
    package var hasOnePort: Bool { port == socketPort && port != 0 }

    /// The first part of the server's address on the web, as its clients write it.
    package var url: String {
        if let publicURL { return publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL }
        let host = names.first ?? (address.contains(":") ? "[\(address)]" : address)
        return "\(certificate == nil ? "http" : "https")://\(host):\(socketPort)"
    }

    /// Returns the settings of the listener on a port. Throws for a certificate without its key, which would otherwise serve in
    /// clear text.
    package func listenerSettings(port: Int) throws(HubError) -> ListenerSettings {
        if let missingSetting {
            throw HubError(
                .config, code: "bad-certificate", "the notes server has no \(missingSetting)",
                details: ["A certificate and its key must be set together."],
                hint: "hub config set \(missingSetting) FILE")
        }
        // One without its secret would trust everyone.
        _ = try proxy?.secret()
        var settings = ListenerSettings(
            address: address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)")
        settings.names = names
        settings.certificate = certificate
        settings.allowsPlaintext = allowsPlaintext
        // One that is a little too large still gets its answer in JSON.
        settings.bodySize = NoteAppDraft.maximumBody + (64 << 10)
        settings.messageSize = NotesProtocol.maximumFrame
        settings.connections = 10_000
        return settings
    }
}

/// The state of the server for its owner.
package struct ServerStatus: Sendable {
    /// The address for clients.
    package let url: String
    /// Whether `hub serve` opens it.
    package let isEnabled: Bool
    /// Where the notes are: `sqlite`, or the database.
    package let store: String
    /// The number of accounts.
    package let accounts: Int
    /// What clients without an account may do.
    package let legacy: LegacyMode
    /// The number of notes that are served.
    package let notes: Int
    /// The number of requests for access that wait.
    package let requests: Int
    /// The servers of the database; nil for the notes of the person here.
    package let group: ServerGroup?
}

extension NotesPlugin {
    /// Returns the state of the server.
    package func serverStatus() async throws -> ServerStatus {
        let settings = serverSettings
        return ServerStatus(
            url: settings.url, isEnabled: settings.isEnabled, store: serverStoreName,
            accounts: try await serverAccounts().count,
            legacy: try await serverStore.legacyMode(settings.legacy),
            notes: try await serverStore.noteCount(),
            requests: try await serverStore.pendingRequests().count,
            group: try await (serverStore as? PostgresNoteServerStore)?.database.group())
    }
}
