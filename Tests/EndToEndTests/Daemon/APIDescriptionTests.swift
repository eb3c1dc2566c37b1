import Testing

/// The HTTP API against the document that describes it, by Schemathesis, at a running `hub serve`.
@Suite(.timeLimit(.minutes(20)))
struct APIDescriptionTests {
    /// The seed of the requests; another one makes others.
    private static let seed = 38

    @Test func `no request makes the server fail, and every answer is as the document says`() async throws {
        let address = "127.0.0.1:\(try FreePort.next())"
        let sandbox = try Sandbox(
            config: "[hub]\nweb.listen = \"\(address)\"\n[plugins]\nmarket.providers = [\"demo\"]\n")
        for line in [
            ["contacts", "new", "Ada Lovelace", "email=ada@example.org"],
            ["notes", "new", "Shopping", "-m", "- bread"],
            ["mintee", "new", "Read", "--on", "daily: x >= 20"], ["market", "--limit", "3"],
        ] {
            let done = try await sandbox.runInProcess(line)
            #expect(done.code == 0, "\(line): \(done.all)")
        }
        let described = try await sandbox.shell("hub api describe -o openapi.json")
        #expect(described.code == 0, "\(described.all)")
        let added = try await sandbox.runInProcess("api", "tokens", "add", "schemathesis", "--scope", "write", "--json")
        let token = try #require(
            added.output.firstMatch(of: /"token":"([^"]*)"/)?.1.description, "\(added.all)")
        let daemon = try await Daemon(in: sandbox)
        let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let peers = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/.build/peers/bin"
        let run = try await sandbox.shell(
            """
            \(peers)/schemathesis --config-file \(folder)/schemathesis.toml run openapi.json --url http://\(address) \
            -H 'Authorization: Bearer \(token)' --phases fuzzing --max-examples 2 --seed \(Self.seed) --workers 1 --no-shrink \
            --no-color
            """)
        #expect(
            run.code == 0,
            "seed \(Self.seed); is schemathesis in .build/peers? .ci/setup test installs it\n\(run.all.suffix(6000))"
        )
        #expect(await daemon.end() == 0)
        #expect(!(sandbox.read("serve.log") ?? "").contains("error"))
    }
}
