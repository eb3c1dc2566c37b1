package import Commands
package import HubKit
package import NotesDomain
import Storage
import Synchronization

/// The notes plugin. Its use cases are methods, each in a file of `Application`.
package final class NotesPlugin: Plugin {
    /// The tables of the plugin.
    let store: Store
    /// The notes, with the use cases that all entities share.
    package let notes: Entities<NoteRecord>
    /// The settings of the process.
    package let config: Config
    /// The source of the current time.
    package let clock: any Clock
    /// The log of the background services.
    package let log: Log
    /// The settings in their file.
    let settings: any Settings
    /// The watcher of folders.
    let watcher: DirectoryWatcher
    /// The locks across processes.
    let locks: FileLocks
    /// The files of notes.
    let blobs: BlobStore
    /// The folders for files of the plugin.
    let directories: Directories
    /// The notes servers that this machine is a client of.
    package let accounts: AccountManager<NoteServers>
    /// What serves the clients of the notes server.
    private let serving: Mutex<Serving>
    /// The notes that clients edit now.
    let openNotes = OpenNotes()
    /// The edits that this process has stored.
    let committed = CommittedEdits()
    /// The times at which owners were told of requests for access.
    let reminders: RequestReminders
    /// What clients of NoteApp had read before they wrote.
    let bases: RecentBases
    /// The same tables for those who look for words.
    let indexed: IndexedNotes
    /// The logins by a trusted proxy.
    let forwarded = ForwardedLogins()
    /// The logins with unknown tokens.
    let refusals = RefusedLogins()
    /// Whether the notes server sends its clients away.
    let draining = Draining()
    /// What accounts of the notes server have.
    let meter: AccountMeter
    /// The settings of the notes server.
    package let serverSettings: ServerSettings
    /// What the notes server counts.
    let metrics = ServerMetrics()

    /// Creates the plugin.
    package init(context: Context) throws {
        let registry = AccountRegistry(NoteServers.kind, context: context)
        accounts = AccountManager(
            NoteServers(
                context.store, context.blobs,
                downloads: UploadFolder(
                    context.directories.cache + "/downloads", clock: context.clock, limit: NoteLimits.attachment),
                registry: registry, ownName: context.config[NotesKeys.name]),
            registry: registry, store: context.store)
        store = context.store
        indexed = IndexedNotes(context.store, clock: context.clock, log: context.log)
        notes = Entities(NoteRecord.kind, in: indexed, context: context)
        config = context.config
        clock = context.clock
        log = context.log
        settings = context.settings
        watcher = context.watcher
        locks = context.locks
        blobs = context.blobs
        directories = context.directories
        serverSettings = ServerSettings(context.config)
        meter = AccountMeter(serverSettings.limits)
        bases = RecentBases(since: context.clock.now)
        reminders = RequestReminders()
        serving = Mutex(
            Serving(
                SQLiteNoteServerStore(
                    store: context.store, bus: context.bus, indexed: indexed, openNotes: openNotes, bases: bases,
                    committed: committed, clock: context.clock,
                    contents: FileContents(
                        blobs: context.blobs, folder: context.directories.cache + "/uploads", clock: context.clock),
                    meter: meter),
                log: context.log))
    }

    /// What the notes server stores, and nothing else of it.
    var serverStore: any NoteServerStore { serving.withLock(\.store) }
    /// The clients of hub's protocol that are connected to this process.
    var live: HubClients { serving.withLock(\.live) }
    /// The clients of NoteApp that are connected to this process.
    var noteAppClients: NoteAppClients { serving.withLock(\.noteAppClients) }
    /// The cursors of these clients, and those that servers tell of.
    var cursors: Cursors { serving.withLock(\.cursors) }

    /// Serves the notes of another store from now on, before there are any clients.
    func serve(from store: any NoteServerStore) { serving.withLock { $0 = Serving(store, log: log) } }

    /// The commands, services, events and checks of the plugin.
    package static let descriptor = PluginDescriptor(
        id: "notes", title: "Notes", summary: "notes, alone or shared", content: "notes",
        firstStep: #"hub notes new "Shopping""#, configKeys: NotesKeys.all,
        schema: NotesSchema.schema { try $1.announceNotes($0) }, command: NotesCommand.tree,
        services: services, page: NotesWebPage.declaration, routes: NoteRoutes.all,
        listeners: NotesListeners.all, folders: [NoteDocuments.declaration], exchange: exchange,
        emits: NotesEvents.declarations,
        flows: flows,
        notificationActions: NotesNotifications.all,
        entities: [EntityDeclaration(NoteCommands.entity, web: NoteWeb.entity)],
        accounts: AccountDeclaration(of: NotesPlugin.self),
        providers: NotesProviders.all, checks: checks,
        openers: [FileOpener(["md", "markdown"], command: "import")], demo: DemoNotes.declaration,
        tools: NoteTools.declarations, export: everything)

    private static let services = [
        ServiceDeclaration("mirror", summary: "sync the mirrored folder") { (notes: NotesPlugin) in
            MirrorService(notes: notes)
        },
        ServiceDeclaration("servers", summary: "sync notes with servers immediately") { (notes: NotesPlugin) in
            notes.indexed.catchUpLater()
            return NoteServersService(accounts: notes.accounts, cursors: notes.cursors, log: notes.log)
        },
    ]

    private static let flows = [
        FlowDeclaration(
            "record-to-note", summary: "create a note for each transcribed voice record",
            on: ["app.dictofun/record-transcribed"], isOnByDefault: false
        ) { (notes: NotesPlugin, event, host) in
            try await notes.createNote(of: event) { try await host.content(of: $0) }
        }
    ]

    private static let checks = [
        DoctorCheck("note texts") { (notes: NotesPlugin) in
            guard let id = try await notes.firstDamagedNote() else { return .fine("each text matches its history") }
            return .failure(
                "the text of \(id) does not match its history",
                remedy: "hub doctor --fix rebuilds the text from the history"
            )
        } fix: { (notes: NotesPlugin) in
            try await notes.rebuildTexts()
        }
    ]
}
