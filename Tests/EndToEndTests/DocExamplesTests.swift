import FoundationEssentials
import Testing
import Text

/// The commands that the manual shows are run as they stand there, page by page and in order, in a home of their own.
@Suite(.timeLimit(.minutes(20)))
struct DocExamplesTests {
    /// A page, what lies in the home where its commands are typed, and what of it cannot be run.
    struct Page: Sendable {
        let path: String
        /// Files by their paths in the home.
        var files: [String: String] = [:]
        /// Commands that come before the first of the page, for what it takes to be there.
        var before: [String] = []
        /// The beginnings of commands that are only parsed, each with the reason.
        var parsedOnly: [String: String] = [:]
        /// The exit codes of commands that do not end with 0.
        var codes: [String: Int32] = [:]
        /// What is typed for an id or a name of the page that is another one here.
        var words: [String: String] = [:]
    }

    private static let server = "it needs a server elsewhere, and its password in a keyring"
    private static let systemd = "it needs the systemd of a person who is logged in"
    private static let recorder = "it needs Bluetooth and a recorder nearby"
    private static let editor = "it opens an editor on a terminal"

    /// A record as a recorder has it, which is known by its first bytes.
    private static let record = "adpcm;16000;2\0" + String(repeating: "w", count: 16_000)

    private static let holidays = """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        SUMMARY:Christmas
        DTSTART;VALUE=DATE:20261225
        RRULE:FREQ=YEARLY
        END:VEVENT
        END:VCALENDAR

        """

    static let pages = [
        Page(
            path: "README.md",
            files: [
                "people.vcf": people, ".contacts/family/x.vcf": "", ".contacts/office/y.vcf": "", "memo.ogg": record,
                "config/hub/config.toml": "[plugins]\nmarket.providers = [\"demo\"]\n",
                "notes/ideas/Garden.md": "# Garden\n\nBeside the plumber.\n",
            ].merging(loop("loop")) { $1 },
            before: ["hub contacts import people.vcf", "hub undo", "hub market"],
            parsedOnly: [
                "hub contacts accounts add posteo": server, "hub serve": "it stays until Ctrl-C",
                "hub demo": "it stays until Ctrl-C",
                "hub contacts search lukasz": "the page shows it before anything is imported",
            ], words: ["loop.zip": "loop"]),
        Page(
            path: "docs/contacts.md", files: ["people.vcf": people, ".contacts/family/x.vcf": ""],
            before: [
                "hub contacts import people.vcf", "hub contacts new Ada Lovelace email=ada@example.org",
            ],
            parsedOnly: [
                "hub contacts edit": editor, "hub contacts duplicates": "it asks on a terminal",
                "hub contacts merge 8b7": "its ids are those of the page",
            ]),
        Page(
            path: "docs/market.md",
            files: [
                "config/hub/config.toml": "[plugins]\nmarket.providers = [\"demo\"]\n",
                ".ticker.yaml": "watchlist: [BTC.X]\nlots:\n  - symbol: ETH.X\n    quantity: 1\n    unit_cost: 5\n",
                ".config/cointop/config.toml": "[favorites]\nsymbols = [\"ADA\"]\n",
                "trades.csv": "symbol,amount,price\nBTC,1,5\n",
                "other.csv": "Date,Symbol,Qty\n2026-01-02,BTC,1\n",
                "table.csv": "When,Coin,Qty,Paid,Unit\n2026-01-02,BTC,1,100,USD\n",
                "eurofxref-hist.csv": "Date,USD,JPY,\n2026-01-02,1.1721,N/A,\n",
            ]),
        Page(path: "docs/tutorial.md", files: ["people.vcf": people, "memo.ogg": record]),
        Page(
            path: "docs/administration.md", before: ["mkdir -p backups"],
            parsedOnly: [
                "hub logs": systemd, "hub restore": "the name of the file is an example",
            ]),
        Page(
            path: "docs/service.md",
            parsedOnly: [
                "hub service install": systemd, "hub service uninstall": systemd, "hub logs": systemd,
            ]),
        Page(
            path: "docs/devices.md",
            parsedOnly: [
                "hub serve": "it stays until Ctrl-C", "hub service install": systemd,
                "hub join": "the line is one of another machine",
            ]),
        Page(
            path: "docs/notes.md", files: ["ticket.pdf": "PDF", "map.png": "PNG"],
            before: ["hub notes new Shopping -m milk", "hub notes new Trip -m hello"],
            parsedOnly: [
                "hub notes new": "one of them opens an editor on a terminal", "hub notes edit": editor,
                "hub notes servers add": "the server is an example", "hub notes watch": "it runs until it is stopped",
                "hub notes unlock": "it needs a server",
            ],
            codes: ["hub notes restore shopping --at 3d": 1]),
        Page(
            path: "docs/mintee.md",
            files: [
                ".config/harsh/habits": "Meditate: 1\n", ".config/harsh/log": "2026-11-20 : Meditate : y : :\n",
                "tasks.json": #"[{"uuid":"1","description":"Sweep","status":"completed","due":"20261120T100000Z"}]"#,
                "berlin.ics": holidays,
            ].merging(loop("loop")) { $1 },
            parsedOnly: [
                "hub mintee ask": "it asks on a terminal", "hub mintee accounts add": server, "hub mintee sync": server,
                "hub service install": systemd, "hub mintee holidays add school": "its address is an example",
            ], words: ["loop.zip": "loop"]),
        Page(
            path: "docs/dictofun.md", files: ["memo.ogg": record],
            before: [
                "hub dictofun import memo.ogg --no-transcribe",
                #"hub dictofun edit last --text "Call the plumber about the boiler""#,
            ],
            parsedOnly: [
                "hub dictofun play": "it needs a sound device", "hub dictofun edit": editor,
                "hub dictofun transcribe": "it needs an engine", "hub dictofun engines test": "it needs an engine",
                "hub dictofun scan": recorder,
                "hub dictofun pair": recorder, "hub dictofun sync": recorder, "hub dictofun unpair": recorder,
                "hub dictofun simulate": "it stays until Ctrl-C", "hub dictofun devices set": recorder,
                "hub dictofun test-fts": recorder, "hub dictofun firmware check": "the file is an example",
                "hub dictofun firmware update": "the file is an example",
                "hub dictofun firmware releases": "no list is set",
            ]),
    ]

    @Test(arguments: pages.indices)
    func `every command of the manual does what it is shown for`(index: Int) async throws {
        let page = Self.pages[index]
        let sandbox = try Sandbox()
        for (path, text) in page.files { try await Self.write(text, to: path, in: sandbox) }
        for line in page.before {
            let done = try await sandbox.shell(line)
            #expect(done.code == 0, "\(line): \(done.all)")
        }
        let lines = try Self.commands(of: page.path)
        #expect(!lines.isEmpty)
        var unused = Set(page.parsedOnly.keys).union(page.codes.keys)
        for line in lines {
            let typed = page.words.reduce(line) { $0.replacing($1.key, with: $1.value) }
            unused = unused.filter { !line.hasPrefix($0) }
            guard !page.parsedOnly.keys.contains(where: { line.hasPrefix($0) }) else {
                // Nothing is done, and of all its words only the last one is unknown.
                let words = try #require(ShellWords.split("\(typed) --no-such-option"))
                let parsed = try await sandbox.runInProcess(Array(words.dropFirst()))
                let isKnown = parsed.code == 64 && parsed.errors.contains("--no-such-option")
                #expect(isKnown, "\(page.path): \(line): \(parsed.code) \(parsed.all)")
                continue
            }
            let done = try await sandbox.shell("\(typed) < /dev/null")
            let expected = page.codes.first { line.hasPrefix($0.key) }?.value ?? 0
            #expect(done.code == expected, "\(page.path): \(line): \(done.code) \(done.all)")
        }
        #expect(unused.isEmpty, "\(page.path) has them no more")
    }

    /// The lines of the page's fenced blocks that are commands of hub, without what is said beside them.
    static func commands(of path: String) throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").path
        let text = String(decoding: try Data(contentsOf: URL(filePath: "\(root)/\(path)")), as: UTF8.self)
        var isCode = false
        return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
            if line.hasPrefix("```") {
                isCode.toggle()
                return nil
            }
            let typed = line.hasPrefix("$ ") ? line.dropFirst(2) : line
            guard isCode, typed == "hub" || typed.hasPrefix("hub "), !typed.hasPrefix("hub is ") else { return nil }
            return withoutRemark(typed)
        }
    }

    /// The line up to the first two blanks that no quotes surround.
    private static func withoutRemark(_ line: Substring) -> String {
        var quote: Character?
        for index in line.indices {
            let next = line[index]
            if quote == nil, next == "\"" || next == "'" { quote = next } else if next == quote { quote = nil }
            if quote == nil, line[index...].hasPrefix("  ") { return String(line[..<index]) }
        }
        return String(line)
    }

    private static func write(_ text: String, to path: String, in sandbox: Sandbox) async throws {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        if !folder.isEmpty {
            try FileManager.default.createDirectory(
                atPath: "\(sandbox.folder)/\(folder)", withIntermediateDirectories: true)
        }
        if text.isEmpty { return }
        try sandbox.write(text, to: path)
    }

    private static let people = Cards.ada + Cards.lukasz

    /// The folder of an export of Loop.
    private static func loop(_ folder: String) -> [String: String] {
        [
            "\(folder)/Habits.csv":
                "Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,Target Value,Archived?\n"
                + "001,Meditate,YES_NO,,,1,1,#FF8F00,,,,false\n",
            "\(folder)/001 Meditate/Checkmarks.csv": "Date,Value,Notes\n2026-10-04,YES_MANUAL,\n",
        ]
    }
}
