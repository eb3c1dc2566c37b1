import Commands
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Storage
import Synchronization
import TestSupport
import Testing

// example
/// A weight as it is typed: `300` or `300g`.
struct Grams: ArgumentValue {
    let count: Int

    static func parse(argument: String) throws(InvalidArgument) -> Grams {
        let digits = argument.hasSuffix("g") ? argument.dropLast() : argument[...]
        guard let count = Int(digits), count > 0 else {
            throw InvalidArgument(expected: "a weight", hint: "write 300g")
        }
        return Grams(count: count)
    }
}

enum JarOrder: String, CaseIterable, ChoiceArgument { case name, grams }

enum PantryCommands {
    private static let name = Argument<String>("NAME", help: "name of the jar")
    private static let names = Arguments<String>("NAME", .zeroOrMore, help: "names of jars", completion: completion)
    private static let grams = Option<Grams>("grams", "N", help: "weight of the content")
    private static let sort = Option<JarOrder>("sort", "FIELD", help: "sort by name or grams")
    private static let empty = Flag("empty", help: "only empty jars")

    private static let completion = Completion.from(Pantry.self) { pantry, typed in
        try await pantry.store.read { try $0.jars() }.map { CompletionWord($0.name, "\($0.grams) g") }
    }

    static let fields: [Field<Jar>] = [
        Field("name", "NAME", help: "name of the jar") { .text($0.name) },
        Field(
            "grams", "GRAMS", help: "content in grams", align: .trailing,
            tone: { $0.grams == 0 ? TextStyle.faint : .plain }
        ) {
            FieldValue.integer($0.grams)
        },
    ]

    static let tree = Command(
        group: "pantry", summary: "jars", view: "list", subcommands: [list, new, open, add, value, rename])

    private static let list = Command(
        "list", summary: "list jars", examples: [Example("hub pantry list --sort grams", "the emptiest first")],
        parameters: [names, sort, empty, SharedOptions.reverse, SharedOptions.limit], fields: fields
    ) { (pantry: Pantry, input: Input) in
        var jars = try await pantry.store.read { try $0.jars() }
        if !input[names].isEmpty { jars.removeAll { !input[names].contains($0.name) } }
        if input[empty] { jars.removeAll { $0.grams > 0 } }
        if input[sort] == .grams { jars.sort { $0.grams < $1.grams } }
        if input[SharedOptions.reverse] { jars.reverse() }
        let shown = Array(jars.prefix(input.rowLimit()))
        return Output.list(
            shown, fields, count: Output.count(shown.count, of: jars.count, "jars"),
            empty: Diagnostic("No jars", suggestions: [Example("hub pantry new NAME", "add the first one")]))
    }

    private static let new = Command(
        "new", summary: "add a jar", examples: [Example("hub pantry new Plum --grams 300g", "with its content")],
        parameters: [name, grams], fields: fields, changes: true
    ) { (pantry: Pantry, input: Input) in
        if input.dryRun { return .done("Would add \(input[name])") }
        let (jarName, count) = (input[name], input[grams]?.count ?? 0)
        let jar = try await pantry.store.write(Operation(input)) { try $0.addJar(jarName, grams: count) }
        return .edited("\(jar.name) added", jar, fields)
    }
}
// end

// example
extension PantryCommands {
    private static let open = Command(
        "open", summary: "open a jar", examples: [Example("hub pantry open Plum", "asks if several match")],
        parameters: [name, GlobalOptions.yes], changes: true
    ) { (pantry: Pantry, input: Input) in
        let text = input[name]
        let found = try await pantry.store.read { try $0.jars(matching: text) }
        guard let first = found.first else {
            throw HubError(.notFound, code: "jar-not-found", "no jar named \(text)", hint: "use hub pantry list")
        }
        let candidates = found.map { Candidate(id: String($0.id.prefix(3)), name: $0.name) }
        let chosen = found.count == 1 ? candidates[0] : try await input.pick(candidates, named: text, noun: "jars")
        guard try await input.confirm("Open \(chosen.name)?", consequence: "a jar would be opened") else {
            return .cancelled
        }
        input.console.report(Progress(chosen.name, completed: first.grams, of: first.grams, unit: "g"))
        return .done("\(chosen.name) is open")
    }
}
// end

// example
extension PantryCommands {
    /// An item of an import, and a line that is wrong.
    private struct Imported: ImportedItem {
        var outcome: ImportOutcome
        var id, name: String
        var words: [String] = []
    }

    private struct Wrong: ImportIssue {
        let file: String? = nil
        let line: Int
        let column = 1
        let subject: String?
        let message: String
        let excerptLines: [String] = []
    }

    private static let path = Argument<String>(
        "FILE", help: "file with a name and a weight in each line", completion: .files([]))
    private static let rows = ImportReportRow<Imported>.fields(
        .init(id: "id of the jar", name: "name of the jar", line: "line of the file", reason: "reason for skipping it"))

    private static let add = Command(
        "import", summary: "import jars", examples: [Example("hub pantry import jars.txt", "Plum 300 in each line")],
        parameters: [path], fields: rows, changes: true
    ) { (pantry: Pantry, input: Input) in
        let file = input[path]
        let bytes = try await ChunkedFileReader.contents(of: file, limit: 1 << 20)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let report = try await pantry.store.write(Operation(plannable: input)) { transaction in
            var report = ImportReport<Imported, Wrong>()
            for (index, line) in lines.enumerated() {
                let words = line.split(separator: " ")
                guard words.count == 2, let grams = Int(words[1]) else {
                    report.skip([Wrong(line: index + 1, subject: nil, message: "not a name and a weight")])
                    continue
                }
                let jar = try transaction.addJar(String(words[0]), grams: grams)
                report.add(Imported(outcome: .new, id: jar.id, name: jar.name))
            }
            return report
        }
        let summary = ImportSummary(report, file: file, shortIDs: [:], isDryRun: input.dryRun)
        return Output(imports: [summary], fields: rows)
    }
}
// end

// example
extension PantryCommands {
    private static let price = Option<NumberArgument>("price", "PRICE", help: "price of a jar")
    /// Parameters that several commands share.
    private static let weighed: [any ParameterDeclaration] = [name, price]
    /// A column that is shown when it is asked for.
    private static let onRequest: FieldDescriptor.Column = .onRequest

    private static let valued = [
        Field<(name: String, price: String)>("price", "PRICE", help: "price of the jar", column: onRequest) {
            .decimal($0.price)
        }
    ]

    private static let value = Command(
        "value", summary: "say what a jar is worth", examples: [Example("hub pantry value Plum --price 1.50", "")],
        parameters: weighed, fields: valued
    ) { (pantry: Pantry, input: Input) in
        // How `1,5` is read depends on the locale.
        guard let price = try input[price]?.number(pantry.context.config) else {
            var output = Output.done("\(input[name]) has no price")
            output.exit = ExitStatus.no
            return output
        }
        let rows: Rows = Rows([(name: input[name], price: price.text)], valued)
        return Output(.rows(rows))
    }
}
// end

// example
extension PantryCommands {
    /// Lets a person edit the names of all jars as lines of a text, until each line is a name.
    private static func names(of jars: [Jar], _ input: Input) async throws -> [String]? {
        let text = jars.map(\.name).joined(separator: "\n")
        return try await input.edited(text, suffix: ".txt", option: "a name") { text -> EditorReading<[String]> in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            guard let empty = lines.firstIndex(where: \.isEmpty) else { return .valid(lines.map(String.init)) }
            return .invalid([EditorProblem(["line \(empty + 1) is empty"], hint: "write a name there")])
        }
    }

    private static let rename = Command(
        "rename", summary: "rename jars", examples: [Example("hub pantry rename", "in your editor")]
    ) { (pantry: Pantry, input: Input) in
        let jars = try await pantry.store.read { try $0.jars() }
        return .done("\(try await names(of: jars, input)?.count ?? 0) names")
    }
}
// end

// example
/// A program that fills the terminal until a key ends it.
struct WeightScreen {
    func run(_ console: any Console, weights: [Int]) async {
        guard let screen: any FullScreen = console.fullScreen() else { return }
        defer { screen.close() }
        screen.show(frame(weights, screen.size))
        for await event: ScreenEvent in screen.events {
            switch event {
            case .key(ScreenKey.escape), .key(.character("q")), .key(.interrupt): return
            case .resized(let size): screen.show(frame(weights, size))
            case .key: continue
            }
        }
    }

    func frame(_ weights: [Int], _ size: ScreenSize) -> ScreenFrame {
        ScreenFrame(lines: weights.prefix(size.rows).map { [.init("\($0) g", $0 == 0 ? .faint : .plain)] })
    }
}
// end

/// Commands: parameters, output, questions, imports.
struct CommandExamples {
    private let hub: TestHub

    init() throws { hub = try TestHub(Pantry.self) }

    @Test func `values are parsed, and rows are shown in each form`() async {
        #expect(await hub.run("pantry new Plum --grams 300g").exit == 0)
        #expect(await hub.run("pantry new Apple").exit == 0)
        #expect(
            await hub.run("pantry list --sort grams --reverse --plain=name,grams").output == "Plum\t300\nApple\t0\n")
        #expect(await hub.run("pantry list --empty --json=name").output.contains("Apple"))
        let wrong = await hub.run("pantry new Cherry --grams much")
        #expect(wrong.exit == 64 && wrong.messages.contains("a weight"))
    }

    @Test func `questions are asked on a terminal`() async {
        for name in ["'Plum one'", "'Plum two'"] { await hub.run("pantry new \(name)") }
        // example
        let console = ScriptedConsole(answers: ["2", "y"])
        let run = await hub.run("pantry open plum", console: console)
        // end
        #expect(run.output.contains("Plum two is open"), "\(run.all)")
        #expect(await hub.run("pantry open plum").exit == 64)
    }

    @Test func `an import reports each item`() async throws {
        let path = try hub.folder.write("Plum 300\nmany\n", to: "jars.txt")
        let run = await hub.run("pantry import \(path)")
        #expect(run.all.contains("1 new, 0 updated, 0 unchanged, 1 skipped"), "\(run.all)")
        #expect(await hub.run("pantry list --plain=name").output == "Plum\n")
    }

    @Test func `a number is read by the locale, and an exit code says no`() async {
        #expect(await hub.run("pantry value Plum --price 1.50 --plain=price").output == "1.50\n")
        #expect(await hub.run("pantry value Plum").exit == 1)
    }

    @Test func `an editor opens again where a line is wrong`() async {
        for name in ["Apple", "Plum"] { await hub.run("pantry new \(name)") }
        let texts = Mutex(["Apple\n\nPlum", "Apple\nPear"])
        let console = ScriptedConsole(answers: ["e"], editor: { _ in texts.withLock { $0.removeFirst() } })
        #expect(await hub.run("pantry rename", console: console).output == "2 names\n")
        #expect(console.transcript.contains("  line 2 is empty"))
    }

    @Test func `a screen shows what fits`() {
        let screen = WeightScreen()
        let frame = screen.frame([300, 0, 20], ScreenSize(columns: 80, rows: 2))
        #expect(frame.lines.map { $0.map(\.text).joined() } == ["300 g", "0 g"])
    }

    @Test func `a line that is no command says which words were understood`() throws {
        // example
        let parser = CommandLineParser(root: hub.root, environment: [:])
        let failure = #expect(throws: ParseFailure.self) { try parser.parse(["pantry", "list", "--sort"]) }
        #expect(failure?.error == ParseError.missingValue(option: "--sort", valueName: "FIELD"))
        #expect(failure?.path == ["hub", "pantry", "list"])
        // end
    }
}
