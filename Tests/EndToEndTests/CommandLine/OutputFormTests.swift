import Testing

/// The forms in which a result can be had.
@Suite(.timeLimit(.minutes(5)))
struct OutputFormTests {
    private func sandbox() async throws -> Sandbox {
        let sandbox = try Sandbox()
        try await sandbox.run("contacts", "import", "-", input: Cards.ada + Cards.lukasz)
        return sandbox
    }

    @Test func `JSON holds the fields asked for, in that order`() async throws {
        let sandbox = try await sandbox()
        #expect(
            try await sandbox.run("contacts", "list", "--json=name,tags").output == """
                [{"name":"Ada Lovelace","tags":[]},
                {"name":"Łukasz Nowak","tags":["friends"]}]

                """)
        #expect(try await sandbox.run("contacts", "list", "nobody", "--json").output == "[]\n")
        let fields = try await sandbox.run("contacts", "list", "--json=help")
        #expect(fields.output.contains("email  the preferred e-mail address"))
    }

    @Test func `plain text is parted by tabs, has whole ids and no header`() async throws {
        let sandbox = try await sandbox()
        #expect(
            try await sandbox.run("contacts", "list", "--plain=name,email").output == """
                Ada Lovelace\tada@example.org
                Łukasz Nowak\tlukasz@nowak.pl

                """)
        let ids = try await sandbox.run("contacts", "list", "--plain=id").output.split(separator: "\n")
        #expect(ids.allSatisfy { $0.count == 20 })
        let parted = try await sandbox.run("contacts", "list", "--plain=name", "-z").output
        #expect(parted == "Ada Lovelace\0Łukasz Nowak\0")
    }

    @Test func `a template writes each row`() async throws {
        let sandbox = try await sandbox()
        let rows = try await sandbox.run("contacts", "list", "--format", #"{email}\t<{name}>"#)
        #expect(rows.output == "ada@example.org\t<Ada Lovelace>\nlukasz@nowak.pl\t<Łukasz Nowak>\n")
    }

    @Test func `a pipe gets whole cells and a terminal its width`() async throws {
        let sandbox = try Sandbox()
        let name = "Pablo Diego José Francisco de Paula Juan Nepomuceno María de los Remedios Cipriano Ruiz"
        try await sandbox.run("contacts", "import", "-", input: Cards.card(name, "EMAIL:pablo@example.org"))
        #expect(try await sandbox.run("contacts", "list").output.contains(name))
        let screen = try await Terminal(sandbox).run("contacts", "list").screen.text
        #expect(!screen.contains(name) && screen.contains("Pablo Diego") && screen.contains("pablo@example.org"))
        #expect(screen.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `colour is for terminals that want it`() async throws {
        func colored(_ variables: [String: String], _ words: String...) async throws -> Bool {
            let sandbox = try Sandbox(extra: variables)
            try await sandbox.run("contacts", "import", "-", input: Cards.ada)
            let session = try await Terminal(sandbox).run("contacts", "list", words.first ?? "--color=auto")
            return session.screen.bytes.contains(0x1B)
        }
        #expect(try await colored([:]))
        #expect(try await !colored(["NO_COLOR": "1"]))
        #expect(try await !colored(["TERM": "dumb"]))
        #expect(try await !colored([:], "--color=never"))
        #expect(try await colored(["NO_COLOR": "1"], "--color=always"))
        #expect(try await sandbox().run("contacts", "list").output.contains("\u{1B}") == false)
    }

    @Test func `a file is written whole or not at all`() async throws {
        let sandbox = try await sandbox()
        try sandbox.write("before", to: "out.tsv")
        let refused = try await sandbox.run("contacts", "show", "nobody", "-o", "out.tsv")
        #expect(refused.code == 1)
        #expect(sandbox.read("out.tsv") == "before")
        try await sandbox.run("contacts", "list", "--plain=name", "-o", "out.tsv")
        #expect(sandbox.read("out.tsv") == "Ada Lovelace\nŁukasz Nowak\n")
    }
}
