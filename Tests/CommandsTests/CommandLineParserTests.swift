import Commands
import HubKitTesting
import TestSupport
import Testing

@Suite struct CommandLineParserTests {
    typealias Sample = SampleCommands

    @Test(arguments: [
        ("contacts list", "hub contacts list"),
        ("contacts", "hub contacts list"),
        ("contact list", "hub contacts list"),
        ("contacts contact list", "hub contacts list"),
        ("contacts --limit 3 list", "hub contacts list"),
        ("--json contacts list", "hub contacts list"),
        ("--color never contacts -t list list", "hub contacts list"),
        ("contacts --all", "hub contacts list"),
        ("history", "hub history"),
        ("history 9hd", "hub history"),
        ("history prune", "hub history prune"),
    ])
    func `a command is found wherever its options stand`(line: String, path: String) throws {
        let parsed = try Sample.parse(line)
        #expect(parsed.path.joined(separator: " ") == path)
        #expect(parsed.action == .run)
    }

    @Test(arguments: [
        "contacts list --limit 5 ada", "contacts list --limit=5 ada", "contacts list ada --limit 5",
        "--limit=5 contacts list ada", "contacts --limit 5 list ada", "contacts list --limit 3 ada --limit 5",
        "contacts list --limit 5 -- ada",
    ])
    func `an option may stand anywhere and the last one counts`(line: String) throws {
        let input = try Sample.parse(line).input(console: ScriptedConsole())
        #expect(input[Sample.limit] == 5)
        #expect(input[Sample.words] == ["ada"])
    }

    @Test(arguments: [
        ("contacts list -t work -t home", ["work", "home"]), ("contacts list -twork", ["work"]),
        ("contacts list -t=work", ["work"]), ("contacts list -vt work", ["work"]),
        ("contacts list --tag=", [""]), ("contacts list", []),
    ])
    func `a repeated option keeps all its values`(line: String, tags: [String]) throws {
        #expect(try Sample.parse(line).values[Sample.tag] == tags)
    }

    @Test func `clustered short flags are all set`() throws {
        let values = try Sample.parse("contacts list -nya").values
        #expect(values[GlobalOptions.dryRun] && values[GlobalOptions.yes] && values[Sample.all])
    }

    @Test func `a flag can be taken back by its negation`() throws {
        #expect(try !Sample.parse("contacts list --all --no-all").values[Sample.all])
        #expect(try !Sample.parse("contacts list --no-pager").values[GlobalOptions.pager])
        #expect(try Sample.parse("contacts list").values[GlobalOptions.pager])
    }

    @Test func `a word that is not UTF-8 is refused where it is not a path`() throws {
        let raw = RawText.text(ByteString([0x62, 0xFF]))
        #expect(throws: (any Error).self) { try Sample.parse("contacts list \(raw)") }
        #expect(throws: (any Error).self) { try Sample.parse("contacts list --data \(raw)") }
        #expect(try Sample.parse("contacts list -o \(raw)").values[GlobalOptions.output] == raw)
    }

    @Test func `a negative number is an argument, a lone dash too`() throws {
        #expect(try Sample.parse("contacts add -5").values[Sample.amount] == -5)
        #expect(try Sample.parse("contacts rm - 7kt").values[Sample.selectors] == ["-", "7kt"])
    }

    @Test func `words after two dashes are never options`() throws {
        #expect(try Sample.parse("contacts list -- --all -t").values[Sample.words] == ["--all", "-t"])
    }

    @Test func `an option with an optional value never takes the next word`() throws {
        let parsed = try Sample.parse("contacts list --json ada")
        #expect(parsed.values[GlobalOptions.json] == "")
        #expect(parsed.values[Sample.words] == ["ada"])
        #expect(try Sample.parse("contacts list --json=name,tags").values[GlobalOptions.json] == "name,tags")
    }

    @Test func `an argument is read as its type`() throws {
        let parsed = try Sample.parse("contacts add 3 yesterday")
        #expect(parsed.values[Sample.amount] == 3)
        #expect(parsed.values[Sample.day] == [.relativeDay(-1)])
    }

    @Test(arguments: [
        ("contatcs", ParseError.unknownCommand("contatcs", nearest: "contacts")),
        ("contacts lits", .unknownCommand("lits", nearest: "list")),
        ("contacts zebra", .unknownCommand("zebra", nearest: nil)),
        ("contacts list --limt 3", .unknownOption("--limt", nearest: "--limit")),
        ("contacts list -x", .unknownOption("-x", nearest: nil)),
        ("contacts list --limit", .missingValue(option: "--limit", valueName: "N")),
        ("contacts list -t --all", .missingValue(option: "-t", valueName: "TAG")),
        ("contacts list --all=yes", .unexpectedValue(option: "--all")),
        (
            "contacts list --limit many",
            .invalidValue("many", of: "--limit", InvalidArgument(expected: "a whole number"))
        ),
        (
            "contacts list --limit 0",
            .invalidValue("0", of: "--limit", InvalidArgument(expected: "a whole number, 1 or more"))
        ),
        (
            "contacts list --sort nam",
            .invalidValue("nam", of: "--sort", InvalidArgument(expected: "name, changed", hint: "did you mean name?"))
        ),
        ("contacts rm", .missingArgument("SEL")),
        ("contacts add 1 today more", .unexpectedArgument("more")),
        ("contacts list --json --plain", .conflict("--json", "--plain")),
        ("--bogus", .unknownOption("--bogus", nearest: nil)), ("-x", .unknownOption("-x", nearest: nil)),
        ("--bogus --version", .unknownOption("--bogus", nearest: nil)),
        ("server --bogus", .unknownOption("--bogus", nearest: nil)),
        ("contacts help zebra", .unknownCommand("zebra", nearest: nil)),
        ("contacts list --tag a --all", .conflict("--tag", "--all")),
        ("server list", .unknownCommand("list", nearest: nil)),
    ])
    func `a command line that is wrong says precisely why`(line: String, expected: ParseError) throws {
        #expect(try Sample.error(line) == expected)
    }

    @Test(arguments: [
        "", "server", "-h", "contacts -h", "contacts list --help", "contacts rm -h", "server --help", "contacts help",
        "contacts help list", "history help", "server help",
    ])
    func `help is shown when it is asked for or there is nothing to run`(line: String) throws {
        #expect(try Sample.parse(line).action == .help)
    }

    @Test func `the environment gives what the command line does not`() throws {
        let environment = ["HUB_OFFLINE": "1", "HUB_NO_PAGER": "yes", "HUB_COLOR": "never", "HUB_JSON": "name"]
        let values = try Sample.parse("contacts list", environment: environment).values
        #expect(values[GlobalOptions.offline] && !values[GlobalOptions.pager])
        #expect(values[GlobalOptions.color] == .never)
        #expect(values[GlobalOptions.json] == "name")
        let typed = try Sample.parse("contacts list --color=always --no-offline --plain", environment: environment)
        #expect(typed.values[GlobalOptions.color] == .always)
        #expect(!typed.values[GlobalOptions.offline] && typed.values[GlobalOptions.json] == nil)
    }

    @Test(arguments: [("1", ""), ("true", ""), ("0", nil), ("", nil), ("name", "name")] as [(String, String?)])
    func `a switch in the environment asks for all fields or for none`(value: String, fields: String?) throws {
        for (variable, option) in [("HUB_JSON", GlobalOptions.json), ("HUB_PLAIN", GlobalOptions.plain)] {
            #expect(try Sample.parse("contacts list", environment: [variable: value]).values[option] == fields)
        }
    }

    @Test func `options before an external command become variables`() throws {
        let given = try #require(
            GlobalOptions.environment(of: [
                "-qo", "x", "--data=/d", "--config", "c", "--json", "--plain=a", "--no-pager", "--no-offline", "-h",
            ]))
        #expect(
            given.variables == [
                "HUB_QUIET": "1", "HUB_OUTPUT": "x", "HUB_DATA": "/d", "HUB_CONFIG": "c", "HUB_JSON": "1",
                "HUB_PLAIN": "a", "HUB_NO_PAGER": "1", "HUB_OFFLINE": "0",
            ])
        #expect(given.rest == ["-h"])
        #expect(GlobalOptions.environment(of: ["--bogus"]) == nil && GlobalOptions.environment(of: ["--data"]) == nil)
    }

    @Test func `a wrong environment variable is named`() throws {
        #expect(
            try Sample.error("contacts", environment: ["HUB_OFFLINE": "maybe"])
                == .invalidValue("maybe", of: "HUB_OFFLINE", InvalidArgument(expected: "1 or 0")))
    }

    @Test func `an error tells how the command is typed and what to do`() throws {
        do throws(ParseFailure) {
            _ = try CommandLineParser(root: Sample.root).parse(["contacts", "list", "--limt", "3"])
            Issue.record("it must not be understood")
        } catch {
            let shown = error.hubError
            #expect(shown.message == "hub contacts list has no option --limt")
            #expect(shown.details == ["usage: hub contacts list [WORD…] [options]"])
            #expect(shown.hint == "did you mean --limit?")
            #expect(shown.kind.exitCode == 64)
        }
    }

    @Test func `the command line is kept as a shell would read it`() throws {
        let parsed = try Sample.parse("contacts list 'old work' --tag it\\'s")
        let input = parsed.input(console: ScriptedConsole())
        #expect(input.commandLine == "contacts list 'old work' --tag 'it'\\''s'")
        #expect(input.operation == "contacts list")
    }

    @Test(.seeded) func `random words never crash the parser`() {
        var generator = SeededGenerator()
        let pieces = [
            "contacts", "list", "rm", "-", "--", "-t", "--tag", "=", "-5", "--no-", "é", "", "-\u{301}", "--=x",
        ]
        for _ in 0..<2000 {
            let line = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }
            _ = try? CommandLineParser(root: Sample.root).parse(line)
        }
    }
}
