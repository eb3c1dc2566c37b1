import Commands
import HubRuntime
import Testing

@Suite struct ConfigProblemTests {
    private func lines(_ text: String, environment: [String: String] = [:]) -> [String] {
        SampleConfig.load(text, environment: environment).problems.flatMap(\.lines)
    }

    @Test func `all unknown names and wrong values are told at once`() {
        let text = """
            [hub]
            regoin = "PL"
            confirm = "newer"   # Łódź
            week_start = 1
            [plugins]
            enabled = ["contacts", "notse"]
            contact.remind_at = "07:00"
            notes = 5
            [plugins.contacts]
            remind_at = 07:00:00
            birthdays.days = 400
            [plugins.contacts.accounts.posteo]
            every = "6mo"
            password = { comand = "pass" }
            """
        #expect(
            lines(text) == [
                "config.toml:2:1  unknown setting hub.regoin",
                "    2 │ regoin = \"PL\"",
                "      │ ^^^^^^ did you mean region?",
                "config.toml:3:11  hub.confirm has an invalid value",
                "    3 │ confirm = \"newer\"   # Łódź",
                "      │           ^^^^^^^ did you mean never?",
                "config.toml:4:14  hub.week_start has an invalid value",
                "    4 │ week_start = 1",
                "      │              ^ expected mon, tue, wed, thu, fri, sat or sun, found a number",
                "config.toml:6:24  no plugin named \"notse\"",
                "    6 │ enabled = [\"contacts\", \"notse\"]",
                "      │                        ^^^^^^^ did you mean notes?",
                "config.toml:7:1  unknown plugin or setting plugins.contact",
                "    7 │ contact.remind_at = \"07:00\"",
                "      │ ^^^^^^^ did you mean contacts?",
                "config.toml:8:1  plugins.notes is a table, not a setting",
                "    8 │ notes = 5",
                "      │ ^^^^^ settings below it: inbox, mirror, server",
                "config.toml:10:13  plugins.contacts.remind_at has an invalid value",
                "   10 │ remind_at = 07:00:00",
                "      │             ^^^^^^^^ expected a time of day such as \"04:00\", found a time without quotes",
                "config.toml:11:18  plugins.contacts.birthdays.days has an invalid value",
                "   11 │ birthdays.days = 400",
                "      │                  ^^^ expected a whole number from 1 to 366",
                "config.toml:13:9  plugins.contacts.accounts.posteo.every has an invalid value",
                "   13 │ every = \"6mo\"",
                "      │         ^^^^^ expected a duration such as \"15min\", \"3h\" or \"2d\"",
                "config.toml:14:23  plugins.contacts.accounts.posteo.password has an invalid value",
                "   14 │ password = { comand = \"pass\" }",
                "      │                       ^^^^^^ did you mean command?",
            ])
    }

    @Test func `a syntax error is told with its place`() {
        #expect(
            lines("[hub]\nlocale = en_GB\n") == [
                "config.toml:2:10  not valid TOML",
                "    2 │ locale = en_GB",
                "      │          ^ could not determine value type",
            ])
    }

    @Test func `a wrong word of the environment is told with its name`() {
        #expect(
            lines("", environment: ["HUB_CONFIRM": "perhaps", "HUB_CONTACTS_BIRTHDAYS_DAYS": "many"]) == [
                "HUB_CONFIRM  invalid value \"perhaps\" for hub.confirm: expected always, bulk or never",
                "HUB_CONTACTS_BIRTHDAYS_DAYS  invalid value \"many\" for plugins.contacts.birthdays.days: "
                    + "expected a whole number from 1 to 366, found text",
            ])
    }

    @Test func `a wrong value leaves the next candidate in force`() {
        let configuration = SampleConfig.load("hub.currency = \"eur\"", environment: ["HUB_CURRENCY": "€"])
        #expect(configuration.core[HubKeys.currency] == "eur")
        #expect(configuration.problems.count == 1)
    }

    @Test func `control characters of the file are shown as escapes`() {
        #expect(lines("\"a\\u001b[31m\" = 1")[0] == "config.toml:1:1  unknown setting \"a\u{1B}[31m\"")
        #expect(lines("x\u{7F} = 1")[1] == "    1 │ x\\u{7F} = 1")
    }

    @Test func `one error tells all problems, many of them counted`() {
        let text = "hooks.unknown.name = 1\n" + (1...50).map { "alias.wrong\($0) = 1\n" }.joined()
        let error = #expect(throws: HubError.self) { try SampleConfig.load(text).checked() }
        #expect(error?.kind == .config)
        #expect(error?.message == "the configuration has 51 problems")
        #expect(error?.details.count == 20 * 3 + 1)
        #expect(error?.details.last == "and 31 more")
    }

    @Test func `a large file of wrong lines is answered`() {
        let text = (1...20_000).map { "wrong\($0) = \"\(String(repeating: "x", count: 20))\"\n" }.joined()
        #expect(SampleConfig.load(text).problems.count == 20_000)
        #expect(SampleConfig.load(String(repeating: "x", count: 2_000_000)).problems.count == 1)
    }

    @Test func `what hub does not know is a warning, and all else counts`() throws {
        let configuration = try SampleConfig.load(
            """
            foo = 1
            hub.currency = "eur"
            plugins.enabled = ["contacts", "dictofun"]
            plugins.dictofun.engine = "x"
            """
        ).checked()
        #expect(configuration.core[HubKeys.currency] == "eur")
        #expect(
            configuration.warnings.map { "\($0.place)  \($0.message)" } == [
                "config.toml:1:1  unknown setting foo", "config.toml:3:32  no plugin named \"dictofun\"",
                "config.toml:4:9  unknown plugin or setting plugins.dictofun",
            ])
    }
}
