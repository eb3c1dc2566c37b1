import Commands
import HubKitTesting
import HubRuntime
import Testing

@Suite struct ConfigValuesTests {
    typealias Sample = SampleConfig

    @Test func `without a file every setting has its default`() {
        let configuration = Sample.load(nil)
        #expect(configuration.problems.isEmpty)
        #expect(configuration.core[HubKeys.currency] == "usd")
        #expect(configuration.core[HubKeys.locale] == nil)
        #expect(configuration.core[HubKeys.confirm] == .always)
        #expect(configuration.core[HubKeys.enabledPlugins(among: Sample.schema.plugins)] == ["contacts", "notes"])
        let contacts = configuration.config(for: "contacts")
        #expect(contacts[Sample.remindAt].description == "07:00")
        #expect(contacts[Sample.every, "posteo"] == .seconds(900))
        #expect(contacts.names(for: Sample.url).isEmpty)
    }

    @Test func `every type of value is read`() {
        let configuration = Sample.load(
            """
            alias.c = "contacts search"
            hooks.phone = { on = "app.market/alert-raised", run = "notify-phone" }
            [hub]
            confirm = "bulk"
            week_start = "sun"
            [plugins]
            enabled = ["notes"]
            notes.mirror = "~/notes"
            notes.inbox = ["~", "/srv/in"]
            notes.server.enabled = true
            contacts.remind_at = "18:30"
            contacts.birthdays.days = 0x10
            [plugins.contacts.accounts.posteo]
            url = "https://posteo.de:8443"
            password = { command = "pass dav/posteo" }
            every = "3h"
            [plugins.contacts.accounts."my.work"]
            password.file = "~/.secret"
            """)
        #expect(configuration.problems == [])
        let core = configuration.core
        #expect(core[HubKeys.alias, "c"] == "contacts search")
        #expect(core.names(for: HubKeys.hookTopic) == ["phone"])
        #expect(core[HubKeys.hookCommand, "phone"] == "notify-phone")
        #expect(core[HubKeys.confirm] == .bulk)
        #expect(core[HubKeys.weekStart] == .sun)
        #expect(core[HubKeys.enabledPlugins(among: [])] == ["notes"])
        let notes = configuration.config(for: "notes")
        #expect(notes[Sample.mirror] == "/home/ada/notes")
        #expect(notes[Sample.inbox] == ["/home/ada", "/srv/in"])
        #expect(notes[Sample.server])
        #expect(notes[HubKeys.confirm] == .bulk)
        let contacts = configuration.config(for: "contacts")
        #expect(contacts[Sample.remindAt].minutes == 18 * 60 + 30)
        #expect(contacts[Sample.days] == 16)
        #expect(contacts.names(for: Sample.url) == ["posteo", "my.work"])
        #expect(contacts[Sample.url, "posteo"] == "https://posteo.de:8443")
        #expect(contacts[Sample.password, "posteo"] == .command("pass dav/posteo"))
        #expect(contacts[Sample.every, "posteo"] == .seconds(3 * 3600))
        #expect(contacts[Sample.password, "my.work"] == .file("/home/ada/.secret"))
        #expect(contacts[Sample.every, "my.work"] == .seconds(900))
    }

    @Test(arguments: [
        (nil, nil, nil, 30, "default", []),
        ("1", nil, nil, 1, "config.toml:1", ["default"]),
        (nil, "2", nil, 2, "HUB_CONTACTS_BIRTHDAYS_DAYS", ["default"]),
        ("1", "2", nil, 2, "HUB_CONTACTS_BIRTHDAYS_DAYS", ["config.toml:1", "default"]),
        (nil, nil, "3", 3, "--days", ["default"]),
        ("1", "2", "3", 3, "--days", ["HUB_CONTACTS_BIRTHDAYS_DAYS", "config.toml:1", "default"]),
        ("1", "", nil, 1, "config.toml:1", ["default"]),
    ])
    func `an option wins over the environment, over the file, over the default`(
        file: String?, variable: String?, option: String?, value: Int, origin: String, overridden: [String]
    ) throws {
        let path = try #require(ConfigPath("plugins.contacts.birthdays.days"))
        let configuration = Sample.load(
            file.map { "plugins.contacts.birthdays.days = \($0)" },
            environment: variable.map { ["HUB_CONTACTS_BIRTHDAYS_DAYS": $0] } ?? [:],
            overrides: option.map { [ConfigLoader.Override(path, word: $0, option: "--days")] } ?? [])
        #expect(configuration.config(for: "contacts")[Sample.days] == value)
        let entry = try #require(configuration.entry(at: path))
        #expect(entry.winner.origin.description == origin)
        #expect(entry.overridden.map(\.origin.description) == overridden)
    }

    @Test func `variables are named after their setting`() {
        let names = Sample.schema.settings.compactMap(\.environmentName)
        #expect(names.contains("HUB_LOCALE") && names.contains("HUB_WEEK_START") && names.contains("HUB_WEB_LISTEN"))
        #expect(names.contains("HUB_PLUGINS_ENABLED") && names.contains("HUB_NOTES_SERVER_ENABLED"))
        #expect(Set(names).count == names.count)
        #expect(ConfigLoader.otherVariables.isDisjoint(with: names))
        #expect(Sample.schema.settings.allSatisfy { $0.path.group == nil || $0.environmentName == nil })
    }

    @Test(arguments: [
        (["HUB_NOTES_SERVER_ENABLED": "yes"], true, [String]()),
        (["HUB_NOTES_SERVER_ENABLED": "0"], false, []),
        (["HUB_NOTES_INBOX": "~/a, /b"], false, ["/home/ada/a", "/b"]),
        (["HUB_NOTES_INBOX": #"["/a, b"]"#], false, ["/a, b"]),
    ])
    func `words of the environment become values`(environment: [String: String], server: Bool, inbox: [String]) {
        let configuration = Sample.load(nil, environment: environment)
        #expect(configuration.problems == [])
        #expect(configuration.config(for: "notes")[Sample.server] == server)
        #expect(configuration.config(for: "notes")[Sample.inbox] == inbox)
    }

    @Test func `a config made by hand gives back what was put in`() {
        var config = Config()
        config[Sample.mirror] = "/srv"
        config[Sample.url, "home"] = "https://a"
        config[HubKeys.region] = "PL"
        #expect(config[Sample.mirror] == "/srv")
        #expect(config[Sample.url, "home"] == "https://a")
        #expect(config[Sample.url, "work"] == nil)
        #expect(config.names(for: Sample.every) == ["home"])
        #expect(config[HubKeys.region] == "PL")
    }
}
