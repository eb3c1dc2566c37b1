import Testing

/// The moments of the manual's transcripts, as an 80-column terminal shows them. Ids and ages are made alike first.
@Suite(.timeLimit(.minutes(20)))
struct MomentTests {
    private static let smith = """
        BEGIN:VCARD
        VERSION:3.0
        FN:J. Smith
        TEL:+1 555 0100
        EMAIL:smith@example.org
        NOTE:the file ends before this card does

        """

    private func expect(
        _ session: Terminal.Session, in sandbox: Sandbox, shows text: String,
        location: SourceLocation = #_sourceLocation
    ) async throws {
        let shown = try await sandbox.alike(session)
        #expect(shown == text, sourceLocation: location)
        #expect(shown.split(separator: "\n").allSatisfy { $0.count <= 86 }, sourceLocation: location)
    }

    @Test func `moment 1, the first run without a config file`() async throws {
        let sandbox = try Sandbox()
        let terminal = Terminal(sandbox)
        try await expect(
            try await terminal.run(), in: sandbox,
            shows: """
                hub keeps people, notes, voice records, prices and habits in one place.
                Usage: hub <command> [options]                  hub help <command> tells more

                  today      what matters now, from all plugins
                  search     one search over everything
                  contacts   people and address books           hub contacts import people.vcf
                  notes      notes, alone or shared             hub notes new "Shopping"
                  dictofun   voice records and transcripts      hub dictofun import memo.ogg
                  market     prices, portfolio, alerts          hub market
                  mintee     tasks and habits                   hub mintee new Read
                  sync, undo, history, status, doctor, config, backup, serve, web, help --all

                No config file, and none is needed: all five plugins are on.
                To have one with every setting explained: hub config init

                """)
        let contacts = try await terminal.run("contacts")
        #expect(contacts.code == 0)
        try await expect(
            contacts, in: sandbox,
            shows: """
                No contacts
                  hub contacts new                     write the first one
                  hub contacts import FILE             vCard, Google or Outlook CSV, abook, LDIF
                  hub contacts accounts add NAME URL   connect a CardDAV server

                """)
    }

    @Test func `moment 2, an import of three cards, one of them bad`() async throws {
        let sandbox = try Sandbox()
        try sandbox.write(Cards.ada + Cards.lukasz + Self.smith, to: "people.vcf")
        let session = try await Terminal(sandbox).run("contacts", "import", "people.vcf")
        #expect(session.code == 2)
        try await expect(
            session, in: sandbox,
            shows: """
                new      ada  Ada Lovelace
                new      luk  Łukasz Nowak     invalid birthday "1985-02-31", kept as text (line 15)
                skipped  people.vcf:23:1  "J. Smith": BEGIN:VCARD without END:VCARD
                     23 │ BEGIN:VCARD
                        │ ^ the file ends in line 28 before this card does
                  hint: fix that card and import the file again; nothing is imported twice
                people.vcf: 2 new, 0 updated, 0 unchanged, 1 skipped. Undo: hub undo

                """)
    }

    @Test func `moment 3, a search`() async throws {
        let sandbox = try Sandbox()
        let many = (1...1202).map { Cards.card("Person \($0)", "UID:person-\($0)") }.joined()
        try sandbox.write(many + Cards.lukasz + Cards.anna, to: "people.vcf")
        try await sandbox.run("contacts", "import", "people.vcf")
        let terminal = Terminal(sandbox)
        let found = try await terminal.run("contacts", "search", "lukasz")
        #expect(found.code == 0)
        try await expect(
            found, in: sandbox,
            shows: """
                ID   NAME          PHONE            EMAIL             TAGS
                luk  Łukasz Nowak  +48 601 234 567  lukasz@nowak.pl   friends
                ann  Anna Lukasz   +49 171 2345678  anna@example.org  work
                2 of 1,204 contacts

                """)
        let missed = try await terminal.run("contacts", "search", "lukazs")
        #expect(missed.code == 1)
        try await expect(
            missed, in: sandbox,
            shows: """
                No contact matches "lukazs"
                  hint: did you mean Łukasz Nowak (luk)?

                """)
    }

    @Test func `moment 4, an edit with a line that does not pass`() async throws {
        let sandbox = try Sandbox(extra: ["EDITOR": "type-a-birthday"])
        // A typical mistake: a day that February lacks, then one that March has.
        try sandbox.script(
            "type-a-birthday",
            """
            [ -e form ] && day=31.03.1985 || day=31.02.1985
            sed -i "s/^birthday:.*/birthday:  $day/" "$1"
            cat "$1" >> form
            """)
        try sandbox.write(Cards.lukasz, to: "people.vcf")
        try await sandbox.run("contacts", "import", "people.vcf")
        let session = try await Terminal(sandbox).run(
            "contacts", "edit", "lukasz", answers: [.init(prompt: "[E/s/d]", text: "e")])
        #expect(session.code == 0)
        try await expect(
            session, in: sandbox,
            shows: """
                error: not saved yet: 1 line needs a look
                      4 │ birthday:  31.02.1985
                        │            ^^^^^^^^^^ February 1985 has 28 days
                  hint: write 1985-02-28, --02-28 without a year, or "in quotes" for free text
                Edit again, save without this line, or drop all changes? [E/s/d] e
                Łukasz Nowak (luk): birthday 1985-03-31, 11 properties untouched. Undo: hub undo

                """)
        #expect(
            try #require(sandbox.read("form")).hasPrefix(
                """
                name:      Łukasz Nowak
                phone:     mobile   +48 601 234 567
                email:     home     lukasz@nowak.pl
                birthday:  31.02.1985
                """))
    }

    @Test func `moment 12, undo and why it may not be`() async throws {
        let sandbox = try Sandbox()
        try sandbox.write(
            Cards.ada
                + ["Anna Lukasz", "Jan Kowal", "Zoe Meyer"].map { name in
                    Cards.card(name, "UID:\(name)", "CATEGORIES:old-work")
                }.joined(), to: "people.vcf")
        try await sandbox.run("contacts", "import", "people.vcf")
        let terminal = Terminal(sandbox)
        let removed = try await terminal.run(
            "contacts", "rm", "--tag", "old-work", answers: [.init(prompt: "[y/N]", text: "y")])
        try await expect(
            removed, in: sandbox,
            shows: """
                Remove 3 contacts: Anna Lukasz, Jan Kowal, Zoe Meyer? [y/N] y
                3 contacts are in the trash for 30 days. Undo: hub undo

                """)
        let undone = try await terminal.run("undo")
        #expect(undone.code == 0)
        try await expect(
            undone, in: sandbox,
            shows: """
                Undone rm, AGE: contacts rm --tag old-work. Redo: hub redo
                  back: Anna Lukasz, Jan Kowal, Zoe Meyer

                """)
        try await sandbox.runInProcess("contacts", "set", "zoe", "note=Tea")
        let imported = try #require(await sandbox.operations().first { $0.name == "contacts import" })
        let refused = try await terminal.run("undo", String(imported.id.prefix(8)))
        #expect(refused.code == 1)
        try await expect(
            refused, in: sandbox,
            shows: """
                error: cannot undo import (contacts import people.vcf, AGE)
                  one of its 4 contacts changed later: set, you, contacts set zoe note=Tea
                  hint: undo set first, then import

                """)
    }
}
