import Glibc
import HubRuntimeTesting
import TestSupport
import Testing

/// Hostile files: a clear error, the right exit code, nothing lost, little memory.
@Suite(.timeLimit(.minutes(20)))
struct HostileInputTests {
    private static let after = Cards.card("Grace Hopper", "UID:grace", "EMAIL:grace@example.org")

    /// The maximum memory of an import, whatever it reads: the system refuses more.
    private static let memoryLimit = 300 << 20

    /// Imports `bytes` beside what a store holds already, and expects that to be there still.
    private func imported(_ bytes: [UInt8], as name: String = "hostile.vcf") async throws -> (Sandbox, Sandbox.Finished)
    {
        let sandbox = try Sandbox()
        try await sandbox.runInProcess("contacts", "import", "-", input: Cards.ada)
        try sandbox.write(bytes, to: name)
        let ended = try await sandbox.shell(
            "prlimit --data=\(Self.memoryLimit) hub contacts import \(name) > child.log 2>&1")
        try await sandbox.inProcess { hub in
            #expect(await hub.finished(["contacts", "export", "ada"]).output == Cards.ada)
            #expect(await hub.finished(["doctor"]).code == 0)
        }
        return (sandbox, ended)
    }

    private func names(_ sandbox: Sandbox) async throws -> [String] { try await sandbox.contacts().map(\.name) }

    @Test func `a line of 100 MB is skipped and the next card is read`() async throws {
        let head = Array("BEGIN:VCARD\nVERSION:3.0\nFN:Big\nNOTE:".utf8)
        let tail = Array("\nEND:VCARD\n\(Self.after)".utf8)
        let (sandbox, ended) = try await imported(head + [UInt8](repeating: 0x78, count: 100 << 20) + tail)
        #expect(ended.code == 2)
        #expect(try await names(sandbox) == ["Grace Hopper", "Ada Lovelace"])
        let told = try #require(sandbox.read("child.log"))
        #expect(told.contains("skipped  hostile.vcf:1:1  \"Big\": line 4 is longer than 32 MiB"), "\(told.prefix(500))")
        #expect(told.utf8.count < 2000)
    }

    @Test func `a line of 100 MB alone is no vCard`() async throws {
        let (sandbox, ended) = try await imported([UInt8](repeating: 0x78, count: 100 << 20))
        #expect(ended.code == 65)
        #expect(sandbox.read("child.log")?.hasPrefix("error: no contacts in hostile.vcf") == true)
    }

    @Test func `a card of 10 MB is kept whole`() async throws {
        let photo = (0..<140_000).map { _ in " " + String(repeating: "A", count: 74) }.joined(separator: "\n")
        let card = Cards.card("Photo", "PHOTO;ENCODING=b;TYPE=JPEG:\n" + photo)
        let (sandbox, ended) = try await imported(Array((card + Self.after).utf8))
        #expect(ended.code == 0)
        let exported = try await sandbox.runInProcess("contacts", "export", "photo")
        #expect(exported.output.utf8.elementsEqual(card.utf8))
    }

    @Test func `cards in cards without an end are bounded`() async throws {
        let agents = String(repeating: "AGENT:\nBEGIN:VCARD\nVERSION:2.1\nFN:x\n", count: 5000)
        let ends = String(repeating: "END:VCARD\n", count: 5001)
        let deep = "BEGIN:VCARD\nVERSION:2.1\nFN:Deep\n" + agents + ends + Self.after
        let (sandbox, ended) = try await imported(Array(deep.utf8))
        #expect(ended.code == 2)
        #expect(try await names(sandbox).contains("Grace Hopper"))
    }

    /// Bytes that are not a card, and the result of importing them.
    @Test(arguments: ["empty", "binary", "text", "zeros"])
    func `a file without a card is told to be none`(kind: String) async throws {
        var generator = SeededGenerator(seed: 2026)
        let bytes: [UInt8] =
            switch kind {
            case "empty": []
            case "binary": (0..<1 << 20).map { _ in UInt8.random(in: 0...255, using: &generator) }
            case "text": Array("Dear Ada,\n\nno card is in here.\n".utf8)
            default: [UInt8](repeating: 0, count: 1 << 20)
            }
        let (sandbox, ended) = try await imported(bytes)
        #expect(ended.code == 65)
        #expect(sandbox.read("child.log")?.hasPrefix("error: no contacts in hostile.vcf") == true)
    }

    @Test func `NUL and broken UTF-8 are read as well as can be`() async throws {
        let card =
            Array("BEGIN:VCARD\nVERSION:3.0\nFN:Nul".utf8) + [0] + Array("Name\nNOTE:".utf8)
            + [0xFF, 0xED, 0xA0, 0x80, 0xC3] + Array("\nX-RAW:".utf8) + [0x80, 0] + Array("\nEND:VCARD\n".utf8)
        let (sandbox, ended) = try await imported(card + Array(Self.after.utf8))
        #expect(ended.code == 0)
        #expect(try await names(sandbox).contains("NulName"))
        // The card itself is kept as it came.
        let exported = try await sandbox.shell(
            "hub contacts export nulname | cmp - <(head -c \(card.count) hostile.vcf)")
        #expect(exported.code == 0, "\(exported.all)")
    }

    @Test(arguments: [
        ["contacts", "list"], ["contacts", "search", "evil"], ["contacts", "show", "evil"], ["search", "evil"],
        ["contacts", "import", "again.vcf"], ["contacts", "rm", "-n", "evil"], ["contacts", "birthdays", "--days=366"],
        ["contacts", "email", "evil"], ["contacts", "query", "evil"], ["contacts", "list", "--plain"],
        ["contacts", "list", "--format", "{name} {phone}"], ["history"], ["events", "list"], ["contacts", "tags"],
        ["__complete", "contacts", "show", "evil"], ["contacts", "search", "\u{1B}[31mnobody"],
        ["contacts", "show", "\u{1B}[31mnobody"], ["contacts", "import", "\u{1B}[31m.vcf"],
    ])
    func `no control character of the data reaches a terminal`(words: [String]) async throws {
        let evil = "\u{1B}[31mred\u{1B}]0;title\u{7}\u{9B}31m\u{8}\u{7F}\u{202E}"
        let card = Cards.card(
            "Evil \(evil)", "TEL;TYPE=\(evil):\(evil)1", "EMAIL:\(evil)@example.org", "NOTE:\(evil)",
            "CATEGORIES:\(evil)", "BDAY:\(evil)", "BDAY:1985-01-01", "ORG:\(evil)", "X-\(evil):1")
        let sandbox = try Sandbox(extra: ["NO_COLOR": "1"])
        try await sandbox.runInProcess("contacts", "import", try sandbox.write(card, to: "evil\u{1B}[31m.vcf"))
        try sandbox.write(
            card.replacing("END:VCARD", with: "X-NEW:1\nEND:VCARD") + "BEGIN:VCARD\nFN:\(evil)", to: "again.vcf")
        let piped = try await sandbox.runInProcess(
            words.map { $0.hasSuffix(".vcf") ? sandbox.folder + "/" + $0 : $0 })
        #expect(!Self.isDangerous(piped.output) && !Self.isDangerous(piped.errors), "\(words): \(piped.all)")
        let terminal = try await Terminal(sandbox).run(words + ["--no-progress"])
        #expect(!Self.isDangerous(terminal.screen.output), "\(words): \(terminal.screen.text)")
    }

    /// Every command of the table once, its arguments made of what its usage line says.
    @Test func `no command lets a control character of the data reach a terminal`() async throws {
        let evil = "\u{1B}[31mred\u{1B}]0;title\u{7}\u{9B}31m\u{8}\u{7F}\u{202E}"
        let card = Cards.card(
            "Evil \(evil)", "UID:1", "TEL;TYPE=\(evil):\(evil)1", "EMAIL:\(evil)@example.org", "NOTE:\(evil)",
            "CATEGORIES:\(evil)", "BDAY:1985-01-01", "ORG:\(evil)", "ADR:;;\(evil);;;;", "X-\(evil):1")
        let sandbox = try Sandbox(extra: ["NO_COLOR": "1", "HUB_NO_PAGER": "1", "HUB_NO_INPUT": "1"])
        try sandbox.write(card, to: "evil.vcf")
        try sandbox.write(card + "BEGIN:VCARD\nFN:\(evil)", to: "again.vcf")
        try sandbox.write("{\"tasks\":[{\"name\":\"\(evil)\"}]}", to: "again.json")
        try await sandbox.shell(
            """
            hub contacts import evil.vcf; hub contacts new Twin email=twin@example.org
            hub contacts tag twin $'\\e[31mtag'; hub mintee new Evil; hub mintee note evil $'\\e[31m\\u202e'
            hub events publish app.user/evil '{"a":"\\u001b[31m"}'; hub contacts rm twin -y; cp -r data kept
            """)
        let help = try await sandbox.runInProcess("help", "--all").output
        let commands = help.split(separator: "\n").drop { $0 != "Commands:" }.dropFirst().prefix { !$0.hasSuffix(":") }
            .filter { !$0.hasPrefix("   ") }.map { String($0.dropFirst(2)).split(separator: "  ")[0] }
        try #require(commands.count > 100)
        // These run until they are stopped. What the first prints is printed by `events list` too, two print no data, and the board of the
        // market, which is made of sequences, has a test of its own.
        let endless = ["events tail", "dictofun simulate", "notes serve", "market watch"]
        // What these use is found by the environment of their process: a bus, or other programs.
        let processes: Set = ["dictofun", "logs", "secrets", "serve", "service", "web"]
        for command in commands where !endless.contains(String(command)) {
            let words = command.split(separator: " ").map(String.init)
            let usage =
                try await sandbox.runInProcess(["help"] + words).output.split(separator: "\n")
                .first { $0.hasPrefix("Usage: ") } ?? ""
            let names = usage.split(separator: " ").dropFirst(2 + words.count).map {
                $0.filter { !"[]…".contains($0) }
            }
            let plugin = words[0]
            let given = names.filter { $0 != "options" }.map { name -> String in
                switch name {
                case "FILE":
                    sandbox.folder
                        + (plugin == "mintee" ? "/again.json" : plugin == "contacts" ? "/again.vcf" : "/made.db")
                case "REF", "OP|REF": plugin == "web" ? "contacts" : "\(plugin == "trash" ? "" : "contacts:")evil"
                case "SEL", "TASK", "WORD", "KEEP", "DROP": "evil"
                case "OP": "last"
                case "DIR": sandbox.folder + "/made"
                default: "\(name.first == "D" ? "today" : evil)"
                }
            }
            for extra in [[], ["-y"]] where command != "serve" || extra.isEmpty {
                try FileTree.replace(sandbox.folder + "/data", with: sandbox.folder + "/kept")
                let plan = command == "serve" ? ["-n"] : extra
                let line = words + given + ["--no-progress"] + plan
                let shown =
                    processes.contains(plugin)
                    ? try await Terminal(sandbox).run(line).screen.output
                    : try await sandbox.inProcess { await $0.run(line, profile: .ofTests, console: nil).all }
                #expect(!Self.isDangerous(shown), "hub \(command) \(given): \(shown)")
            }
        }
    }

    @Test(arguments: [[], ["--as", "jcard"], ["--as", "csv"], ["--as", "vcard4"]])
    func `an export shows escapes on a terminal, and keeps every byte in a pipe`(options: [String]) async throws {
        let evil = "\u{1B}[31mred\u{9B}31m\u{202E}"
        let card = Cards.card("Evil", "NOTE:\(evil)")
        let sandbox = try Sandbox(extra: ["NO_COLOR": "1"])
        try await sandbox.runInProcess("contacts", "import", "-", input: card)
        let piped = try await sandbox.runInProcess(["contacts", "export"] + options)
        #expect(piped.output.contains("\u{202E}"))
        if options.isEmpty { #expect(piped.output == card) }
        let terminal = try await Terminal(sandbox).run(["contacts", "export"] + options)
        #expect(!Self.isDangerous(terminal.screen.output), "\(terminal.screen.text)")
        #expect(terminal.screen.text.contains("\\u{202E}"))
    }

    /// Whether a terminal would do something else than show it.
    private static func isDangerous(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x09, 0x0A: false
            case ..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }

    @Test func `an empty folder, a missing file and a device are told apart`() async throws {
        let sandbox = try Sandbox()
        mkdir(sandbox.folder + "/folder.vcf", 0o700)
        let folder = try await sandbox.run("contacts", "import", "folder.vcf")
        #expect(folder.code == 65 && folder.errors.hasPrefix("error: no contacts in folder.vcf"))
        let missing = try await sandbox.run("contacts", "import", "missing.vcf")
        #expect(missing.code == 1 && missing.errors.contains("No such file or directory"))
        #expect(try await sandbox.run("contacts", "import", "/dev/null").code == 65)
    }

    @Test func `a broken database is told to be one`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.runInProcess("contacts", "import", "-", input: Cards.ada)
        try sandbox.write([UInt8](repeating: 0x41, count: 1 << 16), to: "data/hub/hub.db")
        let listed = try await sandbox.runInProcess("contacts")
        #expect(listed.code != 0 && listed.errors.hasPrefix("error: "), "\(listed.all)")
        #expect(try await sandbox.runInProcess("doctor").code == 1)
    }
}
