import DictofunDomain
import HubKit

/// `hub dictofun firmware`: the firmware of recorders.
enum FirmwareCommands {
    private static let file = Argument<String>(
        "FILE", help: "zip file of nrfutil with firmware", completion: .files(["zip"]))

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
        group: "firmware", summary: "check firmware for a recorder", prominence: .more, subcommands: [check])

    private static let check = Command(
        "check", summary: "check a file with firmware for a recorder",
        discussion: [
            "Checked is what the bootloader of the recorder refuses: images that are not signed, damaged or for other hardware. Whether "
                + "the signature is valid is known to the bootloader only.",
            "A recorder does not report the version of its firmware: note it with hub dictofun devices set --firmware, and it is compared.",
        ],
        examples: [
            Example("hub dictofun firmware check dictofun.zip", "what is in a file"),
            Example("hub dictofun firmware check dictofun.zip --json=image,version", "for a script"),
        ], parameters: [file], fields: fields
    ) { (dictofun: DictofunPlugin, input: Input) in
        let package = try dictofun.firmware(at: input[file])
        var output = Output.list(package.images, fields)
        output.notes = try await dictofun.compareFirmware(package).map { device, check in
            Diagnostic(sentence(device.name, check))
        }
        return output
    }

    /// Returns how the firmware of a recorder compares with that of a package.
    static func sentence(_ name: String, _ check: FirmwareCheck) -> String {
        switch check {
        case .upToDate(let installed): "\(name) has firmware \(installed): this file is not newer"
        case .updateAvailable(let installed, _): "\(name) has firmware \(installed): this file is newer"
        case .installedUnknown, .noRelease: "the firmware of \(name) is unknown: recorders do not report it"
        }
    }
}
