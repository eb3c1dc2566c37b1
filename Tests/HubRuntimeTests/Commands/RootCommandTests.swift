import Commands
import Contacts
import HubKitTesting
import HubRuntimeTesting
import Testing

@testable import HubRuntime

/// The real tree of commands, with every built-in plugin.
struct RootCommandTests {
    @Test func `no declaration of a command would fail a person at the prompt`() {
        #expect(CommandValidator.problems(in: TestHub.root([ContactsPlugin.self])) == [])
    }

    @Test func `every example of every command can be typed as it stands`() throws {
        let parser = CommandLineParser(root: TestHub.root([ContactsPlugin.self]), environment: [:])
        for example in examples(of: TestHub.root([ContactsPlugin.self])) {
            let words = try #require(ShellWords.split(command(in: example)), "\(example)")
            #expect(throws: Never.self, "\(example)") { try parser.parse(Array(words.dropFirst())) }
        }
    }

    @Test func `short help of every command fits a screen`() async throws {
        let fixture = try TestHub(ContactsPlugin.self)
        for path in paths(to: TestHub.root([ContactsPlugin.self])) {
            let run = await fixture.run(path.dropFirst().joined(separator: " ") + " -h")
            let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(run.exit == 0 && lines.count <= 24, "\(path) has \(lines.count) lines")
            for line in lines { #expect(DisplayWidth.of(line) <= 100, "\(line)") }
        }
    }

    @Test func `a plugin that is disabled is not listed as if it was there`() async throws {
        let renderer = HelpRenderer(root: TestHub.root([ContactsPlugin.self]), width: 80, disabled: ["contacts"])
        let short = renderer.short(TestHub.root([ContactsPlugin.self]), path: ["hub"])
        #expect(
            short.filter { $0.contains("contacts") }.map { $0.split(separator: " ").joined(separator: " ") } == [
                "contacts disabled hub plugins enable contacts"
            ])
        let long = renderer.long(TestHub.root([ContactsPlugin.self]), path: ["hub"]).filter {
            $0.hasPrefix("  contacts")
        }
        #expect(
            long.map { $0.split(separator: " ").joined(separator: " ") } == [
                "contacts disabled; hub plugins enable contacts"
            ])
    }

    private func examples(of command: Command) -> [String] {
        command.examples.map(\.command) + command.subcommands.flatMap(examples)
    }

    private func paths(to command: Command) -> [[String]] {
        [[command.name]]
            + command.subcommands.filter { !$0.isHidden }.flatMap { next in paths(to: next).map { [command.name] + $0 }
            }
    }

    /// The words of hub in an example, which may be one part of a longer line of the shell.
    private func command(in example: String) -> String {
        let start = example.firstRange(of: "hub ")?.lowerBound ?? example.startIndex
        return String(example[start...].prefix { !"|<>)".contains($0) })
    }
}
