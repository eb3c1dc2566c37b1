package import Commands
package import DictofunDomain
package import HubKit
import Storage

/// The plugin for voice records. Its use cases are methods, each in a file of `Application`.
package struct DictofunPlugin: Plugin {
    /// The tables of the plugin.
    let store: Store
    /// The records, with the use cases that all entities share.
    package let records: Entities<StoredRecord>
    /// The sounds of the records.
    let blobs: BlobStore
    /// The sounds that are on other machines alone.
    let absentFiles: any AbsentFiles
    /// The access to sound files.
    let sounds: SoundFiles
    /// The engines that turn speech into text.
    let engines: Engines
    /// The records that wait for an engine.
    let transcriptions: JobQueue
    /// Wakes the service for transcription.
    let newTranscriptions = AsyncSignal()
    /// The programs that are installed.
    let programs: Programs
    /// The bus and the waiting times for recorders.
    let bluetooth: Bluetooth
    /// The settings.
    package let config: Config
    /// The source of the current time.
    package let clock: any Clock
    /// The log of the background services.
    let log: Log
    /// The rights to outer resources.
    let locks: FileLocks
    /// The watcher of the inbox folders.
    let watcher: DirectoryWatcher
    /// What this process does with recorders.
    package let activity = RecorderActivity()
    /// Whether nothing may go out to the network.
    let isOffline: Bool

    /// Creates the plugin with the programs that are installed.
    package init(context: Context) throws { self.init(context: context, programs: .installed(own: context.program)) }

    /// The bus on which BlueZ is, nil for that of the system, and how long recorders and the bus are waited for.
    package struct Bluetooth: Sendable {
        let bus: String?
        let timeouts: FTSTimeouts
        let patience: Duration

        package init(
            bus: String? = nil, timeouts: FTSTimeouts = FTSTimeouts(), patience: Duration = .seconds(10)
        ) {
            self.bus = bus
            self.timeouts = timeouts
            self.patience = patience
        }
    }

    /// Creates the plugin with other programs and another bus, for tests.
    package init(context: Context, programs: Programs, bluetooth: Bluetooth = Bluetooth()) {
        store = context.store
        records = Entities(StoredRecord.kind, in: context.store, context: context)
        blobs = context.blobs
        absentFiles = context.absentFiles
        sounds = SoundFiles(programs: programs, temporary: context.directories.cache + "/dictofun")
        engines = Engines(
            DictofunKeys.engine(context.config), programs: programs, secrets: context.secrets,
            isOffline: context.isOffline)
        transcriptions = JobQueue(TranscribeRecords.queue, context)
        self.programs = programs
        self.bluetooth = bluetooth
        config = context.config
        clock = context.clock
        log = context.log
        locks = context.locks
        watcher = context.watcher
        isOffline = context.isOffline
    }

    /// The commands, services, events and checks of the plugin.
    package static let descriptor = PluginDescriptor(
        id: "dictofun", title: "Dictofun", summary: "voice records and transcripts", content: "voice records",
        firstStep: "hub dictofun import memo.ogg", configKeys: DictofunKeys.all,
        schema: DictofunSchema.schema { try $1.announceRecords($0) }, command: DictofunCommand.tree, services: services,
        daily: [
            DailyJob("firmware", summary: "look for newer firmware") { (dictofun: DictofunPlugin) in
                try await dictofun.announceFirmware()
            }
        ],
        page: DictofunWebPage.declaration, routes: RecordRoutes.all + SoundRoutes.all + RecorderRoutes.all,
        folders: [ServedRecords.declaration], emits: DictofunEvents.declarations,
        entities: [EntityDeclaration(RecordCommands.entity, web: RecordRoutes.entity)],
        providers: DictofunProviders.all,
        openers: [FileOpener(["wav", "flac", "ogg", "oga", "opus", "mp3", "m4a"], command: "import")],
        demo: DemoRecords.declaration,
        tools: ToolDeclarations(lists: [ToolList("records", "voice records with their transcripts", command: "list")]),
        export: everything)

    private static let services = [
        ServiceDeclaration("inbox", summary: "import sound files that arrive in folders") {
            (dictofun: DictofunPlugin) in
            InboxService(dictofun: dictofun)
        },
        ServiceDeclaration("recorder", summary: "fetch records when a paired recorder appears") {
            (dictofun: DictofunPlugin) in RecorderService(dictofun: dictofun)
        },
        ServiceDeclaration("transcription", summary: "transcribe new records") { (dictofun: DictofunPlugin) in
            TranscriptionService(dictofun: dictofun)
        },
    ]
}
