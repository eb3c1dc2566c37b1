import Commands

/// `hub config`: what is set, where from, whether it is right, and how to change it.
///
/// They ask the host for its ``ConfigManager`` and for nothing else, so they work with a config file that is broken.
enum ConfigCommands {
    static let command = Command(
        group: "config", summary: "show, check and change settings", prominence: .more,
        view: "list", subcommands: [list, get, set, unset, edit, check, migrate, path, schema, initialize])

    static let key = Argument<String>(
        "KEY", help: "name of the setting, such as hub.region",
        completion: .from(ConfigManager.self) { manager, _ in try await completions(manager) })

    private static let words = Arguments<String>(
        "WORD", .zeroOrMore, help: "only settings whose names contain all words")
    private static let origin = Flag("origin", help: "show where each value comes from and what it overrides")

    private static let list = Command(
        "list", summary: "list all settings and their values",
        examples: [
            Example("hub config list", "list every setting with its value"),
            Example("hub config list --origin web", "show where values with web in their names come from"),
        ], parameters: [words, origin], fields: ConfigRow.fields(withOrigin: true)
    ) { (manager: ConfigManager, input: Input) in
        let configuration = try manager.load()
        let rows = configuration.entries.filter { entry in
            let name = entry.path.description
            return input[words].allSatisfy { name.contains($0.lowercased()) }
        }.map { ConfigRow(entry: $0) }
        let output = Output.list(
            rows, ConfigRow.fields(withOrigin: input[origin]),
            empty: Diagnostic("No settings", suggestions: [Example("hub config list", "list all settings")]))
        return noting(configuration.problems, in: output)
    }

    private static let get = Command(
        "get", summary: "show the value of one setting",
        examples: [
            Example("hub config get hub.currency", "print only the value, for scripts"),
            Example("hub config get hub.web.listen --json", "print it with origin and description"),
        ], parameters: [key],
        fields: ConfigRow.fields(withOrigin: true)
    ) { (manager: ConfigManager, input: Input) in
        let name = input[key]
        let entry = try manager.entry(named: name)
        guard let entry, entry.winner.value != nil else {
            let otherwise = entry?.setting.key.defaultText.map { ": \($0)" } ?? ""
            var output = Output.nothing.noting(Diagnostic("\(name) is not set\(otherwise)", code: "not-set"))
            output.exit = .no
            return output
        }
        let row = ConfigRow(entry: entry)
        return .record(row, ConfigRow.fields(withOrigin: true), human: [row.shownValue])
    }

    private static let check = Command(
        "check", summary: "check the config file and the environment for mistakes",
        examples: [
            Example("hub config check", "exit with code 1 if something is wrong"),
            Example("hub config check --config new.toml", "check another file before using it"),
        ], fields: problemFields
    ) { (manager: ConfigManager, _: Input) in
        let configuration = try manager.review()
        if configuration.problems.isEmpty {
            let isThere = try manager.file.readIfPresent() != nil
            return .done(isThere ? "\(manager.file.shownPath) is valid" : "No config file, and none is needed")
        }
        return .report(
            configuration.problems, problemFields, summary: [countOfProblems(configuration.problems)], exit: .no,
            details: \.excerpt)
    }

    private static let problemFields = [
        Field<ConfigProblem>("place", "PLACE", help: "file, line and column, or variable") { .text($0.place) },
        Field<ConfigProblem>("message", "PROBLEM", help: "description of the problem", cell: { $0.explanation }) {
            .text($0.message)
        },
        Field<ConfigProblem>("note", "WHY", help: "expected value or suggestion", column: .onRequest) {
            .text($0.note)
        },
        Field<ConfigProblem>("file", "FILE", help: "file or variable", column: .onRequest) { .text($0.source) },
        Field<ConfigProblem>("line", "LINE", help: "position, counted from 1", column: .onRequest) {
            FieldValue($0.line)
        },
        Field<ConfigProblem>("column", "COLUMN", help: "position, counted from 1", column: .onRequest) {
            FieldValue($0.column)
        },
    ]

    private static let path = Command(
        "path", summary: "print the path of the config file",
        examples: [
            Example("hub config path", "print the path, even if there is no file"),
            Example("hub config path --config new.toml", "print the path of another file"),
        ]
    ) { (manager: ConfigManager, _: Input) in .text([manager.file.path]) }

    private static let migrate = Command(
        "migrate", summary: "write the new names of renamed settings",
        discussion: [
            "An old name works until the version that hub config check names. All else in the file stays as it is."
        ],
        examples: [
            Example("hub config migrate", "replace old names in the config file"),
            Example("hub config migrate -n", "only say what would be replaced"),
        ], changes: true
    ) { (manager: ConfigManager, input: Input) in
        let renamed = try manager.migrate(dryRun: input.dryRun)
        guard !renamed.isEmpty else { return .done("No setting in the config file has an old name") }
        let verb = input.dryRun ? "would become" : "is now"
        return .text(renamed.map { "\($0.old) \(verb) \($0.new)" })
    }

    private static let schema = Command(
        "schema", summary: "print a JSON Schema of the config file, for editors",
        discussion: [
            "Editors that know TOML, such as those with taplo, then complete and check settings. Name the file in the first line of the "
                + "config file: #:schema ./schema.json"
        ],
        examples: [
            Example("hub config schema", "print the schema"),
            Example("hub config schema -o schema.json", "write it to a file"),
        ]
    ) { (manager: ConfigManager, _: Input) in
        .file(Array((ConfigJSONSchema.document(of: manager.schema).line + "\n").utf8))
    }

    /// The output, with a warning when some of what was written does not count.
    private static func noting(_ problems: [ConfigProblem], in output: Output) -> Output {
        guard !problems.isEmpty else { return output }
        return output.noting(.warning(countOfProblems(problems), code: "config-invalid", hint: "hub config check"))
    }

    private static func countOfProblems(_ problems: [ConfigProblem]) -> String {
        "\(problems.count) \(problems.count == 1 ? "problem" : "problems") in the configuration"
    }

    private static func completions(_ manager: ConfigManager) async throws -> [CompletionWord] {
        let inUse = try manager.load().entries.map { CompletionWord($0.path.description, $0.setting.key.help) }
        let named = manager.schema.settings.filter { $0.path.group != nil }
        return inUse + named.map { CompletionWord($0.path.naming("NAME").description, $0.key.help) }
    }
}
