import Commands
import HubKitTesting
import HubRuntime
import Synchronization
import TestSupport
import Testing

@MainActor @Suite struct EditConfigTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var manager: ConfigManager {
        ConfigManager(
            schema: SampleConfig.schema,
            environment: ProcessEnvironment(arguments: [], variables: [:], home: folder.path),
            option: folder.path + "/config.toml")
    }

    /// Edits with one saved text after the other, and these answers in between.
    private func edit(saving texts: [String], answers: [String]? = nil) async throws -> (ConfigEditOutcome, [String]) {
        let left = Mutex(texts)
        let console = ScriptedConsole(answers: answers) { text in
            left.withLock { $0.isEmpty ? text : $0.removeFirst() }
        }
        let input = Input(
            values: ParameterValues(), operation: "config edit", commandLine: "config edit", console: console)
        let outcome = try await manager.edit(input)
        return (outcome, console.transcript)
    }

    @Test func `what is right is saved`() async throws {
        try folder.write("# mine\n", to: "config.toml")
        #expect(try await edit(saving: ["# mine\nhub.region = \"PL\"\n"]).0 == .saved)
        #expect(folder.read("config.toml") == "# mine\nhub.region = \"PL\"\n")
        #expect(folder.names() == ["config.toml"])
    }

    @Test func `nothing changed, nothing written`() async throws {
        #expect(try await edit(saving: []).0 == .unchanged)
        #expect(folder.names().isEmpty)
    }

    @Test func `a mistake is shown and the editor opens again with the same text`() async throws {
        let (outcome, transcript) = try await edit(
            saving: ["hub.regoin = \"PL\"\n", "hub.region = \"PL\"\n"], answers: ["e"])
        #expect(outcome == .saved)
        #expect(
            transcript == [
                "error: not saved yet: 1 place needs a look",
                "  ~/config.toml:1:5  unknown setting hub.regoin",
                "      1 │ hub.regoin = \"PL\"",
                "        │     ^^^^^^ did you mean region?",
                "Edit again, or drop the changes? [E/d] e",
            ])
    }

    @Test func `dropped changes are kept beside the file`() async throws {
        try folder.write("# mine\n", to: "config.toml")
        let outcome = try await edit(saving: ["hub\n"], answers: ["d"]).0
        #expect(outcome == .dropped(keptIn: "~/config.toml.draft"))
        #expect(folder.read("config.toml") == "# mine\n")
        #expect(folder.read("config.toml.draft") == "hub\n")
    }

    @Test func `with nobody to ask the text is kept and the error says where`() async throws {
        let error = await #expect(throws: HubError.self) { try await edit(saving: ["hub\n"]) }
        #expect(error?.details.last == "your text is in ~/config.toml.draft")
        #expect(folder.read("config.toml.draft") == "hub\n")
    }

    @Test func `a change by somebody else meanwhile keeps both texts`() async throws {
        try folder.write("# mine\n", to: "config.toml")
        let other = folder
        let console = ScriptedConsole { _ in
            try other.write("# theirs\n", to: "config.toml")
            return "# edited\n"
        }
        let input = Input(
            values: ParameterValues(), operation: "config edit", commandLine: "config edit", console: console)
        let error = await #expect(throws: HubError.self) { try await manager.edit(input) }
        #expect(error?.code == "config-changed")
        #expect(folder.read("config.toml") == "# theirs\n")
        #expect(folder.read("config.toml.draft") == "# edited\n")
    }
}
