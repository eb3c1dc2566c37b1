import Testing

/// The ways to name a contact, and what is done to many.
@Suite(.timeLimit(.minutes(20)))
struct SelectorTests {
    private func sandbox() async throws -> Sandbox {
        let sandbox = try Sandbox()
        try await sandbox.runInProcess("contacts", "import", "-", input: Cards.ada + Cards.anna + Cards.lukasz)
        return sandbox
    }

    @Test func `an id's beginning, words, an address and a number name a contact`() async throws {
        let sandbox = try await sandbox()
        let id = try #require(try await sandbox.contacts().first { $0.name == "Łukasz Nowak" }).id
        for selector in [id, String(id.prefix(10)), "lukasz nowak", "lukasz@nowak.pl", "+48601234567", "601 234 567"] {
            let shown = try await sandbox.runInProcess("contacts", "show", selector, "--json=name")
            #expect(shown.output == "{\"name\":\"Łukasz Nowak\"}\n", "\(selector): \(shown.all)")
        }
    }

    @Test func `words that name several are refused with the candidates`() async throws {
        let shown = try await sandbox().runInProcess("contacts", "show", "a")
        #expect(shown.code == 64)
        #expect(shown.errors.contains("Ada Lovelace") && shown.errors.contains("Anna Lukasz"), "\(shown.all)")
    }

    @Test func `a dash reads selectors from stdin`() async throws {
        let sandbox = try await sandbox()
        let ids = try await sandbox.contacts().filter { $0.name != "Anna Lukasz" }.map(\.id)
        let removed = try await sandbox.runInProcess(
            "contacts", "rm", "-", "--yes", input: ids.joined(separator: "\n") + "\n")
        #expect(removed.code == 0, "\(removed.all)")
        #expect(try await sandbox.contacts().map(\.name) == ["Anna Lukasz"])
        let restored = try await sandbox.runInProcess("contacts", "restore", "-", input: ids[0] + "\n")
        #expect(restored.code == 0, "\(restored.all)")
        #expect(try await sandbox.contacts().count == 2)
    }

    @Test(arguments: [
        "contacts new Grace", "contacts set ada note=x", "contacts tag ada x", "contacts untag nowak friends",
        "contacts rm ada", "contacts rm --tag friends", "contacts import more.vcf", "undo",
    ])
    func `a dry run tells a plan and changes nothing`(line: String) async throws {
        let sandbox = try await sandbox()
        let file = try sandbox.write(Cards.card("Grace Hopper"), to: "more.vcf")
        let before = try await state(of: sandbox)
        let planned = try await sandbox.runInProcess(
            line.split(separator: " ").map { $0 == "more.vcf" ? file : String($0) } + ["-n"])
        #expect(planned.code == 0, "\(planned.all)")
        #expect(!planned.all.isEmpty)
        #expect(try await state(of: sandbox) == before)
    }

    private func state(of sandbox: Sandbox) async throws -> String {
        let export = try await sandbox.runInProcess("contacts", "export").output
        return try await export + sandbox.runInProcess("history", "--json").output
            + sandbox.runInProcess("events", "list", "--json").output
    }
}
