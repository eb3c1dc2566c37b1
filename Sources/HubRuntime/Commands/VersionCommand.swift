import HubKit
import SQLite

/// `hub version` and `hub --version`.
enum VersionCommand {
    /// The version of this hub (semantic versioning).
    static let number = "0.1.0"

    private struct Version: Sendable {
        let hub: String
        let sqlite: String
    }

    private static let fields = [
        Field<Version>("version", "VERSION", help: "the version of hub") { .text($0.hub) },
        Field<Version>("sqlite", "SQLITE", help: "the version of the SQLite library") { .text($0.sqlite) },
    ]

    static let command = Command(
        "version", summary: "show the version of hub",
        examples: [
            Example("hub version", "one line"), Example("hub version --json", "with the libraries"),
        ], prominence: .full, fields: fields
    ) { (_: any PluginHost, _: Input) in
        let version = Version(hub: number, sqlite: Connection.libraryVersion)
        return .record(version, fields, human: ["hub \(number)"])
    }
}
