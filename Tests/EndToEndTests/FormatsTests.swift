import Testing

/// Formats as other programs understand them: vobject and abook of Debian.
@Suite(.timeLimit(.minutes(20)))
struct FormatsTests {
    private static let table = """
        First Name,Last Name,Birthday,Notes,Labels,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Label,Address 1 - Street,Address 1 - City
        Łukasz,Nowak,1985-02-28,"Two
        lines; and, signs",friends ::: chess,* Home,lukasz@nowak.example,Holiday home,+48 601 234 567,Home,Długa 1,Gdańsk
        Ada,Lovelace,,,,,ada@example.org,,,,,

        """

    @Test func `python3-vobject reads our vCards and our calendar`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.runInProcess("contacts", "import", "-", input: Self.table)
        try sandbox.write(
            """
            import sys, vobject
            for card in vobject.readComponents(sys.stdin.read()):
                if card.name == 'VCALENDAR':
                    for event in card.vevent_list:
                        print(event.summary.value, event.dtstart.value, event.rrule.value)
                    continue
                tel = card.tel.value if hasattr(card, 'tel') else ''
                note = card.note.value if hasattr(card, 'note') else ''
                print(repr((card.fn.value, card.n.value.family, card.email.value, tel, note)))
            """, to: "read.py")
        for format in ["vcard", "vcard3", "vcard4"] {
            let read = try await sandbox.shell("hub contacts export --as \(format) | python3 read.py")
            #expect(
                read.output == """
                    ('Ada Lovelace', 'Lovelace', 'ada@example.org', '', '')
                    ('Łukasz Nowak', 'Nowak', 'lukasz@nowak.example', '+48 601 234 567', 'Two\\nlines; and, signs')

                    """, "\(format): \(read.all)")
        }
        let calendar = try await sandbox.shell("hub contacts birthdays --as ics | python3 read.py")
        #expect(calendar.output == "Birthday of Łukasz Nowak 1985-02-28 FREQ=YEARLY\n", "\(calendar.all)")
        let json = try await sandbox.shell("hub contacts export --as jcard | python3 -m json.tool > /dev/null")
        #expect(json.code == 0, "\(json.all)")
    }

    @Test func `what abook writes comes in, and a second time nothing does`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.runInProcess("contacts", "import", "-", input: Self.table)
        let line = """
            hub contacts export --as vcard3 -o people.vcf &&
            abook --convert --informat vcard --infile people.vcf --outformat abook --outfile book &&
            abook --convert --informat vcard --infile people.vcf --outformat ldif --outfile book.ldif &&
            hub --data fresh contacts import book && hub --data fresh contacts import book &&
            hub --data fresh contacts search nowak --plain=name,email &&
            hub --data fresh contacts import book.ldif && hub --data fresh contacts import book.ldif
            """
        let read = try await sandbox.shell(line)
        #expect(read.code == 0, "\(read.all)")
        #expect(read.output.contains("book: 2 new, 0 updated, 0 unchanged, 0 skipped"), "\(read.all)")
        #expect(read.output.contains("book: 0 new, 0 updated, 2 unchanged, 0 skipped"), "\(read.all)")
        #expect(read.output.contains("Łukasz Nowak\tlukasz@nowak.example"), "\(read.all)")
        #expect(read.output.contains("book.ldif: 0 new, 0 updated, 2 unchanged, 0 skipped"), "\(read.all)")
    }
}
