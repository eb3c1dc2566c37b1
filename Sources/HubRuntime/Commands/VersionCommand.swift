import CSystem
import Commands
import HubKit
import SQLite

/// `hub version` and `hub --version`.
enum VersionCommand {
    private struct Version: Sendable {
        let plugins: [String]
        /// The commit of the build; nil when it is unknown.
        let commit = {
            let commit = String(cString: system_commit())
            return commit.isEmpty ? nil : commit
        }()
    }

    private static let fields = [
        Field<Version>("version", "VERSION", help: "version of hub") { _ in .text(HubVersion.number) },
        Field<Version>("commit", "COMMIT", help: "commit that it was built from") { FieldValue($0.commit) },
        Field<Version>("features", "FEATURES", help: "built-in plugins") { FieldValue($0.plugins) },
        Field<Version>("sqlite", "SQLITE", help: "version of the SQLite library") { _ in
            .text(Connection.libraryVersion)
        },
        Field<Version>("libraries", "LIBRARIES", help: "other libraries and whether each is installed") { _ in
            .list(
                Library.all.filter { $0.soname != nil }.map { library in
                    .object([
                        .init("name", .text(library.name)), .init("file", FieldValue(library.soname)),
                        .init("installed", .bool(library.isInstalled)),
                    ])
                })
        },
    ]

    /// What `hub --version` prints, when nothing else is asked for: scripts and other programs call it to see that hub is
    /// there, so it needs no table of commands. Nil for all else, also when a variable such as `HUB_JSON` sets an option.
    static func line(for environment: ProcessEnvironment) -> String? {
        guard environment.arguments == ["--version"],
            !environment.variables.keys.contains(where: { $0.hasPrefix("HUB_") })
        else { return nil }
        return "hub \(HubVersion.number)"
    }

    static let command = Command(
        "version", summary: "show the version of hub",
        examples: [
            Example("hub version", "print one line"),
            Example("hub version --json", "print commit, plugins and libraries too"),
        ], prominence: .full, fields: fields
    ) { (hub: Hub, _: Input) in
        .record(Version(plugins: hub.descriptors.map(\.id)), fields, human: ["hub \(HubVersion.number)"])
    }
}
