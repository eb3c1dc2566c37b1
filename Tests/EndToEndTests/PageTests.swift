import NetworkTestSupport
import TestSupport
import Testing

/// The frame, its components and the pages of contacts and Mintee in Chromium, with the daemon and the commands beside them.
/// The other pages are a suite of their own, which runs at the same time.
@Suite(.serialized)
struct PageTests {
    @Test(.timeLimit(.minutes(20)), arguments: ["list", "edit", "duplicates", "conflicts", "birthdays", "access"])
    func `the page of contacts does in a browser what the commands do`(subject: String) async throws {
        let sandbox = try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
        let people = try sandbox.write(BrowserScript.cards, to: "people.vcf")
        let imported = try await sandbox.run("contacts", "import", people)
        #expect(imported.code == 0, "\(imported.all)")
        try await BrowserScript.runWithDaemon("contacts_\(subject)", in: sandbox)
    }

    @Test(.timeLimit(.minutes(20)))
    func `the session of the page is worth nothing on another port`() async throws {
        let sandbox = try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
        try await sandbox.run("contacts", "import", try sandbox.write(BrowserScript.cards, to: "people.vcf"))
        try await BrowserScript.runWithDaemon("session", in: sandbox)
    }

    @Test(.timeLimit(.minutes(20)), arguments: ["today", "tasks", "analyses", "access"])
    func `the page of Mintee does in a browser what the commands do`(subject: String) async throws {
        try await BrowserScript.runWithDaemon(
            "mintee_\(subject)", in: try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"]))
    }

    @Test(.timeLimit(.minutes(20)))
    func `the components keep what is typed, selected and played while other things change`() async throws {
        try await BrowserScript.run("components", in: try Sandbox())
    }

    @Test(.timeLimit(.minutes(20)))
    func `the frame of all pages leads through hub, searches, undoes and is readable for everybody`() async throws {
        let sandbox = try Sandbox(extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
        try await sandbox.run("contacts", "import", try sandbox.write(BrowserScript.cards, to: "people.vcf"))
        try await BrowserScript.runWithDaemon("shell", in: sandbox)
    }

    @Test(.timeLimit(.minutes(20)))
    func `an empty hub leads to the first contact, voice record, note and habit, and to the market`() async throws {
        let sandbox = try Sandbox(
            config: BrowserScript.demo, extra: ["HUB_WEB_LISTEN": "127.0.0.1:\(try FreePort.next())"])
        try await BrowserScript.runWithDaemon("first_use", in: sandbox)
    }
}
