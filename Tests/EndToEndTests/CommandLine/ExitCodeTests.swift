import JSON
import Testing

/// The exit codes and errors of commands, as scripts see them.
@Suite(.timeLimit(.minutes(20)))
struct ExitCodeTests {
    /// A command line with its result in a store that contains only Ada.
    struct Line: Sendable, CustomTestStringConvertible {
        let words: [String]
        let code: Int32
        /// The first line of its error; nil when there is none.
        var error: String?

        init(_ line: String, _ code: Int32, _ error: String? = nil) {
            words = line.split(separator: " ").map(String.init)
            self.code = code
            self.error = error
        }

        var testDescription: String { words.joined(separator: " ") }
    }

    private static let lines = [
        Line("", 0), Line("contacts", 0), Line("contacts list nobody", 0), Line("contacts search ada", 0),
        Line("contacts search nobody", 1), Line("contacts show nobody", 1, "no contact matches \"nobody\""),
        Line("contacts import missing.vcf", 1, "cannot open missing.vcf: No such file or directory"),
        Line("contacts import partly.vcf", 2), Line("contcts", 64, "hub has no command \"contcts\""),
        Line("contacts lst", 64, "hub contacts has no command \"lst\""),
        Line("contacts list --jsn", 64, "hub contacts list has no option --jsn"),
        Line("contacts list --limit many", 64, "invalid value \"many\" for --limit, expected a whole number"),
        Line("--bogus", 64, "hub has no option --bogus"), Line("-x", 64, "hub has no option -x"),
        Line("contacts help", 0), Line("contacts help list", 0), Line("history help", 0),
        Line("contacts help nothing", 64, "hub contacts has no command \"nothing\""),
        Line("contacts new --no-input", 64, "the editor needs a terminal; nothing was changed"),
        Line("contacts edit ada", 64, "the editor needs a terminal; nothing was changed"),
        Line("config edit", 64, "the editor needs a terminal; nothing was changed"),
        Line("contacts edit ada -n", 0), Line("contacts new -n", 0), Line("config edit -n", 0),
        Line("contacts show", 64, "hub contacts show needs SEL"),
        Line("contacts rm ada", 64), Line("contacts set ada email", 64, "\"email\" is not an assignment"),
        Line("contacts list --plain=shoe", 64, "no field named \"shoe\""),
        Line("contacts set ada birthday=1985-02-31", 65, "birthday \"1985-02-31\": February 1985 has 28 days"),
        Line("contacts import empty.vcf", 65, "no contacts in empty.vcf"), Line("contacts import .", 2),
        Line("contacts list --config broken.toml", 78, "the configuration has 1 problem"),
    ]

    private func sandbox() async throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.write("x", to: "empty.vcf")
        try sandbox.write("[hub]\nconfirm = \"maybe\"\n", to: "broken.toml")
        try sandbox.write(Cards.ada + "BEGIN:VCARD\nFN:Cut\n", to: "partly.vcf")
        let ready = try await sandbox.runInProcess("contacts", "import", "-", input: Cards.ada)
        try #require(ready.code == 0, "\(ready.all)")
        return sandbox
    }

    @Test(arguments: lines)
    func `the exit code tells how it went`(line: Line) async throws {
        let finished = try await sandbox().run(line.words)
        #expect(finished.code == line.code, "\(finished.all)")
        if line.code >= 64 { #expect(finished.output.isEmpty) }
        if let error = line.error { #expect(finished.errors.hasPrefix("error: \(error)"), "\(finished.errors)") }
    }

    @Test(arguments: lines.filter { $0.error != nil && !$0.words.contains("--plain=shoe") })
    func `with --json an error is an object on stderr`(line: Line) async throws {
        let finished = try await sandbox().run(line.words + ["--json"])
        #expect(finished.output.isEmpty)
        let error = try #require(try JSONReader.read(Array(finished.errors.utf8))["error"], "\(finished.all)")
        #expect(error["exit"]?.integer == Int(line.code))
        #expect(error["code"]?.string?.isEmpty == false)
        #expect(error["message"]?.string?.hasPrefix(line.error ?? "") == true, "\(finished.errors)")
        #expect(error["hint"] != nil)
    }

    @Test func `a reader that goes away is no error`() async throws {
        let sandbox = try Sandbox()
        let many = (0..<3000).map { Cards.card("Person \($0)", "UID:\($0)") }.joined()
        try await sandbox.runInProcess(["contacts", "import", "-"], input: Array(many.utf8))
        let head = try await sandbox.shell("hub contacts list | head -n 1")
        #expect(head.output.hasPrefix("ID "))
        #expect(head.errors.isEmpty)
    }

    @Test func `a full disk is told and tried later`() async throws {
        let sandbox = try await sandbox()
        let full = try await sandbox.shell("hub contacts list > /dev/full")
        #expect(full.code == 75)
        #expect(full.errors.hasPrefix("error: cannot write the output\n  No space left on device\n"))
    }
}
