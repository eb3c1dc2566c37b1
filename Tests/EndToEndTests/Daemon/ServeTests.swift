import Glibc
import JSON
import Testing

/// The life of `hub serve`.
@Suite(.timeLimit(.minutes(20)))
struct ServeTests {
    @Test func `it says when it is ready, is known to all and ends when asked to`() async throws {
        let sandbox = try Sandbox()
        let daemon = try await Daemon(in: sandbox)
        let status = try await sandbox.run("status")
        #expect(status.output.contains("process \(daemon.pid)"), "\(status.all)")
        #expect(try await sandbox.run("doctor").code == 0)
        #expect(await daemon.end() == 0)
        #expect(try await !sandbox.run("status").output.contains("process \(daemon.pid)"))
    }

    @Test func `a second one is refused and told of the first`() async throws {
        let sandbox = try Sandbox()
        let daemon = try await Daemon(in: sandbox)
        let second = try await sandbox.run("serve")
        #expect(second.code == 75)
        #expect(second.errors.hasPrefix("error: hub serve is already running on this store\n  process \(daemon.pid): "))
        #expect(await daemon.end() == 0)
        let next = try await Daemon(in: sandbox)
        #expect(await next.end(SIGINT) == 0)
    }

    @Test func `its death leaves the store free`() async throws {
        let sandbox = try Sandbox()
        #expect(try await Daemon(in: sandbox).end(SIGKILL) == 128 + SIGKILL)
        #expect(try await sandbox.run("contacts", "new", "Ada").code == 0)
        #expect(try await sandbox.run("doctor").code == 0)
        #expect(try await Daemon(in: sandbox).end() == 0)
    }

    @Test func `a page that cannot listen does not stop the rest`() async throws {
        let first = try Sandbox()
        let holder = try await Daemon(in: first)
        let sandbox = try Sandbox(extra: ["HUB_WEB_LISTEN": first.address])
        let daemon = try await Daemon(in: sandbox)
        try await eventually("the page is restarted") {
            let status = try await sandbox.run("status").output
            return status.contains("\(first.address) is in use by another program")
                && status.contains("process \(daemon.pid)")
        }
        #expect(await daemon.end() == 0)
        #expect(await holder.end() == 0)
    }

    @Test func `when it is ready its page can be reached`() async throws {
        for _ in 0..<3 {
            let sandbox = try Sandbox()
            let daemon = try await Daemon(in: sandbox)
            #expect(try await WebClient(sandbox).request("GET", "/login").status == 200)
            #expect(await daemon.end() == 0)
        }
    }

    @Test func `no link that logs in lands in a log`() async throws {
        let sandbox = try Sandbox()
        let daemon = try await Daemon(in: sandbox)
        #expect(await daemon.end() == 0)
        #expect(sandbox.read("serve.log")?.contains("login?code") == false)
    }

    @Test func `a config that breaks while it runs is told in its log`() async throws {
        let sandbox = try Sandbox(config: "hub.week_start = \"mon\"\n")
        let daemon = try await Daemon(in: sandbox)
        try sandbox.write("[hub\n", to: "config/hub/config.toml")
        try await eventually("the log says where") { sandbox.read("serve.log")?.contains("config.toml:1:") == true }
        try sandbox.write("hub.week_start = \"sun\"\n", to: "config/hub/config.toml")
        try await eventually("the log says that it is right") {
            sandbox.read("state/hub/serve.log")?.contains("valid again") == true
        }
        #expect(await daemon.end() == 0)
    }

    @Test func `what it reported is shown, from its own file or from the journal`() async throws {
        let first = try Sandbox()
        let holder = try await Daemon(in: first)
        let sandbox = try Sandbox(extra: ["HUB_WEB_LISTEN": first.address])
        #expect(try await sandbox.run("logs").errors.contains("No log messages"))
        let daemon = try await Daemon(in: sandbox)
        try await eventually("the log tells of the port") {
            try await sandbox.json("logs").rows.contains { line in
                line["level"]?.string == "warning"
                    && line["message"]?.string?.contains("web: \(first.address) is in use by another program") == true
            }
        }
        #expect(try await sandbox.run("logs", "--since", "0d").code == 0)
        #expect(await daemon.end() == 0)
        #expect(await holder.end() == 0)
        try sandbox.script(
            "journalctl",
            #"""
            echo "$*" > "$HOME/asked"
            echo '{"__REALTIME_TIMESTAMP":"1795176000000000","PRIORITY":"3","MESSAGE":"web: from the journal"}'
            """#)
        mkdir(sandbox.folder + "/config/systemd", 0o700)
        mkdir(sandbox.folder + "/config/systemd/user", 0o700)
        try sandbox.write("[Service]", to: "config/systemd/user/hub.service")
        let journal = try await sandbox.json("logs").rows
        // The journal's line is older than those that hub serve has written to its own file.
        #expect(journal.first?["message"]?.string == "web: from the journal" && journal.count > 1)
        #expect(sandbox.read("asked")?.contains("--user --unit=hub.service --output=json") == true)
    }
}
