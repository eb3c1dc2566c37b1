import Commands
import HubKitTesting
import TestSupport
import Testing

@testable import HubRuntime

@Suite struct ConfigCommandsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Host: PluginHost {
        let manager: ConfigManager

        func plugin<Plugin: Sendable>(_ type: Plugin.Type) throws -> Plugin {
            guard let manager = manager as? Plugin else {
                throw HubError(.internal, code: "no-plugin", "there is no \(type)")
            }
            return manager
        }
    }

    /// Returns the output of `hub` with these words; the home folder is the test's own.
    private func run(
        _ words: [String], variables: [String: String] = [:], console: (any Console)? = nil
    ) async -> String {
        let environment = ProcessEnvironment(arguments: words, variables: variables, home: folder.path)
        let host = Host(manager: ConfigManager(schema: SampleConfig.schema, environment: environment, option: nil))
        let (output, messages) = (MemorySink(), MemorySink())
        let runner = CommandRunner(
            root: Command(group: "hub", summary: "", subcommands: [ConfigCommands.command]),
            environment: CommandRunner.Environment(
                variables: ["HUB_NO_PAGER": "1"].merging(variables) { $1 },
                profile: TerminalProfile(
                    outputIsTerminal: true, errorIsTerminal: true, width: 110, environmentColor: false),
                output: output, messages: messages, clock: FixedClock(now: SampleHub.now), zone: .utc,
                console: console), makeHost: { _ in host })
        let exit = await runner.run(words)
        let line = ShellWords.join(["hub"] + words)
        return "$ \(line)\n\(output.text)--- stderr, exit \(exit)\n\(messages.text)"
            .replacing(folder.path, with: "/home/ada")
    }

    private func writeConfig(_ text: String) async throws {
        _ = await run(["config", "init"])
        try folder.write(text, to: ".config/hub/config.toml")
    }

    @Test func `a value that is unset has its default again, and the rest of the file stays`() async throws {
        let text = "[hub]\n# mine\nlocale = \"de\"\nregion = \"PL\"\n"
        _ = await run(["config", "init"])
        try folder.write(text, to: ".config/hub/config.toml")
        #expect(await run(["config", "unset", "hub.region", "--dry-run"]).contains("Would remove hub.region"))
        #expect(folder.read(".config/hub/config.toml") == text)
        let shown = await run(["config", "unset", "hub.region"])
        #expect(shown.contains("To revert: hub config set hub.region PL"), "\(shown)")
        #expect(folder.read(".config/hub/config.toml") == "[hub]\n# mine\nlocale = \"de\"\n")
        #expect(await run(["config", "unset", "hub.region"]).contains("hub.region is not in"))
        #expect(await run(["config", "unset", "hub.regoin"]).contains("did you mean"))
    }

    @Test func `what was not in the file is reverted by taking it out, and an empty alias is refused`() async throws {
        let shown = await run(["config", "set", "alias.w", "contacts list"])
        #expect(shown.contains("To revert: hub config unset alias.w"), "\(shown)")
        #expect(await run(["config", "set", "alias.w", "notes"]).contains("hub config set alias.w 'contacts list'"))
        for empty in ["", "  ", "'open"] {
            #expect(await run(["config", "set", "alias.e", empty]).contains("to remove it: hub config unset alias.e"))
        }
        #expect(folder.read(".config/hub/config.toml")?.contains("\ne = ") == false)
    }

    @Test func `a life of a config file`() async throws {
        var shown = ""
        let lines = [
            ["config", "path"], ["config", "check"], ["config", "get", "hub.region"], ["config", "init"],
            ["config", "init"], ["config", "set", "hub.region", "PL"], ["config", "set", "hub.region", "DE"],
            ["config", "set", "hub.region", "GB", "--dry-run"], ["config", "get", "hub.region"],
            ["config", "set", "plugins.enabled", "notes, contacts"], ["config", "get", "plugins.enabled"],
            ["config", "set", "plugins.contacts.accounts.posteo.password", "hunter2"],
            ["config", "set", "plugins.contacts.accounts.posteo.password", "{ command = \"pass posteo\" }"],
            ["config", "set", "plugins.contacts.birthdays.days", "many"], ["config", "set", "hub.regoin", "PL"],
            ["config", "list", "posteo"], ["config", "get", "hub.region", "--json"], ["config", "check"],
        ]
        for line in lines { shown += await run(line) + "\n" }
        Golden.expect(shown, is: "config-life.txt")
        Golden.expect(try #require(folder.read(".config/hub/config.toml")), is: "config-life.toml")
    }

    @Test func `origins tell what a value overrode`() async throws {
        try await writeConfig("[hub]\nregion = \"PL\"\ncurrency = \"eur\"\nconfirm = \"never\"\n")
        let variables = ["HUB_REGION": "DE", "HUB_CONTACTS_BIRTHDAYS_DAYS": "7"]
        Golden.expect(await run(["config", "list", "--origin"], variables: variables), is: "config-list-origin.txt")
        Golden.expect(await run(["config"], variables: variables), is: "config-list.txt")
    }

    @Test func `a check shows every problem and changes nothing`() async throws {
        let text = "[hub]\nregoin = \"PL\"\nconfirm = \"newer\"\n\n[plugins.contact]\nremind_at = 7\n"
        try await writeConfig(text)
        let shown = await run(["config", "check"], variables: ["HUB_CURRENCY": "EUR"])
        let json = await run(["config", "check", "--json"], variables: ["HUB_CURRENCY": "EUR"])
        Golden.expect(
            shown + "\n" + json + "\n" + (await run(["config", "get", "hub.currency"])), is: "config-check.txt")
        #expect(folder.read(".config/hub/config.toml") == text)
    }

    @Test func `a value is read from standard input`() async throws {
        let console = ScriptedConsole(input: Array("se cret\n".utf8))
        let words = ["config", "set", "plugins.contacts.accounts.a.password", "-"]
        let shown = await run(words, console: console)
        #expect(shown.hasSuffix("--- stderr, exit 0\n"))
        #expect(folder.read(".config/hub/config.toml") == "[plugins.contacts.accounts.a]\npassword = \"se cret\"\n")
    }

    @Test func `a secret is never shown`() async throws {
        try await writeConfig("plugins.contacts.accounts.a.password = \"hunter2\"\n")
        for words in [
            ["list"], ["list", "--json"], ["list", "--origin"], ["get", "plugins.contacts.accounts.a.password"],
        ] {
            #expect(!(await run(["config"] + words)).contains("hunter2"))
        }
        #expect(!(await run(["config", "set", "plugins.contacts.accounts.a.password", "other"])).contains("hunter2"))
    }
}
