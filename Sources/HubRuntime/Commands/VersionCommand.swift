import CSystem
import HubKit
import SQLite

/// `hub version` and `hub --version`.
enum VersionCommand {
    /// The version of this hub (semantic versioning).
    static let number = "0.1.0"

    private struct Version: Sendable {
        let plugins: [String]
        /// The commit that it was built from; nil when the build was not told.
        let commit = {
            let commit = String(cString: system_commit())
            return commit.isEmpty ? nil : commit
        }()
    }

    private static let fields = [
        Field<Version>("version", "VERSION", help: "the version of hub") { _ in .text(number) },
        Field<Version>("commit", "COMMIT", help: "the commit that it was built from") { FieldValue($0.commit) },
        Field<Version>("features", "FEATURES", help: "the plugins that are built in") { FieldValue($0.plugins) },
        Field<Version>("sqlite", "SQLITE", help: "the version of the SQLite library") { _ in
            .text(Connection.libraryVersion)
        },
        Field<Version>("libraries", "LIBRARIES", help: "the other libraries, and whether each is installed") { _ in
            .list(
                Library.all.filter { $0.soname != nil }.map { library in
                    .object([
                        .init("name", .text(library.name)), .init("file", FieldValue(library.soname)),
                        .init("installed", .bool(library.isInstalled)),
                    ])
                })
        },
    ]

    static let command = Command(
        "version", summary: "show the version of hub",
        examples: [
            Example("hub version", "one line"), Example("hub version --json", "with commit, features and libraries"),
        ], prominence: .full, fields: fields
    ) { (hub: Hub, _: Input) in
        .record(Version(plugins: hub.descriptors.map(\.id)), fields, human: ["hub \(number)"])
    }
}
