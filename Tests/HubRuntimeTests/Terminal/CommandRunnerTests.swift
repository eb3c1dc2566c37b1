import HubKitTesting
import HubRuntime
import HubRuntimeTesting
import TestSupport
import Testing
import Text

@Suite struct CommandRunnerTests {
    static let terminal = TerminalProfile(
        inputIsTerminal: true, outputIsTerminal: true, errorIsTerminal: true, environmentColor: false)

    @Test(arguments: [
        ("", "root.txt"), ("contacts -h", "contacts-help.txt"), ("contacts list -h", "contacts-list-help.txt"),
        ("help contacts list --all", "contacts-list-help-all.txt"), ("help --all", "help-all.txt"),
        ("help environment", "help-environment.txt"), ("help exit-codes", "help-exit-codes.txt"),
        ("help formatting", "help-formatting.txt"), ("help files", "help-files.txt"),
        ("help config", "help-config.txt"), ("contacts list", "list.txt"), ("contacts search lukasz", "search.txt"),
        ("contacts search lukazs", "search-none.txt"), ("contacts list --tag none", "list-empty.txt"),
        ("contacts show 7kt", "show.txt"), ("contacts import people.vcf", "import.txt"),
        ("contacts import people.vcf --json", "import-json.txt"), ("contacts list --json", "list-json.txt"),
        ("contacts list --json=name,changed", "list-json-fields.txt"), ("contacts list --json=help", "fields.txt"),
        ("contacts list --plain", "list-plain.txt"), ("contacts list --plain=id,email", "list-plain-fields.txt"),
        ("contacts list --format '{name}\\t<{email}>'", "list-format.txt"),
        ("contacts list --json=nmae", "unknown-field.txt"), ("contacts show 7kt --json", "show-json.txt"),
        ("contacts fail", "fail.txt"), ("contacts fail --json", "fail-json.txt"), ("contatcs", "unknown-command.txt"),
        ("contacts lukasz", "unknown-word.txt"), ("contacts list --limt 3 --json", "unknown-option-json.txt"),
        ("contacts watch", "watch.txt"), ("contacts watch --json", "watch-json.txt"),
        ("contacts rm 7kt", "rm-nobody.txt"), ("contacts rm 7kt --yes", "rm-yes.txt"),
        ("contacts search x --json", "search-none-json.txt"),
    ])
    func `what people see is what the golden files show`(line: String, golden: String) async {
        let run = await SampleHub.run(line, profile: Self.terminal)
        let shown = "$ hub \(line)\n\(run.output)--- stderr, exit \(run.exit)\n\(run.messages)"
        Golden.expect(shown, is: golden)
    }

    @Test func `short help fits a screen of 80 columns and 24 lines`() async {
        for line in ["", "contacts -h", "contacts list -h", "contacts rm -h"] {
            let lines = await SampleHub.run(line, profile: Self.terminal).output.split(
                separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.count <= 24, "help of hub \(line)")
            for line in lines { #expect(DisplayWidth.of(line) <= 80, "\(line)") }
        }
    }

    @Test func `asking for help is no misuse, an unknown command is`() async {
        #expect(await SampleHub.run("contacts -h").exit == 0)
        #expect(await SampleHub.run("notes").exit == 0)
        #expect(await SampleHub.run("nothing").exit == 64)
        #expect(await SampleHub.run("contacts search x").exit == 1)
        #expect(await SampleHub.run("contacts list --tag none").exit == 0)
        #expect(await SampleHub.run("contacts import x").exit == 2)
        #expect(await SampleHub.run("contacts fail").exit == 69)
    }

    @Test func `an answer of no cancels without a failure`() async {
        let no = await SampleHub.run("contacts rm 7kt", console: ScriptedConsole(answers: ["n"]))
        #expect(no.output == "Cancelled\n" && no.exit == 0)
        let person = ScriptedConsole(answers: ["what", "y"])
        let yes = await SampleHub.run("contacts rm 7kt", console: person)
        #expect(yes.output.hasPrefix("1 contact is in the trash"))
        #expect(
            person.transcript == [
                "Remove Anna Lukasz? [y/N] what", "Type y or n.", "Remove Anna Lukasz? [y/N] y",
            ])
    }

    @Test func `quiet hides reports and counts, not results and not what needs the person`() async {
        #expect(await SampleHub.run("contacts rm 7kt -yq").output.isEmpty)
        let list = await SampleHub.run("contacts list -q")
        #expect(list.messages.isEmpty && list.output.contains("Anna"))
        #expect(await SampleHub.run("contacts import x -q").output.contains("skipped"))
    }

    @Test func `rows can end with NUL`() async {
        let run = await SampleHub.run("contacts list --plain=name -z")
        #expect(run.output == "Łukasz Nowak\0Anna Lukasz\0")
    }

    @Test func `colour is never the only difference`() async {
        let profile = TerminalProfile(outputIsTerminal: true, errorIsTerminal: true)
        let colored = await SampleHub.run("contacts fail --color=always", profile: profile)
        let plain = await SampleHub.run("contacts fail --color=never", profile: profile)
        #expect(colored.messages.contains("\u{1B}[1;31merror:\u{1B}[0m"))
        #expect(withoutColor(colored.messages) == plain.messages)
    }

    @Test func `a pipe gets whole cells, a narrow terminal fewer and shorter columns`() async {
        let narrow = TerminalProfile(outputIsTerminal: true, width: 30, environmentColor: false)
        let cut = await SampleHub.run("contacts list", profile: narrow).output
        #expect(cut.split(separator: "\n").allSatisfy { DisplayWidth.of($0) <= 30 })
        #expect(cut.contains("Łukasz Nowak") && !cut.contains("TAGS"))
        let piped = await SampleHub.run("contacts list", profile: TerminalProfile(width: 30)).output
        #expect(piped.contains("friends") && piped.contains("lukasz@nowak.pl"))
    }

    private func withoutColor(_ text: String) -> String {
        var result = ""
        var isEscape = false
        for character in text {
            if character == "\u{1B}" { isEscape = true }
            if !isEscape { result.append(character) }
            if character == "m" { isEscape = false }
        }
        return result
    }
}
