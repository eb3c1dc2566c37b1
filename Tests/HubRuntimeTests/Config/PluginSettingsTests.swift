import Commands
import HubKitTesting
import HubRuntime
import TestSupport
import Testing

@MainActor @Suite struct PluginSettingsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var settings: PluginSettings {
        let environment = ProcessEnvironment(arguments: [], variables: [:], home: folder.path)
        let manager = ConfigManager(schema: SampleConfig.schema, environment: environment, option: nil)
        return PluginSettings(manager, plugin: "contacts")
    }

    private let posteo: [SettingChange] = [
        .set(SampleConfig.url, "posteo", .text("https://posteo.de")),
        .set(SampleConfig.password, "posteo", ConfigType<SecretSource>.secret.write(.command("pass dav"))),
    ]

    @Test func `a group is written as a section, read back, and taken away without a trace`() throws {
        try settings.apply(posteo)
        #expect(
            folder.read(".config/hub/config.toml") == """
                [plugins.contacts.accounts.posteo]
                url = "https://posteo.de"
                password = { command = "pass dav" }

                """)
        let config = try settings.current()
        #expect(config.names(for: SampleConfig.url) == ["posteo"])
        #expect(config[SampleConfig.password, "posteo"] == .command("pass dav"))
        try settings.apply([.remove(ConfigPath(["accounts", "posteo"]))])
        #expect(folder.read(".config/hub/config.toml") == "")
        #expect(try settings.current().names(for: SampleConfig.url).isEmpty)
    }

    @Test func `either all changes are made or none`() throws {
        let broken: [SettingChange] = [.set(SampleConfig.every, "posteo", .text("often"))]
        let error = #expect(throws: HubError.self) { try settings.apply(posteo + broken) }
        #expect(error?.kind == .invalid)
        #expect(folder.read(".config/hub/config.toml") == nil)
    }

    @Test func `taking away what is not there makes no file`() throws {
        try settings.apply([.remove(ConfigPath(["accounts", "posteo"]))])
        #expect(folder.read(".config/hub/config.toml") == nil)
    }

    @Test func `a key of another plugin cannot be set`() throws {
        let error = #expect(throws: HubError.self) { try settings.apply([.set(ConfigPath(["mirror"]), .text("/x"))]) }
        #expect(error?.kind == .notFound)
    }

    @Test func `the double for tests answers as the file does`() throws {
        let memory = MemorySettings([SampleConfig.url, SampleConfig.password, SampleConfig.every])
        try memory.apply(posteo)
        #expect(try memory.current().names(for: SampleConfig.url) == ["posteo"])
        #expect(throws: HubError.self) { try memory.apply([.set(SampleConfig.every, "posteo", .text("often"))]) }
        #expect(try memory.current()[SampleConfig.every, "posteo"] == .seconds(900))
        try memory.apply([.remove(ConfigPath(["accounts", "posteo"]))])
        #expect(try memory.current().names(for: SampleConfig.url).isEmpty)
        #expect(memory.all.isEmpty)
    }
}
