import Commands
import Glibc
import HubKitTesting
import HubRuntime
import TestSupport
import Testing

@MainActor @Suite struct ConfigManagerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func manager(option: String? = nil, variables: [String: String] = [:]) -> ConfigManager {
        let environment = ProcessEnvironment(arguments: [], variables: variables, home: folder.path)
        return ConfigManager(schema: SampleConfig.schema, environment: environment, option: option)
    }

    private var named: ConfigManager { manager(option: folder.path + "/config.toml") }

    @Test func `an option names the file, then the environment, then XDG`() {
        let variables = ["HUB_CONFIG": "/b.toml", "XDG_CONFIG_HOME": "/xdg"]
        #expect(manager(option: "~/a.toml", variables: variables).file.path == folder.path + "/a.toml")
        #expect(manager(option: "~/a.toml").file.shownPath == "~/a.toml")
        #expect(manager(variables: variables).file.path == "/b.toml")
        #expect(manager(variables: ["XDG_CONFIG_HOME": "/xdg"]).file.path == "/xdg/hub/config.toml")
        #expect(manager().file.shownPath == "~/.config/hub/config.toml")
    }

    @Test func `no file is fine unless somebody named one`() throws {
        #expect(try manager().load().problems.isEmpty)
        let error = #expect(throws: HubError.self) { try named.load() }
        #expect(error?.code == "config-missing")
    }

    @Test func `what cannot be read is an error`() throws {
        let error = #expect(throws: HubError.self) { try manager(option: folder.path).load() }
        #expect(error?.kind == .config)
    }

    @Test func `set makes the folders and a file that only its owner reads`() throws {
        _ = try manager().set("hub.region", to: "PL")
        #expect(folder.read(".config/hub/config.toml") == "[hub]\nregion = \"PL\"\n")
        #expect(folder.mode(".config/hub/config.toml") == 0o600)
        #expect(folder.mode(".config") == 0o700)
    }

    @Test func `set keeps the mode and leaves nothing beside the file`() throws {
        try folder.write("# mine\n[hub]\nregion = \"DE\" # x\n", to: "config.toml", mode: 0o640)
        let change = try named.set("hub.region", to: "PL")
        #expect(change.old == .text("DE") && change.new == .text("PL"))
        #expect(folder.read("config.toml") == "# mine\n[hub]\nregion = \"PL\" # x\n")
        #expect(folder.mode("config.toml") == 0o640)
        #expect(folder.names() == ["config.toml"])
    }

    @Test func `set follows a link`() throws {
        try folder.write("", to: "real.toml")
        symlink("real.toml", folder.path + "/config.toml")
        _ = try named.set("hub.region", to: "PL")
        #expect(folder.read("real.toml") == "[hub]\nregion = \"PL\"\n")
        var status = stat()
        #expect(lstat(folder.path + "/config.toml", &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test func `set without doing it writes nothing`() throws {
        _ = try named.set("hub.region", to: "PL", dryRun: true)
        #expect(folder.names().isEmpty)
    }

    @Test func `set tells which variable still wins`() throws {
        let manager = manager(option: folder.path + "/config.toml", variables: ["HUB_REGION": "DE"])
        #expect(try manager.set("hub.region", to: "PL").hiddenBy == "HUB_REGION")
        #expect(try manager.set("hub.currency", to: "eur").hiddenBy == nil)
    }

    @Test(arguments: [
        ("hub.regoin", "PL", "unknown-setting", "did you mean hub.region?"),
        ("plugins.contact.remind_at", "PL", "unknown-setting", "did you mean plugins.contacts.remind_at?"),
        ("hub", "PL", "unknown-setting", "settings below it: confirm, currency, dav, locale, region, web, week_start"),
        ("hub..region", "PL", "invalid-setting-name", "names look like hub.region; hub config list lists all settings"),
        ("contacts.remind_at", "PL", "unknown-setting", "did you mean plugins.contacts.remind_at?"),
        ("region", "PL", "unknown-setting", "did you mean hub.region?"),
        ("hub.confirm", "newer", "wrong-value", "valid values: always, bulk, never"),
    ])
    func `set refuses what no setting takes`(path: String, word: String, code: String, hint: String) throws {
        let error = #expect(throws: HubError.self) { try named.set(path, to: word) }
        #expect(error?.code == code)
        #expect(error?.hint == hint)
        #expect(folder.names().isEmpty)
    }

    @Test func `a change by somebody else meanwhile is not overwritten`() throws {
        try folder.write("[hub]\n", to: "config.toml")
        let seen = try named.file.read()
        try folder.write("[plugins]\n", to: "config.toml")
        let error = #expect(throws: HubError.self) { try named.file.write([], expecting: seen) }
        #expect(error?.code == "config-changed")
        #expect(folder.read("config.toml") == "[plugins]\n")
    }

    @Test func `init explains every setting and changes none`() throws {
        #expect(try manager().writeTemplate(force: false) == nil)
        let text = try #require(folder.read(".config/hub/config.toml"))
        for setting in SampleConfig.schema.settings { #expect(text.contains(setting.key.help)) }
        let configuration = try manager().load()
        #expect(configuration.problems == [])
        #expect(configuration.entries.allSatisfy { $0.winner.origin == .default })
    }

    @Test func `the template is a valid file once its lines are freed`() throws {
        let lines = ConfigTemplate.text(for: SampleConfig.schema).split(
            separator: "\n", omittingEmptySubsequences: false)
        let freed = lines.map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0 }
        let configuration = SampleConfig.load(freed.joined(separator: "\n"))
        #expect(configuration.problems.flatMap(\.lines) == [])
        #expect(configuration.entries.allSatisfy { $0.winner.origin.isFile })
    }

    @Test func `init overwrites only when forced, and keeps what was there`() throws {
        try folder.write("# mine\n", to: "config.toml")
        let error = #expect(throws: HubError.self) { try named.writeTemplate(force: false) }
        #expect(error?.code == "config-exists")
        #expect(folder.read("config.toml") == "# mine\n")
        #expect(try named.writeTemplate(force: true) == "~/config.toml.old")
        #expect(folder.read("config.toml.old") == "# mine\n")
        #expect(folder.read("config.toml")?.contains("#region") == true)
    }

    @Test func `a setting of the template is set where it stands commented out`() throws {
        _ = try named.writeTemplate(force: false)
        let before = try #require(folder.read("config.toml"))
        _ = try named.set("plugins.contacts.remind_at", to: "09:00")
        let after = try #require(folder.read("config.toml"))
        let line = "#remind_at = \"07:00\"\n"
        #expect(after == before.replacing(line, with: line + "remind_at = \"09:00\"\n"))
    }

    @Test func `values set at the same time are all kept`() async throws {
        try folder.write("# mine\n", to: "config.toml")
        let manager = named
        try await withThrowingTaskGroup { group in
            for worker in 0..<4 {
                group.addTask {
                    try await BackgroundThread.run {
                        for number in 0..<10 { _ = try manager.set("alias.w\(worker)-\(number)", to: "contacts list") }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try named.load().checked().aliases.count == 40)
        #expect(folder.read("config.toml")?.hasPrefix("# mine\n\n[alias]\n") == true)
        #expect(folder.names() == ["config.toml"])
    }
}
