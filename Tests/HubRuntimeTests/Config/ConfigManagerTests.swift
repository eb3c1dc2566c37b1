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
        (
            "hub", "PL", "unknown-setting",
            "settings below it: assistants, backup, confirm, currency, dav, join, locale, log"
        ),
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

    @Test func `the files of the system hold where the person's sets nothing, and are never changed`() throws {
        let first = try folder.write(
            "[hub]\nregion = \"DE\"\nlocale = \"de\"\n[alias]\nx = \"contacts list\"\n", to: "a/hub/config.toml")
        try folder.write("[hub]\nregion = \"FR\"\nweek_start = \"sun\"\n", to: "b/hub/config.toml")
        try folder.write("[hub]\nlocale = \"pl\"\n[alias]\nx = \"notes list\"\n", to: ".config/hub/config.toml")
        let manager = manager(variables: ["XDG_CONFIG_DIRS": "\(folder.path)/a::relative:\(folder.path)/b:/nowhere"])
        func shown(_ name: String) throws -> String {
            let entry = try #require(try manager.entry(named: name))
            return entry.candidates.map { "\($0.origin) \($0.value.map(ConfigLiteral.toml) ?? "")" }.joined(
                separator: ", "
            )
            .replacing(folder.path, with: "")
        }
        #expect(try shown("hub.region") == "/a/hub/config.toml:2 \"DE\", /b/hub/config.toml:2 \"FR\"")
        #expect(try shown("hub.locale") == "~/.config/hub/config.toml:2 \"pl\", /a/hub/config.toml:3 \"de\"")
        #expect(try shown("hub.week_start").hasPrefix("/b/hub/config.toml:3 \"sun\""))
        #expect(try manager.load().checked().aliases == ["x": "notes list"])
        let before = folder.read("a/hub/config.toml")
        _ = try manager.set("hub.region", to: "PL")
        #expect(folder.read("a/hub/config.toml") == before)
        #expect(try shown("hub.region").hasPrefix("~/.config/hub/config.toml"))
        try folder.write("[hub\n", to: "a/hub/config.toml")
        let error = #expect(throws: HubError.self) { try manager.load().checked() }
        #expect(error?.details.first?.hasPrefix(first) == true, "\(error?.details ?? [])")
    }

    @Test func `a setting under its old name counts, with a warning, until it is migrated`() throws {
        let schema = ConfigSchema(
            plugins: [],
            renamed: [
                RenamedSetting("hub.area", "hub.region", until: "9.0"),
                RenamedSetting("old.tongue", "hub.locale", until: "9.0"),
            ])
        let environment = ProcessEnvironment(arguments: [], variables: [:], home: folder.path)
        let manager = ConfigManager(schema: schema, environment: environment, option: nil)
        let text = "# mine\n[hub]\narea = \"PL\" # here\n[old]\ntongue = \"pl\"\n"
        try folder.write(text, to: ".config/hub/config.toml")
        let loaded = try manager.load().checked()
        #expect(loaded.core[HubKeys.region] == "PL" && loaded.core[HubKeys.locale] == "pl")
        #expect(loaded.problems.map(\.message) == ["hub.area is now hub.region", "old.tongue is now hub.locale"])
        #expect(loaded.problems.allSatisfy { $0.isWarning && $0.note.contains("hub 9.0") })
        #expect(try manager.migrate(dryRun: true).count == 2)
        #expect(folder.read(".config/hub/config.toml") == text)
        #expect(try manager.migrate().map(\.new.description) == ["hub.region", "hub.locale"])
        let migrated = try manager.load()
        #expect(
            migrated.problems.isEmpty && migrated.core[HubKeys.region] == "PL" && migrated.core[HubKeys.locale] == "pl")
        #expect(folder.read(".config/hub/config.toml")?.hasPrefix("# mine\n[hub]\n") == true)
        #expect(try manager.migrate().isEmpty)
        // The new name wins where both are.
        try folder.write("[hub]\nregion = \"DE\"\narea = \"PL\"\n", to: ".config/hub/config.toml")
        #expect(try manager.load().core[HubKeys.region] == "DE")
        _ = try manager.migrate()
        #expect(folder.read(".config/hub/config.toml") == "[hub]\nregion = \"DE\"\n")
    }
}
