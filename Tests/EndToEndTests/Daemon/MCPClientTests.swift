import JSON
import Testing

/// `hub mcp` and the official client of the Model Context Protocol.
@Suite(.timeLimit(.minutes(5)))
struct MCPClientTests {
    @Test func `the client finds, reads and changes in each revision, and standard output has messages alone`()
        async throws
    {
        let sandbox = try Sandbox()
        _ = try await sandbox.runInProcess("notes", "new", "Shopping", "-m", "- bread")
        let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/")
        let python =
            "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/") + "/.build/peers/bin/python"
        let run = try await sandbox.shell("\(python) \(folder)/mcp_client.py \(Sandbox.hub) mcp --allow notes")
        #expect(run.code == 0, "is mcp in .build/peers? .ci/setup test installs it\n\(run.all)")
        let seen = try JSONReader.read(Array(run.output.utf8))
        for (mode, version) in [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")] {
            let each = try #require(seen[mode])
            #expect(each["version"]?.string == version)
            #expect(each["tools"]?.array?.count == 12 && each["templates"]?.array?.count == 5)
            #expect(each["found"]?.string == "Shopping" && each["text"]?.string == "- bread")
            #expect(each["wrong"] == .array([.bool(true), .string("argument-invalid")]))
            #expect(each["resource"]?.string == "Shopping" && each["undone"]?.bool == true)
        }
        // Before any handshake, after a broken line, and without a line feed at the end.
        let lines = [
            #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, "{broken", "",
            #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#,
        ]
        let piped = try await sandbox.run("mcp", input: lines.joined(separator: "\n") + "\n")
        let answers = piped.output.split(separator: "\n")
        #expect(piped.code == 0 && piped.errors.isEmpty && answers.count == 3, "\(piped.all)")
        for answer in answers { #expect(throws: Never.self) { try JSONReader.read(Array(answer.utf8)) } }
        #expect(try await sandbox.run("mcp", "--allow", "nothing").code == 1)
    }
}
