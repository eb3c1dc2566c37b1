import Testing

/// The HTTP API against the document that describes it, by Schemathesis, at a running `hub serve`.
@Suite(.timeLimit(.minutes(20)))
struct APIDescriptionTests {
    /// The seed of the requests; another one makes others.
    private static let seed = 38

    /// Requests as described may still break a rule that no schema states, such as a name that is taken, or an operation of others.
    private static let settings = """
        [checks.positive_data_acceptance]
        expected-statuses = ["2xx", "304", "400", "403", "404", "409", "412", "422", "429"]
        [checks.negative_data_rejection]
        expected-statuses = ["400", "401", "403", "404", "405", "409", "412", "415", "422", "428", "429"]

        """

    @Test func `no request makes the server fail, and every answer is as the document says`() async throws {
        let sandbox = try Sandbox(config: "[plugins]\nmarket.providers = [\"demo\"]\n")
        try sandbox.write(Self.settings, to: "schemathesis.toml")
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
        let peers = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/.build/peers/bin"
        // Wrong tokens are counted, so after ten of them the answer is 429; APITokenTests look at them.
        let run = try await sandbox.shell(
            """
            \(peers)/schemathesis --config-file schemathesis.toml run openapi.json --url http://\(sandbox.address) \
            -H 'Authorization: Bearer \(token)' --phases fuzzing --max-examples 2 --seed \(Self.seed) --workers 1 --no-shrink \
            --no-color --exclude-checks ignored_auth
            """)
        #expect(
            run.code == 0,
            "seed \(Self.seed); is schemathesis in .build/peers? .ci/setup test installs it\n\(run.all.suffix(6000))"
        )
        #expect(await daemon.end() == 0)
        #expect(!(sandbox.read("serve.log") ?? "").contains("error"))
    }
}
