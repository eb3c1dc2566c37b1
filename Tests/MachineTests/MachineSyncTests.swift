import FoundationEssentials
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Storage
import TestSupport
import Testing

@testable import HubRuntime

/// Two and three machines that are kept in step.
@MainActor
@Suite(.serialized)
struct MachineSyncTests {
    private let desk: Machine
    private let laptop: Machine

    init() throws {
        desk = try Machine("desk")
        laptop = try Machine("laptop")
    }

    private func names(_ machine: Machine) async throws -> [String] {
        try await machine.values(
            """
            SELECT title FROM contacts_entry WHERE id IN (SELECT id FROM contacts_contact WHERE deleted_at IS NULL)
            ORDER BY title
            """, of: "contacts")
    }

    private func expectInStep() async throws {
        #expect(try await laptop.content() == desk.content())
        #expect(try await laptop.sync(desk).isQuiet)
    }

    @Test func `contacts and tasks go both ways, and an exchange without changes is one request`() async throws {
        try await desk.run("contacts new Anna email=anna@example.org")
        try await desk.run("mintee new Read --on 'daily: x >= 20'")
        try await desk.run("mintee set Read 25")
        try await laptop.run("contacts new Ben phone=601234567")
        try await laptop.run("mintee new Run")
        try await laptop.run("mintee tag Run sport")
        try await laptop.join(desk)
        let report = try await laptop.sync(desk)
        #expect(report.received["contacts"] == 1 && report.sent["contacts"] == 1)
        #expect(report.received["tasks"] == 1 && report.received["task-days"] == 1)
        #expect(report.notes == [] && report.held == 0)
        try await expectInStep()
        #expect(try await names(desk) == ["Anna", "Ben"])
        #expect(try await laptop.values("SELECT completion FROM mintee_instance", of: "mintee") == ["25.0"])
        #expect(try await desk.values("SELECT tag FROM mintee_task_tag", of: "mintee") == ["sport"])
        #expect((await laptop.test.run("contacts search anna")).output.contains("anna@example.org"))
        // Ten changes there are one operation here, which is undone as one; the undo is sent.
        try await desk.run("contacts new Carl")
        try await desk.run("contacts new Dora")
        try await laptop.sync(desk)
        let operation = try await laptop.values(
            "SELECT id FROM core_operation WHERE name = 'sync desk' ORDER BY seq DESC LIMIT 1", of: "core")
        try await laptop.run("undo \(operation[0])")
        try await laptop.sync(desk)
        #expect(try await names(desk) == ["Anna", "Ben"])
        try await expectInStep()
    }

    @Test func `what both have changed is merged, and the home's value counts where it cannot be`() async throws {
        try await desk.run("contacts new Anna email=anna@example.org")
        try await desk.run("mintee new Read")
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await desk.run("contacts set anna phone=601234567")
        try await laptop.run("contacts set anna note='met in Gdynia'")
        try await desk.run("mintee edit Read --name Reading")
        try await laptop.run("mintee edit Read --name Books --notes evening")
        try await laptop.sync(desk)
        try await expectInStep()
        let card = try await desk.values("SELECT card FROM contacts_contact", of: "contacts")[0]
        #expect(card.contains("601234567") || card.contains("601 234 567"))
        #expect(card.contains("Gdynia"))
        #expect(
            try await desk.values("SELECT name || ' ' || notes FROM mintee_task", of: "mintee") == ["Reading evening"])
        let held = try await laptop.held()
        #expect(held.map(\.isOpen) == [false])
        #expect(held[0].reason.contains("\"Books\""))
    }

    @Test(arguments: [true, false])
    func `what was changed again before its answer came is as it was changed last`(isThere: Bool) async throws {
        try await desk.run("contacts new Anna")
        try await desk.run("mintee new 'Read 9 twice'")
        try await laptop.join(desk)
        try await laptop.sync(desk)
        // An exchange has four requests, of which the last sends.
        for lost in 0..<5 {
            let isLost = lost < 4
            try await laptop.run("contacts new 'Ben \(lost)'")
            try await laptop.run("contacts set anna note='\(lost) once'")
            try await laptop.run("mintee edit 'Read \(lost == 0 ? 9 : lost - 1) twice' --name 'Read \(lost) once'")
            let losses = isThere ? Losses(answers: [lost]) : Losses(requests: [lost])
            if isLost {
                await #expect(throws: HubError.self) { try await laptop.sync(desk, losing: losses) }
            } else {
                try await laptop.sync(desk, losing: losses)
            }
            // Another has changed what has come there.
            let name = try await desk.values("SELECT name FROM mintee_task", of: "mintee")[0]
            try await desk.run("mintee edit '\(name)' --notes 'noted \(lost)'")
            try await desk.run("contacts set anna phone=60123456\(lost)")
            try await laptop.run("contacts rm --yes 'Ben \(lost)'")
            try await laptop.run("contacts set anna note='\(lost) twice'")
            try await laptop.run("mintee edit 'Read \(lost) once' --name 'Read \(lost) twice'")
            try await laptop.sync(desk)
            try await expectInStep()
            #expect(try await names(desk) == ["Anna"], "\(lost)")
            let tasks = try await desk.values("SELECT name || ' ' || notes FROM mintee_task", of: "mintee")
            #expect(tasks == ["Read \(lost) twice noted \(lost)"])
            let card = try await desk.values(
                "SELECT card FROM contacts_contact WHERE deleted_at IS NULL", of: "contacts")[0]
            #expect(card.contains("\(lost) twice") && card.contains("456\(lost)"), "\(card)")
            #expect(try await laptop.held() == [], "\(lost)")
        }
    }

    @Test func `machines with an older and a newer version of hub are kept in step`() async throws {
        try await laptop.join(desk)
        let older = Losses(isOlder: true)
        for number in 0..<3 {
            try await laptop.run("contacts new 'Ben \(number)'")
            try await desk.run("contacts new 'Anna \(number)'")
            if number == 1 {
                // The next exchange is with a newer one.
                await #expect(throws: HubError.self) {
                    try await laptop.sync(desk, losing: Losses(answers: [3], isOlder: true))
                }
            }
            try await laptop.sync(desk, losing: number == 2 ? Losses() : older)
            try await expectInStep()
            #expect(try await names(desk).count == 2 * (number + 1))
        }
    }

    @Test func `a change beats the trash, and what is emptied there is gone on both`() async throws {
        for name in ["Anna", "Ben", "Carl"] { try await desk.run("contacts new \(name)") }
        try await laptop.join(desk)
        try await laptop.sync(desk)
        // The first contacts of a store may come from another machine.
        let doctor = await laptop.test.run("doctor")
        #expect(doctor.exit == 0, "\(doctor.all)")
        try await laptop.run("contacts rm --yes anna ben")
        try await desk.run("contacts set anna phone=601234567")
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(try await names(desk) == ["Anna", "Carl"])
        try await laptop.run("trash empty --yes")
        try await laptop.sync(desk)
        #expect(try await desk.values("SELECT count(*) FROM contacts_contact", of: "contacts") == ["2"])
        try await expectInStep()
        // Nothing of it is left in what is kept for the exchange.
        let copies = try await laptop.values(
            "SELECT count(*) FROM core_machine_item WHERE instr(content, 'Ben') > 0", of: "core")
        #expect(copies == ["0"])
    }

    @Test(arguments: [true, false])
    func `an entry of a task beats the trash and its emptying, and goes with a task that is in the trash`(isHome: Bool)
        async throws
    {
        let (one, other) = isHome ? (desk, laptop) : (laptop, desk)
        try await laptop.join(desk)
        func tasks() async throws -> [String] {
            try await laptop.sync(desk)
            #expect(try await laptop.held().filter(\.isOpen) == [])
            try await expectInStep()
            return try await desk.values(
                """
                SELECT t.name || ' ' || i.completion || iif(t.deleted_at IS NULL, '', ' trash') FROM mintee_task t
                JOIN mintee_instance i ON i.task = t.id ORDER BY 1
                """, of: "mintee")
        }
        for name in ["Read", "Run", "Swim", "Walk"] {
            try await desk.run("mintee new \(name)")
            if name != "Run" { try await desk.run("mintee set \(name) 1") }
        }
        // The entries of another year are another document.
        try await desk.change(
            "mintee",
            """
            INSERT INTO mintee_instance (task, day, completion, entered, changed_at)
            SELECT id, '2025-03-01', 9, 1, 1 FROM mintee_task WHERE name = 'Read'
            """)
        #expect(try await tasks() == ["Read 1.0", "Read 9.0", "Swim 1.0", "Walk 1.0"])
        for name in ["Read", "Run"] {
            try await one.run("mintee rm --yes \(name)")
            try await other.run("mintee set \(name) 2")
        }
        #expect(try await tasks() == ["Read 2.0", "Read 9.0", "Run 2.0", "Swim 1.0", "Walk 1.0"])
        try await one.run("mintee new Sing")
        _ = try await tasks()
        for name in ["Read", "Sing"] {
            try await one.run("mintee rm --yes \(name)")
            try await other.run("mintee set \(name) 3")
        }
        try await one.run("trash empty --yes")
        #expect(try await tasks() == ["Read 3.0", "Read 9.0", "Run 2.0", "Sing 3.0", "Swim 1.0", "Walk 1.0"])
        // What is in the trash on both goes, whatever was entered before.
        try await one.run("mintee new Draw")
        _ = try await tasks()
        for name in ["Swim", "Draw"] {
            try await other.run("mintee set \(name) 4")
            try await other.run("mintee rm --yes \(name)")
            try await one.run("mintee rm --yes \(name)")
        }
        try await one.run("trash empty --yes")
        _ = try await tasks()
        #expect(try await tasks() == ["Read 3.0", "Read 9.0", "Run 2.0", "Sing 3.0", "Walk 1.0"])
        for machine in [desk, laptop] {
            #expect(
                try await machine.values("SELECT name FROM mintee_task ORDER BY name", of: "mintee") == [
                    "Read", "Run", "Sing", "Walk",
                ])
        }
    }

    @Test func `what both had before is paired, and two tasks of one name become one`() async throws {
        let card = "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:urn:uuid:5\r\nFN:Anna\r\n"
        for (machine, line) in [(desk, "TEL:601"), (laptop, "EMAIL:a@example.org")] {
            let path = machine.test.home + "/people.vcf"
            try (card + line + "\r\nEND:VCARD\r\n").write(toFile: path, atomically: true, encoding: .utf8)
            try await machine.run("contacts import \(path)")
            try await machine.run("mintee new Read")
        }
        try await laptop.run("mintee set Read 3")
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(try await names(laptop) == ["Anna"])
        let merged = try await desk.values("SELECT card FROM contacts_contact", of: "contacts")[0]
        #expect(merged.contains("601") && merged.contains("a@example.org"))
        #expect(try await desk.values("SELECT name FROM mintee_task", of: "mintee") == ["Read"])
        #expect(try await desk.values("SELECT completion FROM mintee_instance", of: "mintee") == ["3.0"])
    }

    @Test func `two tasks that get the same name later keep both`() async throws {
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await desk.run("mintee new Read")
        try await laptop.run("mintee new Walk")
        try await laptop.sync(desk)
        try await desk.run("mintee edit Walk --name Swim")
        try await laptop.run("mintee edit Read --name Swim")
        try await laptop.sync(desk)
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(
            try await desk.values("SELECT name FROM mintee_task ORDER BY name", of: "mintee") == [
                "Swim", "Swim (laptop)",
            ])
    }

    @Test func `trades, lists and alerts travel; a command of an alert stays`() async throws {
        try await laptop.change("market", "INSERT INTO market_watch VALUES ('main', 'coingecko:bitcoin', 0)")
        try await laptop.change(
            "market",
            """
            INSERT INTO market_alert VALUES ('1a', 'coingecko:bitcoin', '> 100', 'usd', 1, 'rm x', 1, 1, 1, NULL)
            """)
        try await laptop.change(
            "market",
            """
            INSERT INTO market_trade (id, token, kind, amount, price, fee, currency, day, revision, created_at, changed_at)
            VALUES ('1b', 'coingecko:bitcoin', 'buy', '0.10', '91204.10', '0', 'usd', '2026-01-03', 1, 1, 1)
            """)
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(try await desk.values("SELECT amount FROM market_trade", of: "market") == ["0.10"])
        #expect(try await desk.values("SELECT coalesce(command, '-') FROM market_alert", of: "market") == ["-"])
        #expect(try await laptop.values("SELECT command FROM market_alert", of: "market") == ["rm x"])
        // Two amounts make no third one.
        try await desk.change("market", "UPDATE market_trade SET amount = '0.2', revision = 2")
        try await laptop.change("market", "UPDATE market_trade SET price = '5', note = 'n', revision = 2")
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(
            try await desk.values("SELECT amount || ' ' || price || ' ' || note FROM market_trade", of: "market")
                == ["0.2 91204.10 n"])
        #expect(try await laptop.held().contains { $0.reason.contains("price \"5\"") })
    }

    @Test func `the same sound, trade and alert of both machines become one each`() async throws {
        for machine in [desk, laptop] {
            try await machine.run("config set plugins.dictofun.transcribe false")
            let path = machine.test.home + "/memo.wav"
            try Data(RandomMachines.sound(1)).write(to: URL(filePath: path))
            try await machine.run("dictofun import \(path)")
            try await machine.run("dictofun tag last \(machine.name)")
            let id = machine.name == "desk" ? "1a" : "1b"
            try await machine.change(
                "market",
                "INSERT INTO market_alert VALUES ('\(id)', 'coingecko:bitcoin', '> 100', 'usd', 1, NULL, 1, 1, 1, NULL)"
            )
            try await machine.change(
                "market",
                """
                INSERT INTO market_trade (id, token, kind, amount, price, fee, currency, day, note, revision, created_at, changed_at)
                VALUES ('\(id)', 'coingecko:bitcoin', 'buy', '0.10', '91204.10', '0', 'usd', '2026-01-03', '', 1, 1, 1)
                """)
        }
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await expectInStep()
        for (table, owner) in [("dictofun_record", "dictofun"), ("market_alert", "market"), ("market_trade", "market")]
        {
            #expect(try await desk.values("SELECT count(*) || '' FROM \(table)", of: owner) == ["1"], "\(table)")
        }
        #expect(
            try await desk.values("SELECT name FROM dictofun_tag ORDER BY name", of: "dictofun") == ["desk", "laptop"])
    }

    @Test func `records travel with their sound, in pieces, after a lost one too`() async throws {
        let sound = (0..<9_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 / 3) }
        let add: @Sendable (Database) async throws -> Void = { database in
            let stored = try await #require(database.blobs).store(sound)
            try await database.store(for: "dictofun").write(Operation("test")) { transaction in
                try transaction.run(
                    """
                    INSERT INTO dictofun_record VALUES ('1r', ?, ?, 'wav', 'memo', '', '', '2026-01-01 09:00:00', 0, 1000, NULL,
                        1, 1, 1, NULL)
                    """, stored.id.text, sound.count)
                try transaction.run("INSERT INTO dictofun_transcript VALUES ('1r', 'e', 0, 1, '{}')")
            }
            withExtendedLifetime(stored) {}
        }
        try await laptop.with(add)
        try await laptop.join(desk)
        // The second piece gets lost, and what has come is used.
        await #expect(throws: HubError.self) { try await laptop.sync(desk, losing: Losses(requests: [5])) }
        try await laptop.sync(desk)
        try await expectInStep()
        let blob = try #require(BlobID(try await desk.values("SELECT blob FROM dictofun_record", of: "dictofun")[0]))
        #expect(try await desk.with { try await #require($0.blobs).bytes(of: blob, limit: 10_000_000) } == sound)
        #expect(try await desk.values("SELECT engine FROM dictofun_transcript", of: "dictofun") == ["e"])
        let tablet = try Machine("tablet")
        try await tablet.join(desk)
        try await tablet.sync(desk)
        #expect(try await tablet.content() == desk.content())
        #expect(try await tablet.with { database in database.blobs?.size(of: blob) } == sound.count)
    }

    @Test func `a copied store and one that was set back are noticed, and lose nothing`() async throws {
        try await laptop.join(desk)
        try await laptop.run("contacts new Anna")
        try await laptop.sync(desk)
        let saved = laptop.test.home + "/saved"
        try laptop.save(to: saved)
        try await laptop.run("contacts new Ben")
        try await laptop.run("contacts set anna phone=601234567")
        try await laptop.sync(desk)
        try laptop.setBack(to: saved)
        try await laptop.run("contacts new Carl")
        let report = try await laptop.sync(desk)
        #expect(report.notes.contains { $0.contains("set back") })
        try await expectInStep()
        #expect(try await names(laptop) == ["Anna", "Ben", "Carl"])
        // A copy in another file has a name of its own at once.
        let copy = try Machine("copy")
        try FileManager.default.createDirectory(
            atPath: copy.test.home + "/.local/share", withIntermediateDirectories: true)
        try laptop.save(to: copy.data)
        try await copy.run("contacts new Dora")
        let copied = try await copy.sync(desk, as: "laptop")
        #expect(copied.notes.contains { $0.contains("copy") })
        #expect(try await laptop.sync(desk).notes == [])
        try await expectInStep()
        #expect(try await names(laptop) == ["Anna", "Ben", "Carl", "Dora"])
    }

    @Test func `a home that was restored gets back what it has lost`() async throws {
        try await laptop.join(desk)
        try await desk.run("contacts new Anna")
        try await laptop.sync(desk)
        let backup = desk.test.home + "/b.db"
        try await desk.run("backup \(backup)")
        try await desk.run("contacts set anna phone=601234567")
        try await desk.run("contacts new Ben")
        try await laptop.sync(desk)
        try await desk.run("restore \(backup) --yes")
        try await desk.run("contacts new Carl")
        let report = try await laptop.sync(desk)
        #expect(report.notes.contains { $0.contains("was restored") })
        try await expectInStep()
        #expect(try await names(desk) == ["Anna", "Ben", "Carl"])
        #expect(
            try await desk.values("SELECT card FROM contacts_contact", of: "contacts").contains { $0.contains("601") })
    }

    @Test func `machines in a circle are refused`() async throws {
        let phone = try Machine("phone")
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await phone.join(laptop)
        try await phone.sync(laptop)
        try await laptop.run("contacts new Anna")
        try await laptop.sync(desk)
        try await phone.sync(laptop)
        #expect(try await phone.content() == desk.content(), "a chain is two pairs")
        try await desk.join(phone)
        await #expect(throws: HubError.self) { try await desk.sync(phone) }
    }

    @Test func `sound may stay on the other machine, and is no missing file`() async throws {
        try await desk.with { database in
            let stored = try await #require(database.blobs).store(Array("sound".utf8))
            try await database.store(for: "dictofun").write(Operation("test")) { transaction in
                _ = try transaction.run(
                    """
                    INSERT INTO dictofun_record VALUES ('1r', ?, 5, 'wav', 'memo', '', '', '2026-01-01 09:00:00', 0, 1000, NULL,
                        1, 1, 1, NULL)
                    """, stored.id.text)
            }
            withExtendedLifetime(stored) {}
        }
        try await laptop.join(desk)
        let report = try await laptop.sync(desk, fetches: .recent)
        #expect(report.received["records"] == 1 && report.held == 0, "the record is too old for its sound to come")
        #expect(try await laptop.content() == desk.content())
        let list = await laptop.test.run("dictofun list")
        #expect(list.all.contains("1 of these sounds is on desk"))
        let doctor = await laptop.test.run("doctor")
        #expect(doctor.all.contains("1 on another machine") && !doctor.all.contains("missing, such as"))
        let export = await laptop.test.run("dictofun export 1r --as original -o /dev/null")
        #expect(export.exit != 0 && export.all.contains("on desk, which cannot be reached"), "\(export.all)")
        // The record can be changed without its sound, and the other machine keeps it.
        try await laptop.run("dictofun tag 1r idea")
        try await laptop.sync(desk, fetches: .ask)
        #expect(try await desk.values("SELECT name FROM dictofun_tag", of: "dictofun") == ["idea"])
        #expect(try await laptop.sync(desk, fetches: .all).isQuiet == false)
        #expect(!(await laptop.test.run("dictofun list")).all.contains("on desk"))
        #expect(try await laptop.values("SELECT count(*) || '' FROM core_machine_file", of: "core") == ["0"])
        try await expectInStep()
    }

    @Test func `an item is explained: what both had, what each has changed, and what happens next`() async throws {
        try await desk.run("contacts new Anna email=anna@example.org")
        try await desk.run("mintee new Read")
        try await laptop.join(desk)
        try await laptop.sync(desk)
        let (contact, task) = (
            try await laptop.values("SELECT id FROM contacts_contact", of: "contacts")[0],
            try await laptop.values("SELECT id FROM mintee_task", of: "mintee")[0]
        )
        func explain(_ reference: String, isReached: Bool = true) async throws -> ItemExplanation {
            let link = CallLink(home: desk, device: "laptop", losses: Losses())
            let hub = laptop.test.hub()
            let found = try await MachinePairs(hub).explain(reference) { _ in isReached ? link : nil }
            await hub.openedDatabase?.close()
            return try #require(found.first)
        }
        var found = try await explain("contacts:\(contact.prefix(6))")
        #expect(found.next == "nothing" && found.why == "both are the same" && found.place == "desk")
        try await desk.run("mintee edit Read --name Reading")
        found = try await explain("mintee:\(task)")
        #expect(found.here == "as it was" && found.there.contains("name") && found.next == "is taken from there")
        try await laptop.run("mintee edit Read --notes evening")
        found = try await explain("mintee:\(task)")
        #expect(found.here.contains("notes") && found.next == "both are merged")
        #expect(found.why == "they have changed different values")
        try await laptop.run("mintee edit Read --name Books")
        found = try await explain("mintee:\(task)")
        #expect(found.why.contains("\"Books\", now \"Reading\""))
        found = try await explain("mintee:\(task)", isReached: false)
        #expect(found.there == "not known" && found.why.contains("was not asked") && found.next == "is sent")
        let none = await laptop.test.run("sync --explain contacts:zzz")
        #expect(none.exit != 0 && none.all.contains("exchanged with no other machine"))
        try await laptop.run("notes new Plan -m text")
        let note = try await laptop.values("SELECT id FROM notes_note", of: "notes")[0]
        found = try await explain("notes:\(note)")
        #expect(found.next == "is sent" && found.base == "never exchanged")
    }
}
