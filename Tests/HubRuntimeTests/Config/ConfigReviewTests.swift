import Storage
import Testing

@testable import HubRuntime

@Suite struct ConfigReviewTests {
    private func warnings(_ text: String) -> [String] {
        let schema = ConfigSchema(
            plugins: [], topics: ["app.contacts/birthday-upcoming", "domain.contacts/contact-added"],
            isCommand: { ["contacts", "search"].contains($0) })
        return ConfigReview(
            ConfigText(Array(text.utf8), path: "config.toml"), schema: schema, environment: ["PATH": "/nowhere"]
        ).problems.map { "\($0.place)  \($0.message): \($0.note)" }
    }

    @Test func `a hook that cannot run is told with its place`() {
        let text = """
            hooks.noon = { run = "echo hi" }
            hooks.none = { on = "app.contacts/*" }
            hooks.empty = { on = "app.contacts/*", run = "" }
            [hooks.typo]
            on = "app.contacts/birthday-upcomin"
            run = "true"
            [hooks.wrong]
            on = "App"
            run = "true"
            """
        #expect(
            warnings(text) == [
                #"config.toml:1:7  the hook noon needs "on": on = "app.contacts/birthday-upcoming", run = "notify-phone""#,
                #"config.toml:2:7  the hook none needs "run": on = "app.contacts/birthday-upcoming", run = "notify-phone""#,
                "config.toml:3:46  the hook empty has an empty command: expected a shell command",
                "config.toml:5:6  no plugin has the topic app.contacts/birthday-upcomin: "
                    + "did you mean app.contacts/birthday-upcoming?",
                #"config.toml:8:6  the hook wrong has an invalid topic "App": "#
                    + "topics look like app.contacts/birthday-upcoming; * matches any part",
            ])
    }

    @Test(arguments: ["app.*", "*", "app.user/tea-ready", "*/contact-added", "domain.contacts/*", "app.user/*"])
    func `a hook for what can happen is right`(topic: String) {
        #expect(warnings("hooks.a = { on = \"\(topic)\", run = \"true\" }") == [])
    }

    @Test func `an alias that does nothing is told`() {
        let text = """
            [alias]
            contacts = "search x"
            s = "search --limit 3"
            gone = "notes list"
            open = "search 'x"
            """
        #expect(
            warnings(text) == [
                "config.toml:2:1  the alias contacts is never used: contacts is a built-in command",
                #"config.toml:4:8  the alias gone runs a command that does not exist: hub has no command "notes""#,
                #"config.toml:5:8  the alias open is not a valid command line: expected words such as "contacts search""#,
            ])
    }
}
