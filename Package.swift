// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Every Swift target is built the same way: Swift 6, explicit existentials, imports internal unless said otherwise,
/// async functions that stay on their caller's executor, and no warning left standing.
let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    // A batch of 25 files, the compiler's own limit, reads what it needs of the others in the module again.
    .unsafeFlags(["-driver-batch-size-limit", "1000"]),
]

/// For what takes far longer to run in the tests than to optimise. Assertions stay.
let optimized: [SwiftSetting] = [
    .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
]

/// A Swift library target under `Sources/`. `embedding` names its files that `EmbedFiles` puts into the program.
func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], embedding: [String] = [], settings: [SwiftSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, exclude: embedding, swiftSettings: swiftSettings + settings,
        plugins: embedding.isEmpty ? [] : ["EmbedFiles"])
}

/// A C module: a module map and thin shims, nothing else. `link` names libraries that are linked; without it the
/// library is loaded on first use. `headers` names folders outside the compiler's search path.
func cModule(
    _ name: String, _ dependencies: [Target.Dependency] = [], link: String..., headers: [String] = [],
    defines: [CSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies,
        cSettings: defines + (headers.isEmpty ? [] : [.unsafeFlags(headers.map { "-I\($0)" })]),
        linkerSettings: link.map { .linkedLibrary($0) })
}

/// The commit that `hub version --json` prints, when the build names it.
let commit: [CSetting] = Context.environment["HUB_COMMIT"].map { [.define("HUB_COMMIT", to: "\"\($0)\"")] } ?? []

/// The targets of a plugin: `<Name>Domain` (layers Domain and Formats) and `<Name>` (all other layers). The files of its page, if
/// it has one, are in `UI/Web`. `formats` names folders of Formats that are targets of their own after the domain, which does not
/// know them; each may use those before it. `Formats` are those that only the gateway speaks.
func plugin(
    _ name: String, in folder: String = "Plugins", modules: [Target.Dependency] = [],
    domainModules: [Target.Dependency] = [], formats: [(name: String, folders: [String])] = []
) -> [Target] {
    let path = "\(folder)/\(name)"
    let root = "\(Context.packageDirectory)/\(path)"
    func entries(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
    }
    let all = entries("")
    let domainLayers = ["Domain", "Formats"].filter(all.contains)
    let hasPage = FileManager.default.fileExists(atPath: "\(root)/UI/Web")
    let folders = entries("Formats").map { "Formats/\($0)" }
    var known: [Target.Dependency] = [.target(name: "\(name)Domain")]
    var formatTargets: [Target] = []
    for format in formats {
        let sources = format.folders.map { "Formats/\($0)" }
        formatTargets.append(
            .target(
                name: name + format.name, dependencies: domainModules + known, path: path,
                exclude: (all.filter { $0 != "Formats" } + folders.filter { !sources.contains($0) }).sorted(),
                sources: sources, swiftSettings: swiftSettings))
        known.append(.target(name: name + format.name))
    }
    return [
        .target(
            name: "\(name)Domain", dependencies: domainModules, path: path,
            exclude: all.filter { !domainLayers.contains($0) }.sorted()
                + formats.flatMap(\.folders).map { "Formats/\($0)" },
            sources: domainLayers, swiftSettings: swiftSettings)
    ] + formatTargets + [
        .target(
            name: name, dependencies: ["HubKit", "Commands", "Storage", "System"] + known + modules, path: path,
            exclude: domainLayers + (hasPage ? ["UI/Web"] : []), swiftSettings: swiftSettings,
            plugins: hasPage ? ["EmbedFiles"] : [])
    ]
}

/// The tests of one target, in `Tests/<name>Tests`.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], resources: [Resource]? = nil,
    settings: [SwiftSetting] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: dependencies, exclude: exclude, resources: resources,
        swiftSettings: swiftSettings + settings)
}

let cModules: [Target] = [
    cModule("CLazy"),
    cModule("CSystem", defines: commit),
    cModule("CSQLite", link: "sqlite3"),
    cModule("CTOML"),
    cModule("CICU", ["CLazy"]),
    cModule(
        "CDBus", ["CLazy"],
        headers: ["/usr/include/dbus-1.0"]
            + ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/dbus-1.0/include" }),
    cModule("CMicroHTTPD", ["CLazy"]),
    cModule("CQRCode", ["CLazy"]),
    cModule("CCurl", ["CLazy"]),
    cModule("CXML", ["CLazy"], headers: ["/usr/include/libxml2"]),
    cModule("CDNS"),
    cModule("CICal", ["CLazy"]),
    cModule("CArchive", ["CLazy"]),
    cModule("CCrypto", ["CLazy"]),
    cModule("CZlib", ["CLazy"]),
    cModule("CPostgreSQL", ["CLazy"]),
    cModule("CSndfile", ["CLazy"]),
    cModule("CGMP", link: "gmp"),
    cModule("CMarkGFM", ["CLazy"]),
]

let modules: [Target] = [
    library("CivilDate"),
    library("Hashing", ["CCrypto"], settings: optimized),
    library("Certificates", ["CCrypto"]),
    library("WebPush", ["CCrypto", "JSON", "Text"]),
    library("Text"),
    library("Time", ["CivilDate"]),
    library("Queries", ["CivilDate", "Text", "Time"]),
    library("JSON", ["Text"]),
    library("Collation", ["CICU"]),
    library("TextDecoding", settings: optimized),
    library("CSV", ["TextDecoding"], settings: optimized),
    library("ContentLines", ["TextDecoding"], settings: optimized),
    library("TOML", ["CTOML"]),
    library("SQLite", ["CSQLite", "Time"]),
    library("Threading", ["CSystem"]),
    library("DBus", ["CDBus", "Threading", "Time"]),
    library("PostgreSQL", ["CPostgreSQL", "Threading", "Time"]),
    library("HTTPTypes", ["Text"]),
    library("WebSocket"),
    library("WebServer", ["CMicroHTTPD", "HTTPTypes", "Hashing", "Threading", "WebSocket"]),
    library("QRCode", ["CQRCode"]),
    library(
        "HTTPClient",
        ["CCurl", "Threading", "HTTPTypes", "CivilDate", "Hashing", "Text", "Time", "WebSocket"]),
    library("XML", ["CXML"]),
    library("DNS", ["CDNS"]),
    library("Sync", ["JSON", "Text"]),
    library("SyncHTTP", ["HTTPClient", "Sync"]),
    library("WebDAV", ["HTTPClient", "XML", "DNS", "Sync", "SyncHTTP", "Hashing", "JSON", "Text"]),
    library("DAVServer", ["CivilDate", "ContentLines", "HTTPTypes", "ICalendar", "Sync", "Time", "XML"]),
    library("ICalendar", ["CICal", "CivilDate", "ContentLines"]),
    library("Archive", ["CArchive"]),
    library("Compression", ["CZlib"]),
    library("TextCRDT", settings: optimized),
    library("Markdown", ["CMarkGFM", "Text"]),
    library("BigInteger", ["CGMP"]),
    library("Audio"),
    library("SoundFile", ["CSndfile"]),
]

let program: [Target] = [
    .plugin(name: "EmbedFiles", capability: .buildTool(), path: "Sources/EmbedFiles", exclude: ["embed"]),
    library("System", ["CivilDate", "CSystem", "JSON", "Text", "Threading", "Time"]),
    library("Storage", ["System", "CSystem", "Hashing", "Queries", "SQLite", "Sync", "Threading"]),
    library("Commands", ["System", "CivilDate"]),
    library(
        "HubKit",
        [
            "Commands", "Storage", "System", "CivilDate", "Hashing", "HTTPTypes", "Queries", "SQLite", "Sync",
            "Threading", "WebSocket",
        ]),
    library(
        "HubRuntime",
        [
            "HubKit", "Commands", "Storage", "System", "SQLite", "TOML", "DAVServer", "HTTPClient", "WebServer",
            "WebSocket", "WebPush", "Certificates", "QRCode", "Sync", "DBus", "Collation", "CivilDate", "Hashing",
            "CSystem", "Threading",
        ],
        embedding: ["Web/Assets", "Libraries/libraries.tsv"]),
]

let plugins: [[Target]] = [
    plugin(
        "Contacts",
        modules: [
            "SQLite", "CivilDate", "QRCode", "HTTPClient", "DNS", "ICalendar", "Queries", "Sync", "WebDAV", "Hashing",
        ],
        domainModules: [
            "Collation", "CivilDate", "TextDecoding", "ContentLines", "CSV", "Queries", "Sync", "JSON", "Hashing",
            "Text", "Time",
        ]),
    plugin(
        "Mintee", modules: ["SQLite", "CivilDate", "Archive", "CSV", "HTTPClient", "Sync", "WebDAV"],
        domainModules: [
            "Collation", "CivilDate", "TextDecoding", "CSV", "Archive", "ICalendar", "Sync", "JSON", "Hashing",
            "Text", "Time",
        ]),
    plugin(
        "Dictofun", modules: ["Audio", "CivilDate", "DBus", "HTTPClient", "SQLite", "SoundFile", "Sync", "Threading"],
        domainModules: ["Archive", "Audio", "CivilDate", "Collation", "Hashing", "JSON", "Text", "Time"]),
    plugin(
        "Notes",
        modules: [
            "SQLite", "CivilDate", "Collation", "Compression", "Markdown", "TextCRDT", "Hashing", "HTTPClient",
            "PostgreSQL", "Sync", "Queries", "SyncHTTP", "WebSocket",
        ],
        domainModules: [
            "Archive", "TextCRDT", "Collation", "CivilDate", "TextDecoding", "JSON", "Queries", "Time", "Hashing",
            "Text",
        ]),
    plugin(
        "Market", modules: ["Archive", "SQLite", "BigInteger", "CivilDate", "Hashing", "HTTPClient", "WebSocket"],
        domainModules: ["BigInteger", "CivilDate", "CSV", "Hashing", "JSON", "Text", "TextDecoding", "Time", "TOML"],
        formats: [
            ("KnownProviders", ["Demo", "Providers"]), ("Formats", ["CoinGecko", "CoinPaprika", "StatusGo", "Wire"]),
        ]),
    // `make new-plugin` adds a plugin above.
]

/// The program, with all plugins.
let main = Target.executableTarget(
    name: "hub", dependencies: ["HubRuntime", "HubKit"] + plugins.compactMap(\.last).map { .target(name: $0.name) },
    swiftSettings: swiftSettings)

/// What `make bench` measures from the inside.
let benchTargets: [Target] = [
    .executableTarget(
        name: "hub-bench",
        dependencies: [
            "HubKit", "HubKitTesting", "Contacts", "ContactsDomain", "Mintee", "MinteeDomain", "Market", "MarketDomain",
            "MarketKnownProviders", "MarketFormats", "Dictofun", "DictofunDomain", "Audio", "BigInteger", "CivilDate",
            "SQLite",
        ],
        path: "Tests/Benchmarks/HubBench", swiftSettings: swiftSettings),
    .executableTarget(
        name: "text-bench", dependencies: ["TextCRDT", "TextTraceSupport"], path: "Tests/Benchmarks/TextBench",
        swiftSettings: swiftSettings),
]

/// The parsers that `make fuzz` gives any bytes; `HUB_FUZZ` adds the program that does so, which links libFuzzer.
let fuzzTargets: [Target] =
    [
        .target(
            name: "FuzzTargets",
            dependencies: [
                "ContactsDomain", "MinteeDomain", "NotesDomain", "MarketDomain", "MarketKnownProviders",
                "MarketFormats", "DictofunDomain",
                "TextCRDT",
                "BigInteger", "ICalendar", "CivilDate", "CSV", "TOML", "HubKit", "HubRuntime", "SQLite", "DNS", "DBus",
                "WebServer", "WebSocket", "HTTPClient", "XML", "Audio", "Text", "Time",
            ],
            path: "Tests/Fuzz/Targets", swiftSettings: swiftSettings)
    ]
    + (Context.environment["HUB_FUZZ"] == nil
        ? []
        : [
            .executableTarget(
                name: "hub-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Driver",
                swiftSettings: swiftSettings)
        ])

/// The plugin that docs/plugin-guide.md explains, with a page of components, and the one that `make new-plugin` copies.
let toyPlugins: [[Target]] = [
    plugin(
        "Tea", in: "Tests/ToyPlugins", modules: ["HTTPClient", "Sync", "SyncHTTP", "SQLite"],
        domainModules: ["JSON", "Time"]),
    plugin("Cellar", in: "Tests/ToyPlugins", modules: ["CivilDate", "SQLite"], domainModules: ["CivilDate", "Time"]),
]

let testTargets: [Target] = [
    .target(name: "TestTimeZone", path: "Tests/TestTimeZone"),
    .target(
        name: "TestSupport", dependencies: ["TestTimeZone"], path: "Tests/TestSupport", swiftSettings: swiftSettings),
    .target(
        name: "HubKitTesting", dependencies: ["HubKit", "SQLite", "CivilDate", "JSON", "Time"],
        path: "Tests/HubKitTesting", swiftSettings: swiftSettings),
    .target(
        name: "HubRuntimeTesting",
        dependencies: ["HubRuntime", "HubKit", "HubKitTesting", "TOML", "Threading", "WebServer", "TestSupport"],
        path: "Tests/HubRuntimeTesting", swiftSettings: swiftSettings),
    tests("CivilDate", ["CivilDate"]),
    tests("Collation", ["Collation", "TestSupport"]),
    tests("TextDecoding", ["TextDecoding", "TestSupport"]),
    tests("Text", ["Text", "JSON", "TestSupport"]),
    tests("Time", ["Time", "CivilDate", "TestTimeZone"]),
    tests("JSON", ["JSON", "TestSupport"]),
    tests("Hashing", ["Hashing"]),
    tests("CSV", ["CSV", "TestSupport"]),
    tests("ContentLines", ["ContentLines", "TextDecoding", "TestSupport"]),
    tests("TOML", ["TOML", "TestSupport"]),
    tests("QRCode", ["QRCode"]),
    tests("SQLite", ["SQLite", "CSQLite", "TestSupport"]),
    .target(
        name: "PostgresTestSupport", dependencies: ["CSystem", "NetworkTestSupport", "TestSupport"],
        path: "Tests/PostgresTestSupport", exclude: ["pgbouncer.sh", "postgres.sh"], swiftSettings: swiftSettings),
    tests("PostgreSQL", ["PostgreSQL", "PostgresTestSupport", "NetworkTestSupport", "TestSupport"]),
    .target(
        name: "NetworkTestSupport", dependencies: ["CSystem", "HTTPClient", "System", "Threading", "TestSupport"],
        path: "Tests/NetworkTestSupport",
        swiftSettings: swiftSettings),
    .target(
        name: "DAVTestSupport", dependencies: ["NetworkTestSupport", "TestSupport"], path: "Tests/DAVTestSupport",
        swiftSettings: swiftSettings),
    .target(
        name: "DBusTestSupport", dependencies: ["DBus", "CSystem", "NetworkTestSupport", "TestSupport"],
        path: "Tests/DBusTestSupport",
        exclude: ["Mocks"], swiftSettings: swiftSettings),
    tests("DBus", ["DBus", "DBusTestSupport", "NetworkTestSupport", "TestSupport"]),
    tests("Threading", ["Threading"]),
    tests("HTTPTypes", ["HTTPTypes", "TestSupport"]),
    tests("Certificates", ["Certificates"]),
    tests("WebPush", ["WebPush", "BigInteger", "Hashing", "Text"]),
    tests(
        "WebServer", ["WebServer", "WebSocket", "Certificates", "TestSupport"],
        exclude: ["websocket_echo.py", "websocket_ends.py", "websocket_not_read.py"]),
    tests("HTTPClient", ["HTTPClient", "WebServer", "WebSocket", "NetworkTestSupport", "TestSupport"]),
    tests("XML", ["XML", "TestSupport"]),
    tests("DNS", ["DNS", "NetworkTestSupport", "TestSupport"]),
    tests("Sync", ["Sync", "TestSupport"]),
    tests("SyncHTTP", ["SyncHTTP", "Sync", "HTTPClient", "NetworkTestSupport"]),
    tests("DAVServer", ["DAVServer", "Hashing", "HTTPTypes", "Sync", "TestSupport", "Time"]),
    tests("WebDAV", ["WebDAV", "Sync", "HTTPClient", "DNS", "NetworkTestSupport", "DAVTestSupport", "TestSupport"]),
    tests("ICalendar", ["ICalendar", "ContentLines", "CivilDate", "TestSupport"]),
    tests("Archive", ["Archive", "TestSupport"]),
    tests("Compression", ["Compression"]),
    tests("WebSocket", ["WebSocket", "TestSupport"]),
    tests("BigInteger", ["BigInteger", "TestSupport"]),
    tests("Markdown", ["Markdown"]),
    tests("Audio", ["Audio", "Hashing", "TestSupport"]),
    tests("SoundFile", ["SoundFile", "TestSupport"]),
    .target(
        name: "TextTraceSupport", dependencies: ["TextCRDT"], path: "Tests/TextTraceSupport",
        swiftSettings: swiftSettings),
    tests("TextCRDT", ["TextCRDT", "TextTraceSupport", "TestSupport"], exclude: ["Traces"]),
    tests("System", ["System", "TestSupport"]),
    tests("Storage", ["Storage", "HubKit", "SQLite", "CSQLite", "HubKitTesting", "TestSupport"]),
    tests("Commands", ["Commands", "CivilDate", "HubKitTesting", "TestSupport"]),
    tests("HubKit", ["HubKit", "Tea", "TeaDomain", "SQLite", "Sync", "HubKitTesting", "TestSupport"]),
    tests(
        "HubRuntime",
        [
            "HubRuntime", "HubKit", "Contacts", "ContactsDomain", "Dictofun", "Market", "Mintee", "Notes", "CivilDate",
            "Hashing", "Sync", "DAVServer", "WebServer", "WebSocket", "Certificates", "TOML", "DBus", "DBusTestSupport",
            "HTTPClient", "WebPush",
            "HubKitTesting",
            "HubRuntimeTesting", "NetworkTestSupport", "TestSupport",
        ],
        exclude: ["Fixtures", "Golden", "Web/web_client.py", "Web/listener_client.py"]),
    tests(
        "ContactsDomain", ["ContactsDomain", "CivilDate", "Collation", "Sync", "Text", "TestSupport"],
        resources: [.embedInCode("Cards"), .embedInCode("Books")]),
    tests(
        "Contacts",
        [
            "Contacts", "ContactsDomain", "HubKit", "QRCode", "HTTPClient", "Queries", "Sync", "WebDAV",
            "HubKitTesting",
            "NetworkTestSupport", "DAVTestSupport", "TestSupport",
        ]),
    tests(
        "MinteeDomain",
        ["MinteeDomain", "CivilDate", "Archive", "Hashing", "ICalendar", "Sync", "Text", "TestSupport"],
        resources: [.embedInCode("Imports")]),
    tests(
        "Mintee",
        [
            "Mintee", "MinteeDomain", "Contacts", "ContactsDomain", "HubRuntime", "CivilDate", "HubKit", "SQLite",
            "WebServer",
            "ICalendar", "Archive", "HTTPClient", "Sync", "WebDAV", "HubKitTesting", "HubRuntimeTesting",
            "NetworkTestSupport", "DAVTestSupport", "TestSupport",
        ],
        exclude: ["Golden", "Calendars", "period_model.py"]),
    tests(
        "MarketDomain",
        [
            "MarketDomain", "MarketKnownProviders", "MarketFormats", "BigInteger", "CivilDate", "JSON", "Text", "Time",
            "TestSupport",
        ],
        exclude: ["Models"]),
    tests(
        "Market",
        [
            "Market", "MarketDomain", "MarketKnownProviders", "MarketFormats", "BigInteger", "CivilDate", "HubKit",
            "HubKitTesting", "hub",
            "HubRuntime",
            "Archive", "HTTPClient", "SQLite", "NetworkTestSupport", "TestSupport",
        ]),
    tests(
        "DictofunDomain",
        [
            "DictofunDomain", "Archive", "Audio", "CivilDate", "Hashing", "JSON", "Time", "NetworkTestSupport",
            "TestSupport",
        ]),
    tests(
        "Dictofun",
        [
            "Dictofun", "DictofunDomain", "Archive", "Audio", "CivilDate", "HubKit", "HubKitTesting", "HubRuntime",
            "HubRuntimeTesting", "SoundFile", "WebServer",
            "NetworkTestSupport", "TestSupport",
        ]),
    tests(
        "DictofunSimulator",
        [
            "Dictofun", "DictofunDomain", "Archive", "HubKit", "HubKitTesting", "Hashing", "CivilDate", "DBus", "Time",
            "NetworkTestSupport",
            "TestSupport",
        ]),
    tests("NotesDomain", ["NotesDomain", "Archive", "TextCRDT", "JSON", "Text", "Time", "TestSupport"]),
    tests(
        "Notes",
        [
            "Notes", "NotesDomain", "HubRuntime", "HubKit", "HubKitTesting", "CivilDate", "Queries", "SQLite",
            "TextCRDT",
            "JSON",
            "HTTPClient", "NetworkTestSupport", "PostgreSQL", "PostgresTestSupport", "TestSupport",
        ], exclude: ["Models"]),
    tests(
        "Tea",
        [
            "Tea", "TeaDomain", "HubKit", "HubRuntime", "WebServer", "HubKitTesting", "HubRuntimeTesting",
            "NetworkTestSupport", "TestSupport",
        ]),
    tests("CellarDomain", ["CellarDomain", "CivilDate"]),
    tests(
        "Cellar",
        ["Cellar", "CellarDomain", "HubKit", "HubRuntime", "WebServer", "HubKitTesting", "HubRuntimeTesting"]),
    tests(
        "KitExample",
        [
            "HubKit", "HubRuntime", "Commands", "Storage", "System", "SQLite", "CivilDate", "Queries", "WebServer",
            "WebSocket", "HubKitTesting", "Sync",
            "HubRuntimeTesting", "TestSupport",
        ]),
    tests(
        "Machine",
        [
            "HubRuntime", "HubKit", "Storage", "Contacts", "Dictofun", "Mintee", "Market", "Notes", "WebServer",
            "WebSocket", "HTTPClient", "Certificates", "SQLite", "CSQLite", "Sync", "DAVServer", "HubKitTesting",
            "HubRuntimeTesting", "TestSupport",
        ]),
    // `make new-plugin` adds the tests of a plugin above.
    tests("Architecture", ["System", "TestSupport"], settings: optimized),
    tests("Fuzz", ["FuzzTargets", "TestSupport"]),
    // Preloaded into `hub` by tests; see its header.
    .target(name: "FaultInjection", path: "Tests/FaultInjection", linkerSettings: [.linkedLibrary("dl")]),
    tests(
        "EndToEnd",
        [
            "HubKit", "HubRuntime", "hub", "Contacts", "Dictofun", "Market", "Mintee", "Notes", "CivilDate", "DBus",
            "HubKitTesting", "HubRuntimeTesting", "DAVTestSupport", "DBusTestSupport", "NetworkTestSupport",
            "TestSupport",
        ], exclude: ["Browser", "Daemon/mcp_client.py", "Devices/evolution_book.py", "NotesServer"]),
]

/// The test targets that are built: all, or those that `HUB_TESTS` names, separated by `|` as in a pattern of `swift test`.
let chosenTests = Context.environment["HUB_TESTS"].map { names in Set(names.split(separator: "|").map(String.init)) }

let plugged: [Target] = Array(plugins.joined()) + [main] + Array(toyPlugins.joined())
let tested: [Target] = testTargets.filter { $0.type != .test || chosenTests?.contains($0.name) ?? true }

let package = Package(
    name: "hub",
    products: [
        .executable(name: "hub", targets: ["hub"]),
        .library(name: "FaultInjection", type: .dynamic, targets: ["FaultInjection"]),
    ],
    targets: cModules + modules + program + plugged + benchTargets + fuzzTargets + tested,
    cxxLanguageStandard: .cxx17
)
