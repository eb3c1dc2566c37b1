import Commands
import HubKitTesting
import Testing

@Suite struct CommandValidatorTests {
    private func problems(_ commands: Command...) -> [String] {
        CommandValidator.problems(in: Command(group: "hub", summary: "keeps things", subcommands: commands))
    }

    private func command(
        _ name: String, aliases: [String] = [], summary: String = "does it", examples: [Example] = good,
        parameters: [any ParameterDeclaration] = []
    ) -> Command {
        Command(name, aliases: aliases, summary: summary, examples: examples, parameters: parameters) {
            (_: any PluginHost, _: Input) in .nothing
        }
    }

    private static let good = [Example("hub a", "first"), Example("hub b", "second")]

    @Test func `a good declaration has no problems`() {
        #expect(problems(command("a", parameters: [Argument<String>("FILE"), SharedOptions.limit])) == [])
    }

    @Test func `each mistake is found`() {
        #expect(problems(command("a"), command("b", aliases: ["a"])) == ["hub: two commands are called a"])
        #expect(problems(command("a", summary: "")) == ["hub a: no summary"])
        #expect(problems(command("a", examples: [])) == ["hub a: fewer than two examples"])
        #expect(
            problems(command("a", parameters: [Arguments<String>("W", .zeroOrMore), Argument<String>("FILE")]))
                == ["hub a: [W…] must be the last argument"])
        #expect(
            problems(command("a", parameters: [Flag("json", help: "x")])) == ["hub a: --json belongs to every command"])
        #expect(
            problems(command("a", parameters: [Flag("new", short: "n", help: "x")]))
                == ["hub a: -n belongs to every command"])
        #expect(
            problems(command("a", parameters: [Flag("no-x", help: "x"), Flag("y", help: "")]))
                == ["hub a: --no-x is not a valid option name", "hub a: --y has no help"])
        #expect(
            problems(Command(group: "g", summary: "x", view: "list", subcommands: [])) == [
                "hub g: its view list is not a runnable command"
            ])
    }

    @Test func `the options of every command are sound`() {
        #expect(problems() == [])
    }
}
