import JSON
import Testing

/// The page and its JSON, beside the commands.
@Suite(.timeLimit(.minutes(20)))
struct WebTests {
    /// Logs a client in by the link of `hub web`; answers the header fields that its page then sends.
    private func logIn(_ client: WebClient, _ sandbox: Sandbox) async throws -> [String: String] {
        let link = try await sandbox.run("web").output.trimmingPrefix("http://\(sandbox.address)")
        try #require(link.hasPrefix("/login?code="), "\(link)")
        let target = String(link.prefix { !$0.isNewline })
        let answer = try await client.request("GET", target)
        #expect(answer.status == 200)
        let cookie = try #require(answer.headers["set-cookie"])
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
        #expect(try await client.request("GET", target).status == 403, "a link logs in once")
        let key = try #require(answer.body.firstMatch(of: /name="hub-key" content="([^"]+)"/)).1
        return ["Cookie": String(cookie.prefix { $0 != ";" }), "Hub-Key": String(key)]
    }

    @Test func `only who came by a link is let in`() async throws {
        let sandbox = try Sandbox()
        let daemon = try await Daemon(in: sandbox)
        let client = try WebClient(sandbox)
        for target in ["/", "/contacts", "/api/contacts", "/api/contacts/count", "/nowhere"] {
            // A program that has nothing of a browser is told that it needs a token.
            #expect(try await client.request("GET", target).status == (target.hasPrefix("/api") ? 401 : 403))
            #expect(try await client.request("GET", target, ["Cookie": "hub-\(client.port)=guess"]).status == 403)
        }
        #expect(try await client.request("GET", "/login?code=guess").status == 403)
        let session = try await logIn(client, sandbox)
        let page = try await client.request("GET", "/contacts", session)
        #expect(page.status == 200)
        #expect(page.headers["content-type"] == "text/html; charset=utf-8")
        #expect(page.headers["content-security-policy"]?.contains("default-src 'self'") == true)
        #expect(try await client.request("GET", "/nowhere", session).status == 404)
        #expect(await daemon.end() == 0)
        // The session outlives the daemon until the user logs out.
        let next = try await Daemon(in: sandbox)
        #expect(try await client.request("GET", "/contacts", session).status == 200)
        #expect(try await sandbox.run("web", "--logout").all.contains("Logged out 1 browser"))
        #expect(try await client.request("GET", "/contacts", session).status == 403)
        #expect(await next.end() == 0)
    }

    @Test func `another name and another site are refused`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.run("contacts", "import", "-", input: Cards.ada)
        let id = try #require(try await sandbox.contacts().first).id
        let daemon = try await Daemon(in: sandbox)
        let client = try WebClient(sandbox)
        let session = try await logIn(client, sandbox)
        for host in ["evil.example", "evil.example:\(client.port)", "127.0.0.1:1", ""] {
            let answer = try await client.request("GET", "/api/contacts", session.merging(["Host": host]) { $1 })
            #expect((400..<500).contains(answer.status) && !answer.body.contains("Ada"), "\(host): \(answer.status)")
        }
        for origin in ["http://evil.example", "null"] {
            let headers = session.merging(["Origin": origin]) { $1 }
            #expect(try await client.request("DELETE", "/api/contacts/\(id)", headers).status == 403)
        }
        #expect(try await sandbox.contacts().count == 1)
        let own = session.merging(["Origin": "http://\(sandbox.address)"]) { $1 }
        #expect(try await client.request("DELETE", "/api/contacts/\(id)", own).status == 200)
        #expect(try await sandbox.contacts().isEmpty)
        #expect(try await sandbox.run("undo").code == 0, "what the page did is undone like a command")
        #expect(try await sandbox.contacts().count == 1)
        #expect(await daemon.end() == 0)
    }

    @Test func `the page finds what the command finds`() async throws {
        let sandbox = try Sandbox()
        let many = (0..<40).map { Cards.card("Person \($0)", "UID:\($0)", "TEL:+48 600 000 1\($0 + 10)") }.joined()
        try await sandbox.run("contacts", "import", "-", input: many + Cards.anna + Cards.lukasz)
        let daemon = try await Daemon(in: sandbox)
        let client = try WebClient(sandbox)
        let session = try await logIn(client, sandbox)
        for words in ["lukasz", "person", "erson", "anna@example.org", "601 234", "nobody"] {
            let query = words.replacing(" ", with: "%20")
            let answer = try await client.request("GET", "/api/contacts?q=\(query)&limit=100", session)
            #expect(answer.status == 200)
            let found = try await sandbox.run("contacts", "search", words, "--limit=100", "--json")
            #expect(
                try JSONReader.read(Array(answer.body.utf8)) == JSONReader.read(Array(found.output.utf8)), "\(words)")
        }
        let id = try #require(try await sandbox.contacts().first).id
        let shown = try await client.request("GET", "/api/contacts/\(id)", session)
        let command = try await sandbox.run("contacts", "show", id, "--json")
        // The page gets what it draws besides.
        let page = try JSONReader.read(Array(shown.body.utf8))
        guard case .object(let members) = try JSONReader.read(Array(command.output.utf8)), !members.isEmpty else {
            Issue.record("no object: \(command.output)")
            return
        }
        for member in members { #expect(page[member.name] == member.value, "\(member.name)") }
        #expect(await daemon.end() == 0)
    }
}
