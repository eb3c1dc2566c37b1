import Commands
package import HubKit
import NotesDomain
package import Storage
package import Sync

/// The notes servers that this machine is a client of.
package struct NoteServers: AccountBackend {
    let store: Store
    /// The files of notes.
    let blobs: BlobStore
    /// The contents of attachments that are being fetched, until they are complete.
    let downloads: UploadFolder
    /// The configured servers.
    package let registry: AccountRegistry
    /// The name of the person at servers that have no other name for them.
    let ownName: String

    package init(
        _ store: Store, _ blobs: BlobStore, downloads: UploadFolder, registry: AccountRegistry, ownName: String
    ) {
        self.downloads = downloads
        self.store = store
        self.blobs = blobs
        self.registry = registry
        self.ownName = ownName
    }

    /// The notes of a server, as far as they can be used here.
    package struct State: AccountDetails {
        /// The numbers of notes: all, those that are locked, and those whose changes wait here.
        package let synced: Int, locked: Int, waiting: Int
        /// The number of attachments whose content is still on the server alone.
        package let unfetched: Int
        /// The state of the connection of `hub serve`, in a few words; empty without one.
        package let connection: String

        /// `1 note` or `12 notes`.
        package var amount: String? { NumberFormat.counted(synced, "note") }
        /// Nothing is deleted on either side.
        package var kept: String? { synced == 0 ? nil : "\(NumberFormat.counted(synced, "note")) are kept here" }
        /// The locked notes.
        package func remarks(isFailing: Bool) -> [String] {
            (locked == 0 ? [] : ["\(locked) locked"])
                + (unfetched == 0 ? [] : ["\(NumberFormat.counted(unfetched, "attachment")) still to be fetched"])
                + (connection.isEmpty ? [] : ["hub serve: \(connection)"])
        }
    }

    /// Returns a connection; nothing is sent yet.
    package func connect(to account: Account, password: String?, isBrief: Bool) throws -> NoteServerConnection {
        try NoteServerConnection(account, token: password, isBrief: isBrief)
    }

    /// Returns the notes of a server.
    package func discover(_ account: Account, over connection: NoteServerConnection) async throws -> [ServerNote] {
        let name = name(at: account)
        let listing = try await NoteAppClient(connection: connection).list()
        if connection.token == nil, try await speaksHub(connection) {
            throw HubError(
                .denied, code: "account-needed", "\(account.place) is a hub server, which syncs with accounts only",
                details: ["nothing was saved; its list of notes can be read without an account, but not synced"],
                hint: "ask its owner for an invitation (hub notes server users invite NAME there), then: "
                    + "hub notes servers add \(account.name) INVITATION")
        }
        return listing.notes.map {
            ServerNote(id: $0.id.text, title: $0.title, owner: $0.owner, isLocked: !$0.isUnlocked(for: name))
        }
    }

    /// Whether the server speaks hub's own protocol.
    private func speaksHub(_ connection: NoteServerConnection) async throws -> Bool {
        guard let socket = try await connection.openSocket() else { return false }
        defer { socket.close() }
        return socket.isHub
    }

    /// Returns what to tell of a server of NoteApp, which has no accounts.
    package func openness(of account: Account) async -> String? {
        guard let connection = try? connect(to: account, password: nil, isBrief: true),
            (try? await NoteAppClient(connection: connection).list()) != nil,
            let isHub = try? await speaksHub(connection), !isHub
        else { return nil }
        return
            "\(account.place) runs NoteApp, which has no tokens: everyone who can reach it can read and change its notes."
    }

    /// Records the address of the server.
    package func save(
        _ items: [ServerNote], of account: Account, replacing old: Account?
    ) async throws -> [ServerNote] {
        try await use(account)
        return items
    }

    /// Records the address of a server before it is used.
    func use(_ account: Account) async throws {
        let names = try registry.accounts().map(\.name)
        try await store.write(Self.kind.operation) {
            try $0.useServer(account.name, at: account.address.origin ?? account.place, configured: names)
        }
    }

    /// Syncs the notes of a server once.
    package func sync(
        _ account: Account, over connection: NoteServerConnection, _ request: SyncRequest,
        into report: inout SyncReport<SyncNotes>
    ) async throws {
        try await use(account)
        if !request.isDryRun, let socket = try await connection.openSocket() {
            if socket.isHub {
                let sync = try hub(account, connection, request.operation, .untilUpToDate)
                let counts = try await socket.whileAnswering(.each, clock: registry.clock) {
                    try await sync.run(socket)
                }
                return report.add(counts, account: account.name)
            }
            socket.close()
        }
        var sync = SyncNoteApp(
            store, registry.clock, account, NoteAppClient(connection: connection), name: name(at: account), request,
            others: try others(than: account))
        defer { sync.add(to: &report) }
        try await sync.run()
    }

    /// Returns a connection to a server of hub, which does nothing yet. `cursors` are those of this machine.
    func hub(
        _ account: Account, _ connection: NoteServerConnection, _ operation: Operation, _ lifetime: SyncHub.Lifetime,
        cursors: Cursors? = nil,
        onUpToDate: @escaping @Sendable (SyncHub.Counts) async -> Void = { _ in }
    ) throws -> SyncHub {
        SyncHub(
            store: store, account: account, others: try others(than: account), operation: operation,
            clock: registry.clock, bus: registry.bus, blobs: blobs,
            transfers: AttachmentTransfers(
                client: AttachmentClient(connection: connection), blobs: blobs, downloads: downloads),
            lifetime: lifetime, cursors: cursors, onUpToDate: onUpToDate)
    }

    /// The name of the person here at a server.
    func name(at account: Account) -> String { account.user ?? ownName }

    /// The names of all servers, and the folders of the others, to which a new note may belong instead.
    func others(than account: Account) throws -> SyncNoteApp.Others {
        let accounts = try registry.accounts().map(\.account)
        let open = accounts.first { $0.folder.isEmpty }
        return SyncNoteApp.Others(
            names: accounts.map(\.name),
            folders: accounts.filter { $0.name != account.name }.map(\.folder).filter { !$0.isEmpty },
            takesNewNotes: !account.folder.isEmpty || open?.name == account.name)
    }

    /// Whether changes are pending that this server has to get.
    package func hasPendingChanges(for account: Account, in transaction: Transaction) throws -> Bool {
        if try transaction.noteCounts(on: account.name).waiting > 0
            || transaction.hasUnsentAttachments(for: account.name)
        {
            return true
        }
        let others = try others(than: account)
        return try others.takesNewNotes
            && !transaction.unsentNotes(
                for: account.folder, otherFolders: others.folders, configured: others.names
            ).isEmpty
    }

    /// Returns the numbers of notes.
    package func state(of account: Account, in transaction: Transaction) throws -> State {
        let counts = try transaction.noteCounts(on: account.name)
        return State(
            synced: counts.synced, locked: counts.locked, waiting: counts.waiting,
            unfetched: try transaction.wantedAttachments(from: account.name).count,
            connection: try transaction.connection(of: account.name).words)
    }
}

/// A note that a server offers.
package struct ServerNote: Sendable {
    /// The id on the server.
    package let id: String
    /// The title; may be empty.
    package let title: String
    /// The owner: an account or a device.
    package let owner: String
    /// Whether it is locked for the person here.
    package let isLocked: Bool
}

extension Account {
    /// The folder of the notes on a notes server; empty for all that belong to no other.
    package var folder: String { collections.first ?? "" }
}

extension NoteServers {
    /// The folder of a server's notes.
    static let folder = ConfigKey(
        "servers.*.folder", .text, default: "", help: "folder of the notes on this server (default: all)")

    /// The kind of the accounts: notes servers.
    package static let kind = AccountKind(
        // `hub notes server` is the one of this machine.
        plugin: "notes", noun: AccountKind.Noun(one: "server", many: "servers", isSingularCommand: false),
        things: "notes",
        addresses: AccountAddresses(
            "URL|INVITATION", help: "URL of a notes server, or an invitation to one", description: "a URL",
            examples: "https://notes.example.org",
            server: "notes"),
        secret: .token,
        collections: .one(
            folder, Option("folder", "FOLDER", help: "folder of the notes on this server (default: all)")),
        unit: "notes", withoutPassword: "use another notes server",
        invitation: {
            Invitation($0).map { AccountInvitation(address: $0.url, user: $0.name, secret: $0.token) }
        },
        texts: AccountTexts(
            accounts: "manage notes servers to sync with", prominence: .more,
            add: (
                "connect a notes server",
                "The server runs hub or NoteApp. It and its administrator can read all notes on it; on a NoteApp server, "
                    + "everyone can. Without --folder, all notes go to the server that was added first. With an "
                    + "invitation, --token-file writes its token to a new file instead of the keyring.",
                [
                    Example(
                        "hub notes servers add home https://notes.example.org --user ada", "connect with your token"),
                    Example(
                        "hub notes servers add team http://192.168.1.5:3000 --folder team",
                        "connect a NoteApp server for one folder"),
                ]
            ),
            edit: Example("hub notes servers edit home --every 1min", "sync more often"),
            remove: "Notes are kept here and on the server.", found: ("note", "notes"),
            sync: (
                "sync notes with your servers",
                "Changes on both sides are merged letter by letter. Local changes are kept until they are sent. A note that "
                    + "was deleted on one side and changed on the other is kept."
            ),
            firstSteps: [Example("hub notes servers add NAME URL", "connect a notes server")]))
}
