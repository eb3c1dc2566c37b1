import CivilDate
import Commands
import HubKitTesting
import HubRuntime
import HubRuntimeTesting

/// A small hub with the shapes of the real one: what people see of it is compared with golden files.
enum SampleHub {
    struct Person: Sendable {
        var id = "7kt3xd9m2qwz5v8rjh41"
        var name = "Łukasz Nowak"
        var phone: String? = "+48 601 234 567"
        var email: String? = "lukasz@nowak.pl"
        var tags: [String] = ["friends"]
        var changed = Instant(milliseconds: 1_763_633_400_000)

        static let fields: [Field<Person>] = [
            Field("id", "ID", help: "the id") { .id($0.id, shown: 3) },
            Field("name", "NAME", help: "the display name") { .text($0.name) },
            Field("phone", "PHONE", help: "the first phone number", column: .ifRoom(2)) { FieldValue($0.phone) },
            Field("email", "EMAIL", help: "the first e-mail address", column: .ifRoom(1)) { FieldValue($0.email) },
            Field("tags", "TAGS", help: "the tags", column: .ifRoom(3)) { FieldValue($0.tags) },
            Field("changed", "CHANGED", help: "the last change", column: .onRequest) { .instant($0.changed) },
        ]
    }

    static let people = [
        Person(),
        Person(
            id: "3mx9k2j7q4w8z5v1rdh6", name: "Anna Lukasz", phone: "+49 171 2345678", email: "anna@example.org",
            tags: ["work"]),
    ]

    static let words = Arguments<String>("WORD", .zeroOrMore, help: "only those that match every word")
    static let selectors = Arguments<String>(
        "SEL", .oneOrMore,
        completion: .dynamic { _, prefix in
            people.filter { $0.name.hasPrefix(prefix) }.map { CompletionWord($0.name, $0.email ?? "") }
        })
    static let tag = Option<[String]>("tag", "TAG", help: "only with this tag; again for several")
    static let file = Argument<String>("FILE", completion: .files(["vcf"]))

    enum Format: String, ChoiceArgument { case vcard3, vcard4, csv }

    static let format = Option<Format>("as", "FORMAT", help: "the format of the file")

    static let list = Command(
        "list", summary: "list people, or those that match",
        discussion: ["Words are folded and matched by prefix in every field, so lukasz finds Łukasz."],
        examples: [
            Example("hub contacts list --tag work", "those with a tag"),
            Example("hub contacts list --json=name,email", "for a script"),
        ], parameters: [words, tag, SharedOptions.limit], fields: Person.fields
    ) { (_: any PluginHost, input: Input) in
        let limit = input[SharedOptions.limit] ?? people.count
        let found = people.filter { person in input[tag].allSatisfy { person.tags.contains($0) } }.prefix(limit)
        return .list(
            Array(found), Person.fields, count: "\(found.count) of 1,204 contacts",
            empty: Diagnostic(
                "No contacts",
                suggestions: [
                    Example("hub contacts new", "write the first one"),
                    Example("hub contacts import FILE", "vCard, Google or Outlook CSV, abook, LDIF"),
                    Example("hub contacts accounts add NAME URL", "connect a CardDAV server"),
                ]))
    }

    static let search = Command(
        "search", summary: "find people, the best first",
        examples: [
            Example("hub contacts search ada", "by a name"), Example("hub contacts search 601", "by a phone number"),
        ], parameters: [words], fields: Person.fields
    ) { (_: any PluginHost, input: Input) in
        let found = input[words] == ["lukasz"] ? people : []
        return .matches(
            found, Person.fields, count: "2 of 1,204 contacts",
            none: Diagnostic(
                "No contact matches \"\(input[words].joined(separator: " "))\"",
                hint: "did you mean Łukasz Nowak (7kt)?"))
    }

    static let show = Command(
        "show", summary: "all that is known of a person", parameters: [selectors], fields: Person.fields
    ) { (_: any PluginHost, _: Input) in .record(people[0], Person.fields) }

    static let remove = Command("rm", summary: "to the trash", parameters: [selectors], changes: true) {
        (_: any PluginHost, input: Input) in
        guard try await input.confirm("Remove Anna Lukasz?", consequence: "1 contact would go to the trash") else {
            return .cancelled
        }
        return .done("1 contact is in the trash for 30 days. Undo: hub undo")
    }

    static let importFile = Command(
        "import", summary: "read contacts from a file", parameters: [file, format], changes: true
    ) { (_: any PluginHost, input: Input) in
        input.console.report(Progress("people.vcf", completed: 1, of: 3, unit: "cards"))
        struct Item: Sendable { var outcome, id, text: String; var details: [String] = [] }
        return .report(
            [
                Item(outcome: "new", id: "4fk", text: "Ada Lovelace"),
                Item(
                    outcome: "skipped", id: "people.vcf:19:1", text: "\"J. Smith\": BEGIN:VCARD without END:VCARD",
                    details: ["   19 │ BEGIN:VCARD", "      │ ^ the file ends before this card does"]),
            ],
            [
                Field("outcome", "", help: "what was done") { .text($0.outcome) },
                Field(
                    "id", "", help: "the id or the place",
                    cell: { $0.outcome == "skipped" ? "\($0.id)  \($0.text)" : $0.id }
                ) { .text($0.id) },
                Field("text", "", help: "who", cell: { $0.outcome == "skipped" ? "" : $0.text }) { .text($0.text) },
            ], summary: ["people.vcf: 1 new, 0 updated, 0 unchanged, 1 skipped. Undo: hub undo"], exit: .partly,
            details: \.details)
    }

    static let fail = Command("fail", summary: "fails", isHidden: true) { (_: any PluginHost, _: Input) in
        throw HubError(
            .unavailable, code: "server-away", "cannot reach posteo", details: ["the name has no address"],
            hint: "hub contacts accounts test posteo")
    }

    static let watch = Command("watch", summary: "stay open and follow", fields: Person.fields) {
        (_: any PluginHost, _: Input) in
        let batches = AsyncThrowingStream<Rows, any Error> { continuation in
            continuation.yield(Rows([people[0]], Person.fields))
            continuation.yield(Rows([people[1]], Person.fields))
            continuation.finish()
        }
        return Output(.stream(Person.fields.map(\.descriptor), batches))
    }

    static let contacts = Command(
        group: "contacts", aliases: ["contact"], nouns: ["contact", "contacts"],
        summary: "people and address books", examples: [Example("hub contacts import people.vcf", "a first import")],
        view: "list",
        subcommands: [list, search, show, remove, importFile, watch, fail])

    static let root: Command = Command(
        group: "hub", summary: "keeps people, notes, voice records, prices and habits in one place.",
        subcommands: [
            plain("today", "what matters now, from all plugins"), plain("search", "one search over everything"),
            contacts,
            Command(
                group: "notes", summary: "notes, alone or shared",
                examples: [Example("hub notes new \"Shopping\"", "a first note")], subcommands: []),
            Command(
                group: "dictofun", summary: "voice records and transcripts",
                examples: [Example("hub dictofun import memo.ogg", "a first record")], subcommands: []),
            Command(
                group: "market", summary: "prices, portfolio, alerts", examples: [Example("hub market", "prices")],
                subcommands: []),
            Command(
                group: "mintee", summary: "tasks and habits",
                examples: [Example("hub mintee new Read", "a first habit")], subcommands: []),
        ]
            + ["sync", "undo", "history", "status", "doctor", "config", "backup", "serve", "web"].map {
                plain($0, "does it", .more)
            } + [HelpCommand.command(root: { root }, width: 80)])

    private static func plain(
        _ name: String, _ summary: String, _ prominence: Command.Prominence = .main
    ) -> Command {
        Command(name, summary: summary, prominence: prominence) { (_: any PluginHost, _: Input) in .nothing }
    }

    typealias Run = TestHub.Run

    /// Nobody needs a plugin here.
    struct NoHost: PluginHost {
        func plugin<Plugin: Sendable>(_ type: Plugin.Type) throws -> Plugin {
            throw HubError(.internal, code: "no-plugin", "there are no plugins in this test")
        }
    }

    /// Friday, 20 November 2026, 12:10 in UTC.
    static let now = Instant(milliseconds: 1_795_176_600_000)

    /// Runs `line` on a terminal, or in a pipe without one.
    static func run(
        _ line: String, profile: TerminalProfile = TerminalProfile(), environment: [String: String] = [:],
        console: ScriptedConsole = ScriptedConsole(), notes: [String] = []
    ) async -> Run {
        let (output, messages) = (MemorySink(), MemorySink())
        let runner = CommandRunner(
            root: root,
            environment: CommandRunner.Environment(
                variables: ["HUB_NO_PAGER": "1", "HOME": "/nonexistent"].merging(environment) { $1 },
                profile: profile, output: output,
                messages: messages, clock: FixedClock(now: now), zone: .utc, console: console),
            helpNotes: { notes }, makeHost: { _ in NoHost() })
        let exit = await runner.run(ShellWords.split(line) ?? [])
        return Run(output: output.text, messages: messages.text, exit: exit)
    }
}
