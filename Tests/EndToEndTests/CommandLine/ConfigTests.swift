import Testing

/// The config file and its neighbours: environment, aliases and programs beside hub.
@Suite(.timeLimit(.minutes(20)))
struct ConfigTests {
    @Test func `settings that several processes make at once are all kept`() async throws {
        let sandbox = try Sandbox(config: "# mine\n[hub]\nregion = \"DE\"\n")
        try await withThrowingTaskGroup { group in
            for number in 0..<12 {
                group.addTask {
                    let set = try await sandbox.run("config", "set", "alias.a\(number)", "contacts list")
                    #expect(set.code == 0, "\(set.all)")
                }
            }
            try await group.waitForAll()
        }
        let text = try #require(sandbox.read("config/hub/config.toml"))
        for number in 0..<12 { #expect(text.contains("a\(number) = "), "\(text)") }
        #expect(text.hasPrefix("# mine\n[hub]\nregion = \"DE\"\n"))
    }

    @Test func `all mistakes are shown at once, each with its place`() async throws {
        let sandbox = try Sandbox(config: "[hub]\nconfirm = \"maybe\"\nlocal = \"en\"\n")
        let refused = try await sandbox.runInProcess("contacts")
        #expect(refused.code == 78)
        #expect(
            refused.errors == """
                error: the configuration has 2 problems
                  ~/config/hub/config.toml:2:11  hub.confirm has an invalid value
                      2 │ confirm = "maybe"
                        │           ^^^^^^^ expected always, bulk or never
                  ~/config/hub/config.toml:3:1  unknown setting hub.local
                      3 │ local = "en"
                        │ ^^^^^ did you mean locale?
                  hint: fix the file with hub config edit

                """)
        #expect(try await sandbox.runInProcess("config", "check").code == 1)
        // An existing error does not prevent a value from being corrected.
        #expect(try await sandbox.runInProcess("config", "set", "hub.confirm", "bulk").code == 0)
        #expect(try await sandbox.runInProcess("config", "check").output.contains("1 problem"))
        #expect(try await sandbox.runInProcess("config", "path").output == "\(sandbox.folder)/config/hub/config.toml\n")
    }

    @Test func `a syntax error has a caret`() async throws {
        let refused = try await Sandbox(config: "[hub]\nlocale = en\n").runInProcess("contacts")
        #expect(refused.code == 78)
        #expect(refused.errors.contains("config.toml:2:"), "\(refused.errors)")
        #expect(refused.errors.contains("      2 │ locale = en\n        │ "), "\(refused.errors)")
        #expect(refused.errors.contains("^"), "\(refused.errors)")
    }

    @Test func `an alias stands for a line and hides no command`() async throws {
        let sandbox = try Sandbox(config: "alias.c = \"contacts search\"\nalias.contacts = \"version\"\n")
        try await sandbox.runInProcess("contacts", "import", "-", input: Cards.ada + Cards.lukasz)
        #expect(try await sandbox.run("c", "lukasz", "--plain=name").output == "Łukasz Nowak\n")
        #expect(try await sandbox.run("contacts", "--plain=name").output.hasPrefix("Ada Lovelace\n"))
    }

    @Test func `a program beside hub is a command of it`() async throws {
        let sandbox = try Sandbox()
        try sandbox.script("hub-greet", "echo \"greet: $*\"; exit 7")
        try sandbox.script("hub-contacts", "echo never")
        let greeted = try await sandbox.run("greet", "--loud", "you")
        #expect(greeted.output == "greet: --loud you\n")
        #expect(greeted.code == 7)
        #expect(try await sandbox.run("contacts").errors.hasPrefix("No contacts"))
    }

    @Test func `the data lies where an option or a variable says`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.run("contacts", "new", "Ada", "--data", "one")
        try await sandbox.shell("HUB_DATA=two hub contacts new Grace")
        #expect(try await sandbox.run("contacts", "list", "--plain=name", "--data=one").output == "Ada\n")
        #expect(try await sandbox.shell("HUB_DATA=two hub contacts list --plain=name").output == "Grace\n")
        let nearer = try await sandbox.shell("HUB_DATA=two hub contacts list --plain=name --data one")
        #expect(nearer.output == "Ada\n")
        #expect(try await sandbox.run("contacts").errors.hasPrefix("No contacts"))
        #expect(sandbox.read("data/hub/hub.db") != nil)
    }

    @Test func `the template explains every setting and changes none`() async throws {
        let sandbox = try Sandbox()
        #expect(try await sandbox.runInProcess("config", "init").code == 0)
        let template = try #require(sandbox.read("config/hub/config.toml"))
        #expect(template.contains("remind_days") && template.contains("week_start"))
        #expect(try await sandbox.runInProcess("config", "check").code == 0)
        let again = try await sandbox.runInProcess("config", "init")
        #expect(again.code != 0 && sandbox.read("config/hub/config.toml") == template)
        try await sandbox.runInProcess("config", "set", "hub.confirm", "never")
        #expect(try await sandbox.runInProcess("config", "get", "hub.confirm").output == "never\n")
        let listed = try await sandbox.runInProcess("config", "list", "--plain")
        #expect(listed.output.contains("hub.confirm\tnever"), "\(listed.output)")
    }

    @Test func `a plugin that is off costs nothing and keeps its data`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.runInProcess("contacts", "new", "Ada")
        #expect(try await sandbox.runInProcess("plugins", "disable", "contacts").code == 0)
        let refused = try await sandbox.runInProcess("contacts")
        #expect(refused.code == 78 && refused.errors.contains("hub plugins enable contacts"), "\(refused.all)")
        #expect(try await sandbox.runInProcess("plugins", "enable", "contacts").code == 0)
        #expect(try await sandbox.runInProcess("contacts", "list", "--plain=name").output == "Ada\n")
    }
}
