import Commands

/// `hub dictofun` and its subcommands.
enum DictofunCommand {
    static let tree = Command(
        group: "dictofun", nouns: ["record", "records"], summary: "voice records and transcripts",
        examples: [
            Example("hub dictofun import memo.ogg", "a voice memo from a phone"),
            Example("hub dictofun search plumber", "search the transcripts"),
        ], view: "list",
        subcommands: [
            ListCommand.command, SearchCommand.command, ShowCommand.command, EditCommand.command, SetCommand.command,
            RecordCommands.remove,
            RecordCommands.restore, ImportCommand.command, SyncCommand.command, PlayCommand.command,
            TranscribeCommand.command, EnginesCommands.tree, ExportCommand.command,
        ] + RecordCommands.tagging + [
            StatusCommand.command, DeviceCommands.scan, DeviceCommands.pair, DeviceCommands.unpair,
            DeviceCommands.devices, FirmwareCommands.tree, SimulateCommand.command, TestTransferCommand.command,
            SoundCommand.command,
        ]
    ).advising([
        "new": "records come from files and recorders: use hub dictofun import FILE",
        "record": "records come from files and recorders: use hub dictofun import FILE",
        "connect": "use hub dictofun sync to fetch records, hub dictofun pair to pair with a recorder",
        "convert": "use hub dictofun export RECORD --as flac -o FILE",
    ])

    /// The suggestions of an empty list.
    static let empty = Diagnostic(
        "No records",
        suggestions: [
            Example("hub dictofun import memo.ogg", "voice memos: WAV, FLAC, Ogg, Opus, MP3"),
            Example("hub config set plugins.dictofun.inbox '[\"~/Recordings\"]'", "import new files in a folder"),
        ])
}
