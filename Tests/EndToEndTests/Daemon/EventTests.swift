import CivilDate
import Glibc
import JSON
import Testing

/// The events that reach hooks and the event list, with a daemon and without one.
@Suite(.timeLimit(.minutes(20)))
struct EventTests {
    private static let hook = """
        hooks.birthday = { on = "app.contacts/birthday-upcoming", run = "hear birthdays" }
        hooks.added = { on = "domain.contacts/contact-added", run = "hear added" }
        """

    /// A birthday tomorrow, of which hub reminds also when tomorrow has come; 1816 has a 29 February.
    private static let birthday =
        "1816-\(CivilDate(daysSinceEpoch: Int(time(nil)) / 86_400 + 1).description.suffix(5))"

    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox(config: Self.hook)
        try sandbox.script("hear", "cat >> \"$HOME/$1\"")
        return sandbox
    }

    private func events(_ topic: String, _ sandbox: Sandbox) async throws -> [JSONValue] {
        try await sandbox.json("events", "list", "--topic", topic).rows
    }

    @Test func `a birthday is told once, however often the daemon starts`() async throws {
        let sandbox = try sandbox()
        let card = Cards.card("Ada Lovelace", "UID:ada", "BDAY:\(Self.birthday)")
        // Before its first event a hook hears nothing: it begins with those after it was first seen.
        try await sandbox.run("contacts", "import", "-", input: Cards.anna)
        try await sandbox.run("contacts", "import", "-", input: card)
        for _ in 0..<3 {
            let daemon = try await Daemon(in: sandbox)
            try await eventually("the birthday is told") {
                try await !events("app.contacts/birthday-upcoming", sandbox).isEmpty
            }
            // Delivery is at least once: what is cut off comes again.
            try await eventually("the hook has heard of it") {
                let flows = try await sandbox.json("flows", "list").rows
                return sandbox.read("birthdays") != nil && flows.allSatisfy { ($0["waiting"]?.integer ?? 0) == 0 }
            }
            #expect(await daemon.end() == 0)
        }
        let told = try await events("app.contacts/birthday-upcoming", sandbox)
        #expect(told.count == 1)
        let heard = try #require(sandbox.read("birthdays")).split(separator: "\n")
        #expect(heard.count == 1)
        let event = try JSONReader.read(Array(try #require(heard.first).utf8))
        #expect(event["topic"]?.string == "app.contacts/birthday-upcoming")
        #expect(event["body"]?["name"]?.string == "Ada Lovelace", "\(heard)")
    }

    @Test func `a birthday makes its task once, however often the daemon starts`() async throws {
        let sandbox = try Sandbox(
            config: "flows.birthday-to-task = true\nplugins.mintee.birthday.task = \"Call {name}\"")
        try await sandbox.run(
            "contacts", "import", "-", input: Cards.card("Ada", "UID:ada", "BDAY:\(Self.birthday)"))
        for _ in 0..<2 {
            let daemon = try await Daemon(in: sandbox)
            try await eventually("the task is made") {
                try await sandbox.json("mintee", "list").rows.map { $0["name"]?.string } == ["Call Ada"]
            }
            #expect(await daemon.end() == 0)
        }
        #expect(try await sandbox.run("mintee", "check").code == 0)
    }

    @Test(arguments: [true, false])
    func `an event reaches its hook, with a daemon and without one`(hasDaemon: Bool) async throws {
        let sandbox = try sandbox()
        try await sandbox.run("contacts", "new", "First")
        let daemon = hasDaemon ? try await Daemon(in: sandbox, ["--only", "events"]) : nil
        let names = (0..<5).map { "Person\($0)" }
        for name in names { #expect(try await sandbox.run("contacts", "new", name).code == 0) }
        try await eventually("the hook has heard of all") {
            let heard = sandbox.read("added") ?? ""
            return names.allSatisfy { heard.contains("\"name\":\"\($0)\"") }
        }
        let lines = try #require(sandbox.read("added")).split(separator: "\n")
        let heard = try lines.compactMap { try JSONReader.read(Array($0.utf8))["body"]?["name"]?.string }
        #expect(heard.filter { $0 != "First" } == names, "each once and in their order")
        if let daemon { #expect(await daemon.end() == 0) }
    }

    @Test func `a slow hook without a daemon runs to its end, once for each event`() async throws {
        let sandbox = try Sandbox(config: #"hooks.slow = { on = "app.user/*", run = "slow publish" }"#)
        // It ends when the command that started it has said that it waits, so it takes longer than a command delivers.
        try sandbox.script(
            "slow",
            """
            echo start >> $HOME/heard
            until grep -q waiting $HOME/$1.log; do sleep 0.05; done
            echo end >> $HOME/heard
            """)
        for name in ["first", "second"] {
            let command = try Child(["events", "publish", "app.user/\(name)"], in: sandbox, log: "publish.log")
            #expect(await command.wait() == 0)
        }
        #expect(sandbox.read("heard") == "start\nend\nstart\nend\n")
        try await sandbox.run("contacts", "list")
        #expect(sandbox.read("heard") == "start\nend\nstart\nend\n")
    }

    @Test func `what a hook missed under another config is delivered by any next command`() async throws {
        let sandbox = try Sandbox(config: #"hooks.mine = { on = "app.user/*", run = "hear heard" }"#)
        try sandbox.script("hear", "cat >> \"$HOME/$1\"")
        let other = try sandbox.write("", to: "other.toml")
        try await sandbox.run("events", "publish", "app.user/first")
        try await sandbox.run("--config", other, "events", "publish", "app.user/second")
        #expect(sandbox.read("heard")?.contains("app.user/second") == false)
        try await sandbox.run("__complete", "contacts", "show", "")
        try await sandbox.run("contacts", "new", "Ada", "--dry-run")
        #expect(sandbox.read("heard")?.contains("app.user/second") == false, "a plan and a press of Tab do nothing")
        try await sandbox.run("contacts", "list")
        #expect(sandbox.read("heard")?.contains("app.user/second") == true)
    }

    @Test func `a broken hook stops only itself, and is told`() async throws {
        let sandbox = try Sandbox(
            config: #"""
                hooks.noon = { run = "echo hi" }
                hooks.mine = { on = "app.user/*", run = "hear heard" }
                """#)
        try sandbox.script("hear", "cat >> \"$HOME/$1\"")
        let published = try await sandbox.run("events", "publish", "app.user/first")
        #expect(published.code == 0)
        #expect(published.errors.contains(#"the hook noon needs "on", so it is disabled"#), "\(published.errors)")
        #expect(sandbox.read("heard")?.contains("app.user/first") == true)
        let check = try await sandbox.run("config", "check")
        #expect(check.code == 1 && check.all.contains("config.toml:1:7"), "\(check.all)")
        let flows = try await sandbox.json("flows", "list", "--json=id,state").rows
        #expect(flows.contains { $0["id"]?.string == "hook.noon" && $0["state"]?.string == "broken" })
        let doctor = try await sandbox.run("doctor")
        #expect(doctor.all.contains(#"the hook noon needs "on""#))
    }

    @Test func `events are followed and published`() async throws {
        let sandbox = try Sandbox()
        let tail = try Child(["events", "tail", "--topic", "app.user/*", "--json"], in: sandbox, log: "tail.log")
        // It hears what comes after it began to listen, so the first that it misses are sent again.
        try await eventually("the tail has heard") {
            let published = try await sandbox.run("events", "publish", "app.user/done", "{\"n\":1}")
            try #require(published.code == 0, "\(published.all)")
            return sandbox.read("tail.log")?.contains("app.user/done") == true
        }
        tail.signal(SIGINT)
        #expect([0, 130].contains(await tail.wait()))
    }
}
