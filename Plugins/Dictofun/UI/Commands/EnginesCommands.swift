import Commands
import DictofunDomain

/// `hub dictofun engines`: the engines that turn speech into text.
enum EnginesCommands {
    private static let engine = Arguments<String>(
        "ENGINE", .optional, help: "engine (default: the configured one)",
        completion: .words(["whisper", "faster-whisper", "command", "http", "pocketsphinx"]))

    static let tree = Command(
        group: "engines", aliases: ["engine"], summary: "list and test the engines for transcription", view: "list",
        subcommands: [list, test])

    /// The columns of engines.
    static let fields = [
        Field<EngineStatus>("name", "ENGINE", help: "name of the engine") { .text($0.name) },
        Field<EngineStatus>(
            "is_ready", "STATE", help: "whether it can be used",
            cell: { $0.isDefault ? "used" : $0.isReady ? "ready" : "missing" }
        ) { .bool($0.isReady) },
        Field<EngineStatus>(
            "is_default", "DEFAULT", help: "whether it is the default", column: .onRequest
        ) {
            .bool($0.isDefault)
        },
        Field<EngineStatus>("label", "MODEL", help: "engine with its model", column: .onRequest) { .text($0.label) },
        Field<EngineStatus>("detail", "DESCRIPTION", help: "description, or what is missing") { .text($0.detail) },
    ]

    private static let list = Command(
        "list", summary: "list transcription engines and their requirements",
        examples: [
            Example("hub dictofun engines list", "all engines"),
            Example("hub dictofun engines list --json=name,is_ready", "for a script"),
        ], fields: fields
    ) { (dictofun: DictofunPlugin, _: Input) in .list(dictofun.listEngines(), fields) }

    /// The result of a test.
    struct Test: Sendable {
        let engine: String
        let heard: String
        let measurement: EngineMeasurement
    }

    /// The fields of a test.
    static let testFields = [
        Field<Test>("engine", "ENGINE", help: "engine with its model") { .text($0.engine) },
        Field<Test>(
            "accuracy_percent", "WORDS RIGHT", help: "correctly recognized words in percent", align: .trailing
        ) {
            .integer(Int(($0.measurement.accuracy * 100).rounded()))
        },
        Field<Test>("speed", "SPEED", help: "seconds of sound per second of work", align: .trailing) {
            let tenths = Int(($0.measurement.speed * 10).rounded())
            return .decimal("\(tenths / 10).\(tenths % 10)")
        },
        Field<Test>("heard", "HEARD", help: "recognized text") { .text($0.heard) },
    ]

    private static let test = Command(
        "test", summary: "test an engine with a spoken sentence",
        discussion: ["espeak-ng speaks: \"\(DictofunPlugin.testSentence)\""],
        examples: [
            Example("hub dictofun engines test", "the default engine"),
            Example("hub dictofun engines test pocketsphinx --json", "another one, for a script"),
        ], parameters: [engine], fields: testFields
    ) { (dictofun: DictofunPlugin, input: Input) in
        let (engine, heard, measurement) = try await dictofun.testEngine(input[engine].first)
        return .list([Test(engine: engine, heard: heard, measurement: measurement)], testFields)
    }
}
