import Commands
import HubKitTesting
import Testing

@testable import HubRuntime

@Suite struct SecretsCommandsTests {
    private struct Host: PluginHost {
        let manager: SecretManager

        func plugin<Plugin: Sendable>(_ type: Plugin.Type) throws -> Plugin {
            guard let manager = manager as? Plugin else {
                throw HubError(.internal, code: "no-plugin", "there is no \(type)")
            }
            return manager
        }
    }

    private let secrets = MemorySecrets()

    private func run(_ words: String..., console: ScriptedConsole = ScriptedConsole()) async -> String {
        let (output, messages) = (MemorySink(), MemorySink())
        let host = Host(manager: SecretManager(secrets: secrets))
        let runner = CommandRunner(
            root: Command(group: "hub", summary: "", subcommands: [SecretsCommands.command]),
            environment: CommandRunner.Environment(
                variables: [:], profile: TerminalProfile(), output: output, messages: messages,
                clock: FixedClock(now: SampleHub.now), zone: .utc, console: console), makeHost: { _ in host })
        let exit = await runner.run(["secrets"] + words)
        return "\(output.text)\(messages.text)\(exit)"
    }

    private var kept: [KeyringEntry: String] { secrets.entries }

    @Test func `a secret is asked for, listed by name and destroyed after a question`() async {
        #expect(await run("list").hasPrefix("No secrets\n"))
        let person = ScriptedConsole(answers: ["hunter2"])
        #expect(
            await run("set", "posteo", console: person)
                == "Stored posteo in the keyring. To revert: hub secrets rm posteo\n0")
        #expect(kept == [.named("posteo"): "hunter2"])
        #expect(await run("list").contains("posteo"))
        #expect(await run("rm", "posteo", console: ScriptedConsole(answers: ["n"])) == "Cancelled\n0")
        #expect(await run("rm", "posteo").hasSuffix("64"))
        #expect(kept.count == 1)
        #expect(await run("rm", "posteo", "--yes") == "Deleted posteo from the keyring\n0")
        #expect(kept.isEmpty)
        #expect(await run("rm", "posteo", "--yes").hasSuffix("\n1"))
    }

    @Test(arguments: [("se cret\r\nmore\n", "se cret"), ("alone", "alone")])
    func `the first line of standard input is kept`(input: String, secret: String) async {
        _ = await run("set", "a", "-", console: ScriptedConsole(input: Array(input.utf8)))
        #expect(kept == [.named("a"): secret])
    }

    @Test func `a secret on the command line, an empty one and one that nobody can be asked for are refused`() async {
        #expect(await run("set", "a", "hunter2").hasSuffix("64"))
        #expect(await run("set", "a").hasSuffix("64"))
        #expect(await run("set", "a", console: ScriptedConsole(answers: [""])).hasSuffix("65"))
        #expect(await run("set", "a", "-", console: ScriptedConsole(input: [0xFF, 0x0A])).hasSuffix("65"))
        #expect(await run("set", "a", "--dry-run") == "Would store a secret as a\n0")
        #expect(kept.isEmpty)
    }
}
