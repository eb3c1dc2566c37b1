package import Commands
package import DictofunDomain

/// `hub dictofun scan`, `pair`, `unpair` and `devices`: the recorders.
enum DeviceCommands {
    static let deviceCompletion = Completion.from(DictofunPlugin.self) { dictofun, _ in
        try await dictofun.devices().map { CompletionWord($0.device.name, $0.device.address) }
    }
    private static let device = Argument<String>(
        "DEVICE", help: "recorder: its name, its address or the end of it", completion: deviceCompletion)
    private static let alias = Option<String>("name", "NAME", help: "name for the recorder, such as desk")
    private static let sync = Flag("sync", default: true, help: "do not fetch its records")
    private static let newName = Arguments<String>("NAME", .optional, help: "new name")
    private static let firmware = Option<FirmwareVersion>(
        "firmware", "VERSION", help: "version of the firmware that was installed, such as 7")

    private static let seconds = Option<Int>(
        "seconds", "N", in: 1...3600, help: "how long to listen (default: 60, or until a recorder is heard)")
    /// How long a person needs who takes the recorder and makes a record.
    private static let listeningTime = 60
    /// The time that other recorders have to be heard after the first one, and after the one that is named.
    private static let (others, sameNamed) = (Duration.seconds(5), Duration.seconds(2))

    private static let foundFields = [
        Field<Device>("address", "ADDRESS", help: "Bluetooth address") { .text($0.address) },
        Field<Device>("name", "NAME", help: "your name for it, else its own") { .text($0.name) },
        Field<Device>("signal_dbm", "SIGNAL", help: "strength of its signal in dBm", align: .trailing) {
            FieldValue($0.signal)
        },
        Field<Device>(
            "is_paired", "PAIRED", help: "whether it is paired with this computer", cell: { $0.isPaired ? "yes" : "" }
        ) {
            .bool($0.isPaired)
        },
    ]

    static let scan = Command(
        "scan", summary: "look for recorders nearby",
        discussion: [
            "A recorder is visible for 25 seconds after a record, for 20 after it was switched on, and for 5 after a connection. "
                + "The search ends some seconds after the first recorder was heard, or with --seconds after that time."
        ],
        examples: [
            Example("hub dictofun scan", "until a recorder is heard, for at most a minute"),
            Example("hub dictofun scan --seconds 10 --json=address", "addresses for a script"),
        ], prominence: .more, parameters: [seconds], fields: foundFields
    ) { (dictofun: DictofunPlugin, input: Input) in
        let waiting = input.console.listening(button)
        defer { input.console.report(nil) }
        let found = try await dictofun.scan(
            for: .seconds(input[seconds] ?? listeningTime),
            until: input[seconds] == nil ? ConnectionEngine.ScanEnd(after: others) : nil, operation: Operation(input),
            waiting: waiting)
        return .list(
            found, foundFields,
            empty: Diagnostic(
                "No recorder nearby", hint: "press its button: it is visible for some seconds after a recording"))
    }

    static let pair = Command(
        "pair", summary: "pair with a recorder nearby, and fetch its records",
        discussion: [
            "hub dictofun scan lists the recorders in range. Pairing also sets the clock of the recorder. Its records are fetched "
                + "over the same connection, since it switches itself off some seconds later.",
            "A recorder is visible for 25 seconds after a record: press its button before or while the command listens. It listens "
                + "until it hears the recorder, for at most a minute or as long as --seconds says.",
        ],
        examples: [
            Example("hub dictofun pair 01 --name desk", "by the end of its address"),
            Example("hub dictofun pair C0:DE:00:00:00:01 --no-sync", "by its address, without its records"),
        ], prominence: .more, parameters: [device, alias, sync, seconds], fields: RecordListItem.fields, changes: true
    ) { (dictofun: DictofunPlugin, input: Input) in
        let waiting = input.console.listening(button)
        defer { input.console.report(nil) }
        let (operation, name) = (Operation(input), input[device])
        let nearby = try await dictofun.scan(
            for: .seconds(input[seconds] ?? listeningTime),
            until: ConnectionEngine.ScanEnd(after: sameNamed) { DeviceChoice(among: [$0], named: name) != .none },
            operation: operation, waiting: waiting)
        let chosen = try choose(DeviceChoice(among: nearby, named: input[device]), input[device], "nearby")
        if input.dryRun { return .done("Would pair with \(chosen.name) (\(chosen.address))") }
        let run = try await dictofun.pair(
            chosen, alias: input[alias], fetches: input[sync], operation: operation, waiting: waiting
        ) { SyncCommand.report($1, on: input.console) }
        let paired = run.device ?? chosen
        guard run.report != nil else { return .done("\(paired.name) (\(paired.address)) is paired") }
        var output = try await SyncCommand.finish(run, dictofun, input)
        output.heading.insert("\(paired.name) (\(paired.address)) is paired", at: 0)
        return output
    }

    static let unpair = Command(
        "unpair", summary: "delete the pairing on both sides",
        discussion: ["If the recorder is out of range, only this computer's side is deleted. Records are kept."],
        examples: [
            Example("hub dictofun unpair desk", "by its name"),
            Example("hub dictofun unpair 01 --yes", "by the end of its address, without confirmation"),
        ], prominence: .more, parameters: [device],
        changes: true
    ) { (dictofun: DictofunPlugin, input: Input) in
        let chosen = try await paired(dictofun, named: input[device])
        if input.dryRun { return .done("Would delete the pairing with \(chosen.name)") }
        guard
            try await input.confirm(
                "Delete the pairing with \(chosen.name)?",
                consequence: "the pairing with \(chosen.name) would be deleted")
        else { return .cancelled }
        let waiting = input.console.listening()
        defer { input.console.report(nil) }
        try await dictofun.unpair(chosen, operation: Operation(input), waiting: waiting)
        return .done("\(chosen.name) is no longer paired. Its records are kept.")
    }

    static let deviceFields = [
        Field<StoredDevice>("name", "NAME", help: "your name for it, else its own") { .text($0.device.name) },
        Field<StoredDevice>("address", "ADDRESS", help: "Bluetooth address") { .text($0.device.address) },
        Field<StoredDevice>("battery_percent", "BATTERY", help: "last known charge in percent", align: .trailing) {
            FieldValue($0.device.battery?.percent)
        },
        Field<StoredDevice>(
            "storage_percent", "STORAGE", help: "share of its memory in use, in percent", align: .trailing
        ) { FieldValue($0.device.storage.map { Int(($0.fraction * 100).rounded()) }) },
        Field<StoredDevice>("files", "FILES", help: "number of files in its memory", align: .trailing) {
            FieldValue($0.device.storage?.fileCount)
        },
        Field<StoredDevice>("hardware", "HARDWARE", help: "revision of its board") {
            FieldValue($0.device.boardRevision?.description)
        },
        Field<StoredDevice>(
            "firmware", "FIRMWARE", help: "version of its firmware, as you recorded it", column: .onRequest
        ) {
            FieldValue($0.device.firmware?.description)
        },
        Field<StoredDevice>("seen_at", "SEEN", help: "time when it was last in range") { FieldValue($0.seenAt) },
        Field<StoredDevice>(
            "synced_at", "SYNCED", help: "time when all its files had been transferred", column: .ifRoom(1)
        ) {
            FieldValue($0.syncedAt)
        },
    ]

    static let devices = Command(
        group: "devices", aliases: ["device"], summary: "list and name paired recorders", prominence: .more,
        view: "list",
        subcommands: [list, set])

    private static let list = Command(
        "list", summary: "list paired recorders with battery and storage",
        examples: [
            Example("hub dictofun devices", "all recorders"),
            Example("hub dictofun devices list --json=name,battery_percent", "for a script"),
        ], fields: deviceFields
    ) { (dictofun: DictofunPlugin, _: Input) in
        .list(
            try await dictofun.devices(), deviceFields,
            empty: Diagnostic(
                "No recorder is paired",
                suggestions: [
                    Example("hub dictofun scan", "list the recorders nearby"),
                    Example("hub dictofun pair DEVICE", "pair with one of them"),
                ]))
    }

    private static let set = Command(
        "set", summary: "rename a recorder, or record its firmware version",
        discussion: [
            "A recorder does not report the version of its firmware. hub dictofun firmware check uses the recorded one."
        ],
        examples: [
            Example("hub dictofun devices set desk office", "another name"),
            Example("hub dictofun devices set 01 --firmware 7", "after an update"),
        ], parameters: [device, newName, firmware],
        changes: true
    ) { (dictofun: DictofunPlugin, input: Input) in
        let (name, version) = (input[newName].first, input[firmware])
        guard name != nil || version != nil else {
            throw HubError(
                .usage, code: "nothing-to-set", "nothing to set", hint: "add a new name, or --firmware VERSION")
        }
        let chosen = try await paired(dictofun, named: input[device])
        let changes = [name.map { "named \($0)" }, version.map { "noted with firmware \($0)" }].compactMap(\.self)
        let change = changes.joined(separator: " and ")
        if input.dryRun { return .done("\(chosen.name) would be \(change)") }
        try await dictofun.change(chosen, alias: name, firmware: version, operation: Operation(input))
        return .done("\(chosen.name) is now \(change)")
    }

    /// Returns the paired recorder that a name means. Throws `not-found`.
    static func paired(_ dictofun: DictofunPlugin, named name: String) async throws -> Device {
        try choose(DeviceChoice(among: try await dictofun.devices().map(\.device), named: name), name, "paired")
    }

    /// Returns the paired recorder that a name means, or the only one. Throws `not-found` and `usage`.
    static func onlyPaired(_ dictofun: DictofunPlugin, named name: String?) async throws -> Device {
        if let name { return try await paired(dictofun, named: name) }
        let devices = try await dictofun.devices().map(\.device)
        guard !devices.isEmpty else {
            throw HubError(
                .notFound, code: "recorder-not-found", "no recorder is paired", hint: "hub dictofun pair DEVICE")
        }
        return try choose(DeviceChoice(among: devices), "", "paired")
    }

    /// What a person has to do while a command listens.
    private static let button = "press the button of the recorder (Ctrl-C: stop)"

    private static func choose(_ choice: DeviceChoice, _ name: String, _ state: String) throws(HubError) -> Device {
        switch choice {
        case .one(let device): return device
        case .none:
            throw HubError(
                .notFound, code: "recorder-not-found", "no \(state) recorder matches \"\(name)\"",
                hint: state == "paired"
                    ? "hub dictofun devices lists them"
                    : "press its button: it is visible for some seconds after a recording")
        case .ambiguous(let devices):
            throw HubError.ambiguous(
                devices.map { Candidate(id: $0.address, name: $0.name) }, named: name, noun: "recorders")
        }
    }
}

extension Console {
    /// Shows that a command listens for a recorder, and what a person has to do then. Returns what shows that it waits for another
    /// process first.
    func listening(_ advice: String? = nil) -> @Sendable (String?) -> Void {
        let text = "listening for the recorder" + (advice.map { ": \($0)" } ?? "")
        let listening = Progress(text, completed: 0, unit: "")
        report(listening)
        return { holder in
            // At once, however short ago the last line was drawn.
            report(nil)
            let waiting = holder.map { "waiting for \($0), which is using a recorder" }
            report(waiting.map { Progress($0, completed: 0, unit: "") } ?? listening)
        }
    }
}

extension FirmwareVersion: ArgumentValue {
    /// The version in the argument.
    package static func parse(argument: String) throws(InvalidArgument) -> FirmwareVersion {
        guard let version = FirmwareVersion(argument) else {
            throw InvalidArgument(expected: "a version such as 7 or 1.4.2")
        }
        return version
    }
}
