import Commands
import DictofunDomain
import Storage

/// `hub dictofun firmware`: the firmware of recorders.
enum FirmwareCommands {
    private static let file = Argument<String>(
        "FILE", help: "nrfutil package with firmware", completion: .files(["zip"]))

    private static let fields = [
        Field<FirmwarePackage.Image>(
            "image", "IMAGE", help: "application, bootloader, softdevice or softdevice_bootloader"
        ) { .text($0.target.rawValue) },
        Field<FirmwarePackage.Image>("version", "VERSION", help: "version of the firmware", align: .trailing) {
            FieldValue($0.version?.description)
        },
        Field<FirmwarePackage.Image>("size_bytes", "BYTES", help: "size of the image", align: .trailing) {
            .integer($0.firmware.count)
        },
        Field<FirmwarePackage.Image>(
            "hardware", "HARDWARE", help: "version of the hardware it is for", align: .trailing
        ) { FieldValue($0.hardwareVersion) },
    ]

    static let tree = Command(
        group: "firmware", summary: "check and install firmware of a recorder", prominence: .more,
        subcommands: [check, releases, update])

    private static let check = Command(
        "check", summary: "check a file with firmware for a recorder",
        discussion: [
            "Reports what the recorder's bootloader would refuse: images that are unsigned, damaged or for other hardware. "
                + "Only the bootloader can verify the signature.",
            "A recorder does not report its firmware version. To compare it with the file, record it with hub dictofun "
                + "devices set --firmware.",
        ],
        examples: [
            Example("hub dictofun firmware check dictofun.zip", "show the contents of an nrfutil package"),
            Example("hub dictofun firmware check dictofun.zip --json=image,version", "for a script"),
        ], parameters: [file], fields: fields
    ) { (dictofun: DictofunPlugin, input: Input) in
        let package = try await dictofun.firmware(at: input[file])
        var output = Output.list(package.images, fields)
        output.notes = try await dictofun.compareFirmware(package).map { device, check in
            Diagnostic(sentence(device.name, check))
        }
        return output
    }

    private static let releaseFields = [
        Field<FirmwareRelease>("version", "VERSION", help: "version of the firmware", align: .trailing) {
            .text($0.version.description)
        },
        Field<FirmwareRelease>("published", "PUBLISHED", help: "day of the release, yyyy-MM-dd") { .text($0.day) },
        Field<FirmwareRelease>(
            "for_testers", "FOR", help: "whether it is for testers only", cell: { $0.isPrerelease ? "testers" : "" }
        ) { .bool($0.isPrerelease) },
        Field<FirmwareRelease>("file", "FILE", help: "URL of the zip file") { FieldValue($0.file) },
    ]

    private static let releases = Command(
        "releases", summary: "list the releases of firmware",
        discussion: [
            "The list is read from the URL in the setting plugins.dictofun.firmware.releases, in the format of GitHub. It is also "
                + "read once a day, and you are notified of firmware that is newer than that of a paired recorder.",
            "Nothing is installed: download the file, then use hub dictofun firmware update.",
        ],
        examples: [
            Example("hub dictofun firmware releases", "the newest first"),
            Example("hub dictofun firmware releases --json=version,file", "for a script"),
        ], fields: releaseFields
    ) { (dictofun: DictofunPlugin, _: Input) in
        let releases = try await dictofun.firmwareReleases()
        var output = Output.list(releases, releaseFields)
        output.notes = try await dictofun.compareFirmware(with: releases.offeredVersions).map { device, check in
            Diagnostic(sentence(device.name, check, release: true))
        }
        return output
    }

    private static let device = Arguments<String>(
        "DEVICE", .optional, help: "recorder: name, address or end of the address (default: the only paired one)",
        completion: DeviceCommands.deviceCompletion)

    private static let update = Command(
        "update", summary: "install firmware on a paired recorder",
        discussion: [
            "The file is checked first, as by hub dictofun firmware check. To confirm, type the name of the recorder.",
            "If the connection is lost, the recorder stays in its bootloader for some minutes: run the command again to "
                + "continue. Fetch the records first: whether they survive depends on the firmware.",
        ],
        examples: [
            Example("hub dictofun firmware update dictofun.zip", "on the only paired recorder"),
            Example("hub dictofun firmware update dictofun.zip desk --dry-run", "without installing"),
        ], parameters: [file, device], changes: true
    ) { (dictofun: DictofunPlugin, input: Input) in
        let package = try await dictofun.firmware(at: input[file])
        let chosen = try await DeviceCommands.onlyPaired(dictofun, named: input[device].first)
        let images = package.images.map(sentence).joined(separator: ", ")
        if input.dryRun { return .done("Would install \(images) on \(chosen.name)") }
        for (compared, check) in try await dictofun.compareFirmware(package) where compared.address == chosen.address {
            await input.console.show([sentence(chosen.name, check)])
        }
        guard try await input.confirm(typing: chosen.name, "Install \(images) on \(chosen.name)?") else {
            return .cancelled
        }
        let (console, waiting) = (input.console, input.console.listening())
        defer { console.report(nil) }
        try await dictofun.updateFirmware(package, of: chosen, operation: Operation(input), waiting: waiting) {
            console.report(shown($0))
        }
        return .done("Installed \(images) on \(chosen.name), which now restarts")
    }

    private static func shown(_ progress: FirmwareProgress) -> Progress {
        switch progress {
        case .listening: Progress("listening for the recorder", completed: 0, unit: "")
        case .entering: Progress("starting the bootloader", completed: 0, unit: "")
        case .installing(let target, let accepted, let total):
            Progress(
                "installing \(target.rawValue)", completed: accepted / 1000, of: max(1, total / 1000), unit: "kB")
        }
    }

    /// Returns what an image is, such as "application 7 (141 kB)".
    private static func sentence(_ image: FirmwarePackage.Image) -> String {
        "\(image.target.rawValue)\(image.version.map { " \($0)" } ?? "") (\((image.firmware.count + 999) / 1000) kB)"
    }

    /// Returns how the firmware of a recorder compares with that of a package, or with all releases.
    static func sentence(_ name: String, _ check: FirmwareCheck, release: Bool = false) -> String {
        switch check {
        case .upToDate(let installed):
            "\(name) has firmware \(installed): \(release ? "no release is newer" : "this file is not newer")"
        case .updateAvailable(let installed, let newest):
            "\(name) has firmware \(installed): \(release ? "\(newest)" : "this file") is newer"
        case .installedUnknown, .noRelease: "the firmware of \(name) is unknown: recorders do not report it"
        }
    }
}

extension Input {
    /// Asks for `word` as the confirmation of what cannot be undone; with `--yes` it is confirmed. Throws a usage error when there is
    /// no terminal.
    fileprivate func confirm(typing word: String, _ question: String) async throws -> Bool {
        if yes { return true }
        guard console.isInteractive else {
            return try await confirm(question, consequence: "firmware would be installed")
        }
        return try await console.ask("\(question) Type \(word) to confirm: ") == word
    }
}
