import HubKitTesting
import HubRuntimeTesting
import Testing

/// The forms in which a result can be had.
@Suite(.timeLimit(.minutes(20)))
struct OutputFormTests {
    private func sandbox(_ sandbox: Sandbox? = nil) async throws -> Sandbox {
        let sandbox = try sandbox ?? Sandbox()
        try await sandbox.runInProcess("contacts", "import", "-", input: Cards.ada + Cards.lukasz)
        return sandbox
    }

    @Test func `JSON holds the fields asked for, in that order`() async throws {
        let sandbox = try await sandbox()
        #expect(
            try await sandbox.runInProcess("contacts", "list", "--json=name,tags").output == """
                [{"name":"Ada Lovelace","tags":[]},
                {"name":"Łukasz Nowak","tags":["friends"]}]

                """)
        #expect(try await sandbox.runInProcess("contacts", "list", "nobody", "--json").output == "[]\n")
        let fields = try await sandbox.runInProcess("contacts", "list", "--json=help")
        #expect(fields.output.contains("email  preferred e-mail address"))
    }

    @Test func `plain text is parted by tabs, has whole ids and no header`() async throws {
        let sandbox = try await sandbox()
        #expect(
            try await sandbox.runInProcess("contacts", "list", "--plain=name,email").output == """
                Ada Lovelace\tada@example.org
                Łukasz Nowak\tlukasz@nowak.pl

                """)
        let ids = try await sandbox.runInProcess("contacts", "list", "--plain=id").output.split(separator: "\n")
        #expect(ids.allSatisfy { $0.count == 20 })
        let parted = try await sandbox.runInProcess("contacts", "list", "--plain=name", "-z").output
        #expect(parted == "Ada Lovelace\0Łukasz Nowak\0")
    }

    @Test func `a template writes each row`() async throws {
        let sandbox = try await sandbox()
        let rows = try await sandbox.runInProcess("contacts", "list", "--format", #"{email}\t<{name}>"#)
        #expect(rows.output == "ada@example.org\t<Ada Lovelace>\nlukasz@nowak.pl\t<Łukasz Nowak>\n")
    }

    @Test func `on a terminal a warning has its mark, and no other message has it`() async throws {
        let sandbox = try Sandbox(config: "[hub]\nreggion = \"PL\"\n")
        let lines = try await Terminal(sandbox).run("contacts", "new", "Ada").screen.text.split(separator: "\n")
        let warnings = lines.filter { $0.hasPrefix("!") }
        #expect(warnings.count == 1 && warnings[0].contains("reggion"), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("Ada") })
    }

    @Test func `a pipe gets whole cells and a terminal its width`() async throws {
        let sandbox = try Sandbox()
        let name = "Pablo Diego José Francisco de Paula Juan Nepomuceno María de los Remedios Cipriano Ruiz"
        try await sandbox.runInProcess("contacts", "import", "-", input: Cards.card(name, "EMAIL:pablo@example.org"))
        #expect(try await sandbox.run("contacts", "list").output.contains(name))
        let screen = try await Terminal(sandbox).run("contacts", "list").screen.text
        #expect(!screen.contains(name) && screen.contains("Pablo Diego") && screen.contains("pablo@example.org"))
        #expect(screen.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `colour is for terminals that want it`() async throws {
        func colored(_ variables: [String: String], _ words: String...) async throws -> Bool {
            let sandbox = try Sandbox(extra: variables)
            try await sandbox.runInProcess("contacts", "import", "-", input: Cards.ada)
            let session = try await Terminal(sandbox).run("contacts", "list", words.first ?? "--color=auto")
            return session.screen.bytes.contains(0x1B)
        }
        #expect(try await colored([:]))
        #expect(try await !colored(["NO_COLOR": "1"]))
        #expect(try await !colored(["TERM": "dumb"]))
        #expect(try await !colored([:], "--color=never"))
        #expect(try await colored(["NO_COLOR": "1"], "--color=always"))
        #expect(try await sandbox().run("contacts", "list").output.contains("\u{1B}") == false)
    }

    @Test func `a file is written whole or not at all`() async throws {
        let sandbox = try await sandbox()
        let file = try sandbox.write("before", to: "out.tsv")
        let refused = try await sandbox.runInProcess("contacts", "show", "nobody", "-o", file)
        #expect(refused.code == 1)
        #expect(sandbox.read("out.tsv") == "before")
        // A file of another kind is replaced only when that is asked for.
        let guarded = try await sandbox.runInProcess("contacts", "list", "--plain=name", "-o", file)
        #expect(guarded.code == 64 && guarded.errors.contains("--force"), "\(guarded.all)")
        #expect(sandbox.read("out.tsv") == "before")
        try await sandbox.runInProcess("contacts", "list", "--plain=name", "-o", file, "--force")
        #expect(sandbox.read("out.tsv") == "Ada Lovelace\nŁukasz Nowak\n")
    }

    /// Sixty contacts called Zed and four others.
    private func crowd() async throws -> Sandbox {
        let sandbox = try Sandbox(extra: ["NO_COLOR": "1"])
        let zeds = (1...60).map { Cards.card("Zed \($0)", "UID:\($0)", "EMAIL:zed\($0)@example.org") }.joined()
        let others = ["Ada", "Anna", "Grace", "Linus"].map { Cards.card($0, "UID:\($0)") }.joined()
        try await sandbox.runInProcess(["contacts", "import", "-"], input: Array((zeds + others).utf8))
        return sandbox
    }

    /// Rows that a command prints in a pipe, and what it says on a terminal of those that it leaves out there.
    @Test(arguments: [
        ("contacts search zed", 61, "50 of 60 matches, more: --limit 60"), ("search zed", 61, "20 of 60 matches"),
        ("contacts list zed --limit 3", 4, "3 of 60 contacts, more: --limit 60"),
        ("contacts search zed --limit 3", 4, "3 of 60 matches, more: --limit 60"),
        ("contacts email zed --limit 3", 3, "3 of 60 matches, more: --limit 60"),
        ("contacts query zed --limit 3", 3, "3 of 60 matches, more: --limit 60"),
        ("contacts search ada", 2, "1 of 64 contacts"),
    ])
    func `a list that stops early says so, and only on a terminal it does so by itself`(
        line: String, lines: Int, footer: String
    ) async throws {
        let sandbox = try await crowd()
        let words = line.split(separator: " ").map(String.init)
        let piped = try await sandbox.runInProcess(words)
        #expect(piped.output.split(separator: "\n").count == lines, "\(piped.all)")
        let screen = try await Terminal(sandbox).run(words).screen.text
        #expect(screen.split(separator: "\n").last?.hasPrefix(footer) == true, "\(screen)")
        if !line.contains("--limit") {
            let rows = try await sandbox.runInProcess(words + ["--plain"]).output.split(separator: "\n").count
            #expect(rows == lines - 1)
        }
    }

    @Test func `of very many addresses it is only said that there are more`() async throws {
        let sandbox = try Sandbox()
        let zeds = (1...400).map { Cards.card("Zed \($0)", "UID:\($0)", "EMAIL:zed\($0)@example.org") }.joined()
        try await sandbox.runInProcess(["contacts", "import", "-"], input: Array(zeds.utf8))
        for command in ["email", "query"] {
            let some = try await sandbox.runInProcess("contacts", command, "zed", "--limit", "3")
            #expect(some.output.split(separator: "\n").count == 3, "\(some.all)")
            #expect(some.all.contains("3 of more than 300 matches, more: --limit 3000\n"), "\(some.all)")
            let all = try await sandbox.runInProcess("contacts", command, "zed", "--limit", "3000")
            #expect(all.output.split(separator: "\n").count == 400 && !all.all.contains("more"), "\(all.all)")
        }
        let some = try await sandbox.runInProcess("contacts", "query", "--mutt", "zed", "--limit", "3")
        #expect(some.output.hasPrefix("more than 300 addresses match \"zed\"\n"), "\(some.all)")
        let all = try await sandbox.runInProcess("contacts", "query", "--mutt", "zed")
        #expect(all.output.hasPrefix("400 addresses match \"zed\"\n"), "\(all.all)")
    }

    @Test func `history is whole in a pipe and counted on a terminal`() async throws {
        let sandbox = try Sandbox(extra: ["NO_COLOR": "1"])
        for number in 1...23 { try await sandbox.runInProcess("mintee", "new", "Task\(number)", "-q") }
        let count = try await sandbox.runInProcess("history", "--plain=id").output.split(separator: "\n").count
        #expect(count == 23)
        let screen = try await Terminal(sandbox).run("history").screen.text
        #expect(screen.hasSuffix("20 of 23 operations, more: --limit 23\n"), "\(screen)")
        let tasks = try await Terminal(sandbox).run("mintee", "search", "task", "--limit", "2").screen.text
        #expect(tasks.hasSuffix("2 of 23 matches, more: --limit 23\n"), "\(tasks)")
    }

    @Test func `a selector that names many counts all of them`() async throws {
        let sandbox = try await crowd()
        let shown = try await sandbox.runInProcess("contacts", "show", "zed")
        #expect(shown.code == 64)
        #expect(shown.errors.hasPrefix("error: \"zed\" matches 60 contacts\n"), "\(shown.all)")
        #expect(shown.errors.contains("and 40 more"))
        let asked = try await Terminal(sandbox).run(
            "contacts", "show", "zed", answers: [.init(prompt: "Which one? [1-60]", text: "60")])
        #expect(asked.code == 0 && asked.screen.text.contains("\n  60  "), "\(asked.screen.text)")
    }

    @Test func `rows end with NUL without another word`() async throws {
        let sandbox = try await sandbox()
        let names = try await sandbox.shell("hub contacts list -z | xargs -0 -n 1 | wc -l")
        #expect(names.output == "2\n", "\(names.all)")
        let addresses = try await sandbox.runInProcess("contacts", "query", "lukasz", "-z").output
        #expect(addresses.hasPrefix("lukasz@nowak.pl\tŁukasz Nowak\thome\t") && addresses.hasSuffix("\0"))
    }

    @Test(arguments: [("HUB_JSON", "1"), ("HUB_PLAIN", "1"), ("HUB_JSON", "name"), ("HUB_JSON", "0")])
    func `the environment gives the form of the output`(variable: String, value: String) async throws {
        let sandbox = try await sandbox()
        let name = variable == "HUB_JSON" ? "--json" : "--plain"
        let options = value == "0" ? [] : [value == "1" ? name : "\(name)=\(value)"]
        let wanted = try await sandbox.runInProcess(["contacts", "list"] + options).output
        #expect(try await sandbox.run(["contacts", "list"], extra: [variable: value]).output == wanted)
    }

    @Test func `until a day includes it`() async throws {
        let sandbox = try await sandbox(Sandbox(clock: FixedClock()))
        for day in ["today", "tomorrow"] {
            let listed = try await sandbox.runInProcess(
                "contacts", "list", "--since", "today", "--until", day, "--plain=name")
            #expect(listed.output == "Ada Lovelace\nŁukasz Nowak\n", "\(day): \(listed.all)")
        }
        #expect(try await sandbox.runInProcess("contacts", "list", "--until", "yesterday", "--plain").output.isEmpty)
    }

    @Test func `several tags narrow a list and a removal`() async throws {
        let sandbox = try await sandbox()
        try await sandbox.runInProcess("contacts", "tag", "ada", "friends", "work")
        let both = try await sandbox.runInProcess(
            "contacts", "list", "--tag", "friends", "--tag", "work", "--plain=name")
        #expect(both.output == "Ada Lovelace\n", "\(both.all)")
        try await sandbox.runInProcess("contacts", "rm", "--tag", "work", "--tag", "friends", "--yes")
        #expect(try await sandbox.contacts().map(\.name) == ["Łukasz Nowak"])
        try await sandbox.runInProcess("mintee", "new", "A", "--tag", "x", "--tag", "y")
        try await sandbox.runInProcess("mintee", "new", "B", "--tag", "x")
        let tasks = try await sandbox.runInProcess("mintee", "list", "--tag", "x", "--tag", "y", "--plain=name")
        #expect(tasks.output == "A\n", "\(tasks.all)")
    }

    @Test func `what is written to a file is told, and a plan writes none`() async throws {
        let sandbox = try await sandbox()
        let file = sandbox.folder + "/e.vcf"
        let planned = try await sandbox.runInProcess("contacts", "export", "-o", file, "-n")
        #expect(planned.all.hasPrefix("Would write ") && planned.all.hasSuffix(" to \(file)\n"), "\(planned.all)")
        #expect(sandbox.read("e.vcf") == nil)
        let written = try await sandbox.runInProcess("contacts", "export", "-o", file)
        #expect(written.output.isEmpty && written.errors.hasPrefix("\(file): ") && written.errors.contains(" written"))
        let picture = sandbox.folder + "/ada.svg"
        #expect(try await sandbox.runInProcess("contacts", "qr", "ada", "-o", picture, "-q").all.isEmpty)
        #expect(sandbox.read("ada.svg")?.isEmpty == false)
    }

    /// Commands that change one item, each with a field that the change sets.
    private static let plannable = [
        (["contacts", "new", "Zoe", "Meyer"], "name"), (["contacts", "set", "ada", "email=ada@engine.org"], "email"),
        (["mintee", "new", "Swim", "--on", "daily: x >= 2"], "name"), (["mintee", "set", "Water", "3"], "value"),
        (["mintee", "done", "Water"], "value"), (["mintee", "note", "Water", "cold"], "note"),
        (["mintee", "edit", "Water", "--name", "Tea"], "name"),
        (["mintee", "analyses", "new", "Sum", "--tag", "health"], "name"),
        (["mintee", "analyses", "edit", "Health", "--name", "Fit"], "name"),
    ]

    private static func state(of sandbox: Sandbox) async throws -> String {
        try await sandbox.inProcess { hub in
            var text = ""
            for line in ["contacts list --json", "mintee list --json", "mintee analyses --json", "history --json"] {
                text += await hub.finished(line.split(separator: " ").map(String.init)).output
            }
            return text
        }
    }

    @Test func `a plan is shown in the form that the command has, and changes nothing`() async throws {
        let sandbox = try await sandbox(Sandbox(clock: FixedClock()))
        try await sandbox.runInProcess("mintee", "new", "Water", "--tag", "health")
        try await sandbox.runInProcess("mintee", "analyses", "new", "Health", "--tag", "health")
        for (words, field) in Self.plannable {
            let before = try await Self.state(of: sandbox)
            let plan = try await sandbox.runInProcess(words + ["-n", "--json"])
            let chosen = try await sandbox.runInProcess(words + ["-n", "--json=\(field)"])
            let told = try await sandbox.runInProcess(words + ["-n"])
            #expect(told.output.hasPrefix("Would ") || told.output.contains("would "), "\(words) \(told.all)")
            #expect(!told.all.contains("Undo:"), "\(words) \(told.all)")
            #expect(try await Self.state(of: sandbox) == before, "\(words) changed something")
            let done = try await sandbox.runInProcess(words + ["--json"])
            #expect(plan.code == 0 && done.code == 0 && chosen.code == 0, "\(words) \(plan.all) \(done.all)")
            func keys(_ text: String) -> [Substring] { text.matches(of: /"(\w+)":/).map(\.output.1) }
            #expect(keys(plan.output) == keys(done.output), "\(words) \(plan.output) \(done.output)")
            #expect(keys(chosen.output) == [Substring(field)], "\(words) \(chosen.all)")
            func value(_ text: String) throws -> Substring? {
                try Regex("\"\(field)\":([^,}]+)").firstMatch(in: text)?.output[1].substring
            }
            #expect(try value(chosen.output) == value(done.output), "\(words) \(chosen.output) \(done.output)")
        }
    }

    @Test func `a verbose error names its causes and where the command worked`() async throws {
        let sandbox = try await sandbox()
        try await sandbox.shell("dd if=/dev/zero of=data/hub/hub.db bs=100 count=1 conv=notrunc")
        let short = try await sandbox.run("contacts", "list")
        #expect(short.code == 70 && !short.errors.contains("SQLite"), "\(short.errors)")
        let store = sandbox.folder + "/data/hub/hub.db"
        for (arguments, extra) in [(["-v"], [:]), ([], ["HUB_DEBUG": "1"])] {
            let long = try await sandbox.run(["contacts", "list"] + arguments, extra: extra)
            #expect(long.errors.contains("code store-damaged, exit 70"), "\(long.errors)")
            #expect(long.errors.contains("caused by: file is not a database (SQLite 26)"), "\(long.errors)")
            #expect(long.errors.contains("store \(store)") && long.errors.contains("config.toml"), "\(long.errors)")
        }
        let json = try await sandbox.run("contacts", "list", "-v", "--json").errors
        #expect(json.contains(#""causes":["file is not a database (SQLite 26)"#) && json.contains(store), "\(json)")
    }

    @Test func `a thing is named in history as in show`() async throws {
        let sandbox = try await sandbox()
        let id = try #require(try await sandbox.contacts().first { $0.name == "Ada Lovelace" }).id
        for word in ["lovelace", id, String(id.prefix(5)), "ada@example.org"] {
            let history = try await sandbox.runInProcess("history", "contacts:\(word)", "--plain=command")
            #expect(history.output == "contacts import -\n", "\(word): \(history.all)")
            let link = try await sandbox.runInProcess("web", "contacts:\(word)", "-n")
            #expect(link.output.hasSuffix("/contacts?id=\(id)\n"), "\(link.all)")
        }
        #expect(try await sandbox.runInProcess("history", "contacts:nobody").code == 1)
        try await sandbox.runInProcess("contacts", "rm", "ada", "-y")
        let history = try await sandbox.runInProcess("history", "contacts:lovelace", "--plain=id")
        #expect(history.output.split(separator: "\n").count == 2, "\(history.all)")
    }

    @Test func `a program hub-NAME gets the options before it from the environment`() async throws {
        let sandbox = try await sandbox()
        try sandbox.script("hub-foo", "echo \"$* data=$HUB_DATA json=$HUB_JSON quiet=$HUB_QUIET\"")
        let called = try await sandbox.run("-q", "--data", "/x", "--json", "foo", "a", "--json=b")
        #expect(called.output == "a --json=b data=/x json=1 quiet=1\n", "\(called.all)")
        #expect(try await sandbox.run("fooo").errors.contains("did you mean hub foo?"))
        #expect(try await sandbox.run("help", "foo").output.contains("hub foo --help"))
        #expect(try await sandbox.run("help", "--all").output.contains("Programs on PATH, run as hub NAME:\n  foo\n"))
        #expect(try await sandbox.run("__complete", "--", "fo").output == "words\nfoo\thub-foo\n")
        #expect(try await sandbox.run("--bogus", "foo").code == 64)
    }

    @Test func `words and variables that are not UTF-8 are given on as they are, or refused`() async throws {
        let sandbox = try await sandbox()
        try sandbox.script("hub-foo", "printf '%s %s' \"$1\" \"$X\" | od -An -tx1")
        let given = try await sandbox.shell(#"X=$'\xff' hub foo $'\xe9'"#)
        #expect(given.output.contains("e9 20 ff"), "\(given.all)")
        for (variable, part) in [
            ("HUB_DATA", "for HUB_DATA"), ("HUB_CONFIG", "for HUB_CONFIG"), ("HOME", "HOME is not"),
        ] {
            let refused = try await sandbox.shell(#"\#(variable)=$PWD/$'q\xff' hub contacts list"#)
            #expect(refused.code == 64 && refused.errors.contains(part), "\(variable): \(refused.all)")
        }
        #expect(try await sandbox.shell(#"HOME=$'/q\xff' hub help undo"#).code == 0)
        let made = try await sandbox.shell("ls | od -c")
        #expect(!made.output.contains("377") && !made.output.contains("357 277 275"), "\(made.all)")
    }
}
