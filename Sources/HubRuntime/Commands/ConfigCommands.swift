import HubKit

/// `hub config`: what is set, where from, whether it is right, and how to change it.
///
/// They ask the host for its ``ConfigDesk`` and for nothing else, so they work with a config file that is broken.
enum ConfigCommands {
    static let command = Command(
        group: "config", summary: "settings: what counts, where it comes from, how to change it", prominence: .more,
        view: "list", subcommands: [list, get, set, edit, check, path, initialize])

    static let key = Argument<String>(
        "KEY", help: "the setting, such as hub.region",
        completion: .from(ConfigDesk.self) { desk, _ in try await completions(desk) })

    private static let words = Arguments<String>(
        "WORD", .zeroOrMore, help: "only settings whose names contain each word")
    private static let origin = Flag("origin", help: "tell where each value comes from and what it overrode")

    private static let list = Command(
        "list", summary: "list the settings in force",
        examples: [
            Example("hub config list", "every setting with its value"),
            Example("hub config list --origin web", "where the values with web in their names come from"),
        ], parameters: [words, origin], fields: ConfigRow.fields(withOrigin: true)
    ) { (desk: ConfigDesk, input: Input) in
        let configuration = try desk.load()
        let rows = configuration.entries.filter { entry in
            let name = entry.path.description
            return input[words].allSatisfy { name.contains($0.lowercased()) }
        }.map { ConfigRow(entry: $0) }
        let output = Output.list(
            rows, ConfigRow.fields(withOrigin: input[origin]),
            empty: Note("No settings", suggestions: [Example("hub config list", "all of them")]))
        return noting(configuration.problems, in: output)
    }

    private static let get = Command(
        "get", summary: "show the value of one setting",
        examples: [
            Example("hub config get hub.currency", "one word, for scripts"),
            Example("hub config get hub.web.listen --json", "with its origin and meaning"),
        ], parameters: [key],
        fields: ConfigRow.fields(withOrigin: true)
    ) { (desk: ConfigDesk, input: Input) in
        let name = input[key]
        let entry = try desk.entry(named: name)
        guard let entry, entry.winner.value != nil else {
            let otherwise = entry?.setting.key.defaultText.map { ": \($0)" } ?? ""
            var output = Output.nothing.noting(Note("\(name) is not set\(otherwise)", code: "not-set"))
            output.exit = .no
            return output
        }
        let row = ConfigRow(entry: entry)
        return .record(row, ConfigRow.fields(withOrigin: true), human: [row.shownValue])
    }

    private static let check = Command(
        "check", summary: "look for mistakes in the config file and the environment",
        examples: [
            Example("hub config check", "exit code 1 when something is wrong"),
            Example("hub config check --config new.toml", "another file, before it counts"),
        ], fields: problemFields
    ) { (desk: ConfigDesk, _: Input) in
        let configuration = try desk.review()
        if configuration.problems.isEmpty {
            let isThere = try desk.file.readIfPresent() != nil
            return .done(isThere ? "\(desk.file.shownPath) is right" : "No config file, and none is needed")
        }
        return .report(
            configuration.problems, problemFields, summary: [countOfProblems(configuration.problems)], exit: .no,
            details: \.excerpt)
    }

    private static let problemFields = [
        Field<ConfigProblem>("place", "PLACE", help: "file, line and column, or a variable") { .text($0.place) },
        Field<ConfigProblem>("message", "PROBLEM", help: "what is wrong", cell: { $0.explanation }) {
            .text($0.message)
        },
        Field<ConfigProblem>("note", "WHY", help: "what was expected or probably meant", column: .onRequest) {
            .text($0.note)
        },
        Field<ConfigProblem>("file", "FILE", help: "the file or variable", column: .onRequest) { .text($0.source) },
        Field<ConfigProblem>("line", "LINE", help: "counted from 1", column: .onRequest) { FieldValue($0.line) },
        Field<ConfigProblem>("column", "COLUMN", help: "counted from 1", column: .onRequest) { FieldValue($0.column) },
    ]

    private static let path = Command(
        "path", summary: "show where the config file is",
        examples: [
            Example("hub config path", "also before it exists"),
            Example("hub config path --config new.toml", "the one that an option names"),
        ]
    ) { (desk: ConfigDesk, _: Input) in .text([desk.file.path]) }

    /// The output, with a warning when some of what was written does not count.
    private static func noting(_ problems: [ConfigProblem], in output: Output) -> Output {
        guard !problems.isEmpty else { return output }
        return output.noting(.warning(countOfProblems(problems), code: "config-invalid", hint: "hub config check"))
    }

    private static func countOfProblems(_ problems: [ConfigProblem]) -> String {
        "\(problems.count) \(problems.count == 1 ? "problem" : "problems") in the configuration"
    }

    private static func completions(_ desk: ConfigDesk) async throws -> [CompletionWord] {
        let inUse = try desk.load().entries.map { CompletionWord($0.path.description, $0.setting.key.help) }
        let named = desk.schema.settings.filter { $0.path.group != nil }
        return inUse + named.map { CompletionWord($0.path.naming("NAME").description, $0.key.help) }
    }
}
