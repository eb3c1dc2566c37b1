import FoundationEssentials
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Storage
import Testing

@testable import HubRuntime

/// Notes on two and three machines of one person.
@MainActor
@Suite(.serialized)
struct MachineNotesTests {
    private let desk: Machine
    private let laptop: Machine

    init() throws {
        desk = try Machine("desk")
        laptop = try Machine("laptop")
    }

    private func expectInStep(_ others: Machine...) async throws {
        let notes = try await desk.notes()
        for machine in [laptop] + others { #expect(try await machine.notes() == notes, "\(machine.name)") }
        #expect(try await laptop.sync(desk).isQuiet)
    }

    private func id(_ title: String, on machine: Machine? = nil) async throws -> String {
        try #require(
            try await (machine ?? desk).values("SELECT note FROM notes_text WHERE title = '\(title)'", of: "notes")
                .first)
    }

    private func content(_ machine: Machine) async throws -> [String] {
        try await machine.values("SELECT content FROM notes_text ORDER BY title", of: "notes")
    }

    @Test(arguments: 2...3)
    func `a connection that is lost between two notes leaves out no earlier change of the second`(frames: Int)
        async throws
    {
        try await desk.run("notes new Plan -m apples")
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await desk.run("notes append Plan ', pears'")
        try await desk.run("notes new Trip -m 'to Gdynia'")
        try await desk.run("notes new List -m milk")
        try await desk.run("notes tag Plan shop")
        try await desk.run("notes tag Trip sea")
        _ = try? await laptop.sync(desk, losing: Losses(frames: frames))
        try await laptop.sync(desk)
        try await expectInStep()
    }

    @Test(arguments: [65, 66])
    func `a connection that is lost between notes that change again after the page leaves out none`(frames: Int)
        async throws
    {
        try await laptop.join(desk)
        try await laptop.sync(desk)
        let folder = desk.test.home + "/notes"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for number in 101...170 {
            try "text \(number)\n".write(toFile: "\(folder)/N\(number).md", atomically: true, encoding: .utf8)
        }
        try await desk.run("notes import \(folder)")
        for title in ["N101", "N102", "N103"] { try await desk.run("notes tag \(title) again") }
        _ = try? await laptop.sync(desk, losing: Losses(frames: frames))
        try await laptop.sync(desk)
        try await expectInStep()
    }

    @Test func `notes go both ways with tags, folders, pins and times, and later edits of both are joined`()
        async throws
    {
        try await desk.run("notes new Plan -m 'apples and pears' --tag home")
        try await laptop.run("notes new Trip -m 'to Gdynia' --folder travel")
        try await laptop.run("notes pin Trip")
        laptop.test.clock.advance(by: .seconds(3 * 365 * 86_400))
        try await laptop.run("notes new Empty")
        try await laptop.join(desk)
        let report = try await laptop.sync(desk)
        #expect(report.received["notes"] == 1 && report.sent["notes"] == 2)
        #expect(report.notes == [])
        try await expectInStep()
        try await desk.run("notes append Plan ', plums'")
        try await laptop.run("notes replace Plan apples 'Buy apples'")
        try await laptop.run("notes tag Plan shop")
        try await desk.run("notes unpin Trip")
        try await laptop.sync(desk)
        try await expectInStep()
        let text = try await content(desk).joined()
        #expect(text.contains("Buy apples and pears") && text.contains("plums"))
        #expect(try await desk.values("SELECT tag FROM notes_tag ORDER BY tag", of: "notes") == ["home", "shop"])
        #expect(try await laptop.values("SELECT sum(pinned) || '' FROM notes_note", of: "notes") == ["0"])
        #expect((await laptop.test.run("notes search plums")).output.contains("Plan"))
    }

    @Test func `the trash travels, a change of the text beats it, and what is emptied is gone on all machines`()
        async throws
    {
        let tablet = try Machine("tablet")
        for name in ["A", "B", "C", "D"] { try await desk.run("notes new \(name) -m 'text of \(name)'") }
        for spoke in [laptop, tablet] {
            try await spoke.join(desk)
            try await spoke.sync(desk)
        }
        try await laptop.run("notes rm --yes A B")
        try await desk.run("notes append A ' more'")
        try await desk.run("notes rm --yes C")
        try await laptop.run("notes append C ' more'")
        for _ in 0..<2 { for spoke in [laptop, tablet] { try await spoke.sync(desk) } }
        try await expectInStep(tablet)
        #expect(
            try await desk.values(
                "SELECT t.title FROM notes_text t JOIN notes_note n ON n.id = t.note WHERE n.deleted_at IS NULL ORDER BY 1",
                of: "notes") == ["A", "C", "D"])
        // Emptied on one, edited on another: it comes back; unchanged there: it is gone.
        try await desk.run("notes rm --yes D")
        for spoke in [laptop, tablet] { try await spoke.sync(desk) }
        try await laptop.run("trash empty --yes")
        try await laptop.sync(desk)
        try await tablet.sync(desk)
        try await expectInStep(tablet)
        #expect(try await tablet.values("SELECT title FROM notes_text ORDER BY 1", of: "notes") == ["A", "C"])
        try await desk.run("notes rm --yes A")
        try await desk.run("trash empty --yes")
        try await tablet.run("notes append A ' again'")
        for _ in 0..<2 { for spoke in [tablet, laptop] { try await spoke.sync(desk) } }
        try await expectInStep(tablet)
        #expect(try await content(laptop).contains { $0.contains("again") })
    }

    @Test func `undo stays here, and what it does travels`() async throws {
        try await desk.run("notes new Plan -m one")
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await laptop.run("notes append Plan ' two'")
        try await laptop.sync(desk)
        try await desk.run("notes append Plan ' three'")
        try await laptop.sync(desk)
        try await laptop.run("undo")
        try await laptop.sync(desk)
        try await expectInStep()
        let text = try await content(desk)[0]
        #expect(text.contains("one") && !text.contains("two") && text.contains("three"))
    }

    @Test func `a store that was copied or set back, and a restored home, lose no letter`() async throws {
        try await desk.run("notes new Plan -m start")
        try await laptop.join(desk)
        try await laptop.sync(desk)
        let saved = laptop.test.home + "/saved"
        try laptop.save(to: saved)
        try await laptop.run("notes append Plan ' lost'")
        try await laptop.sync(desk)
        try laptop.setBack(to: saved)
        // The same agent would now give its numbers to other letters.
        try await laptop.run("notes append Plan ' other'")
        _ = try? await laptop.sync(desk)
        try await laptop.sync(desk)
        try await expectInStep()
        var text = try await content(desk)[0]
        #expect(text.contains("lost") && text.contains("other"))
        let backup = desk.test.home + "/b.db"
        try await desk.run("backup \(backup)")
        try await laptop.run("notes append Plan ' newer'")
        try await laptop.run("notes tag Plan later")
        try await laptop.sync(desk)
        try await desk.run("restore \(backup) --yes")
        try await desk.run("notes new More -m after")
        try await laptop.sync(desk)
        try await laptop.sync(desk)
        try await expectInStep()
        text = try await content(desk).joined()
        #expect(text.contains("newer") && text.contains("after"))
        #expect(try await desk.values("SELECT tag FROM notes_tag", of: "notes") == ["later"])
    }

    @Test func `attachments come with their contents`() async throws {
        try await desk.run("notes new Plan -m start")
        let path = desk.test.home + "/picture.png"
        try Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) }).write(to: URL(filePath: path))
        try await desk.run("notes attach Plan \(path)")
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(try await laptop.values("SELECT count(*) || '' FROM notes_attachment", of: "notes") == ["1"])
        #expect((await laptop.test.run("doctor")).all.contains("missing") == false)
        try await laptop.run("notes new Second -m x")
        try Data([1, 2, 3]).write(to: URL(filePath: laptop.test.home + "/small.txt"))
        try await laptop.run("notes attach Second \(laptop.test.home)/small.txt")
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(try await desk.values("SELECT count(*) || '' FROM notes_attachment", of: "notes") == ["2"])
    }

    @Test func `a connection that is lost at any frame loses and doubles nothing`() async throws {
        for number in 0..<6 { try await desk.run("notes new D\(number) -m 'desk \(number)'") }
        for number in 0..<6 { try await laptop.run("notes new L\(number) -m 'laptop \(number)'") }
        try await laptop.join(desk)
        for frames in stride(from: 1, to: 24, by: 3) {
            _ = try? await laptop.sync(desk, losing: Losses(frames: frames))
            try await laptop.run("notes append L0 ' \(frames)'")
        }
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(try await desk.values("SELECT count(*) || '' FROM notes_note", of: "notes") == ["12"])
    }

    /// Imports a folder of notes on a machine: what a person does who has moved to hub on two machines before joining them.
    private func importVault(on machine: Machine) async throws {
        let vault = machine.test.home + "/vault"
        try FileManager.default.createDirectory(atPath: vault + "/Trips", withIntermediateDirectories: true)
        let files = [
            "Plan.md": "apples\n", "Trips/Rome.md": "---\ntags: [travel]\n---\npack ![m](map.png)\n",
            "Diary.md": "written on \(machine.name)\n", "Trips/map.png": "png",
        ]
        for (name, text) in files {
            try text.write(toFile: "\(vault)/\(name)", atomically: true, encoding: .utf8)
        }
        try await machine.run("notes import \(vault)")
    }

    /// The notes of a machine without their ids.
    private func texts(_ machine: Machine) async throws -> [String] {
        try await machine.values(
            """
            SELECT t.title || ': ' || t.content || ' | ' || n.folder || ' | '
                || ifnull((SELECT group_concat(tag) FROM (SELECT tag FROM notes_tag WHERE note = n.id ORDER BY folded)), '') || ' | '
                || (SELECT count(*) FROM notes_attachment WHERE note = n.id) || ' | ' || n.created_at || ' ' || t.changed_at
            FROM notes_note n JOIN notes_text t ON t.note = n.id ORDER BY 1
            """, of: "notes")
    }

    @Test func `notes that both had imported before become one each, and others stay two`() async throws {
        try await importVault(on: desk)
        laptop.test.clock.advance(by: .seconds(3600))
        try await importVault(on: laptop)
        try await laptop.run("notes tag Plan shop")
        try await laptop.join(desk)
        let report = try await laptop.sync(desk)
        #expect(report.notes == ["2 notes were the same on both machines, and are one each now"])
        #expect(try await texts(laptop) == texts(desk))
        #expect(
            try await desk.values("SELECT title FROM notes_text ORDER BY 1", of: "notes")
                == ["Diary", "Diary", "Plan", "Rome"])
        #expect(try await desk.values("SELECT tag FROM notes_tag ORDER BY 1", of: "notes") == ["shop", "travel"])
        #expect(try await laptop.sync(desk).isQuiet)
        // They are one from now on, whichever machine changes, removes or imports them.
        try await desk.run("notes append Plan pears")
        try await laptop.run("notes append Plan plums")
        try await laptop.run("notes rm --yes Rome")
        try await laptop.sync(desk)
        #expect(try await texts(laptop) == texts(desk))
        let text = try await content(desk).joined()
        #expect(["apples", "pears", "plums"].allSatisfy { text.ranges(of: $0).count == 1 }, "\(text)")
        #expect(
            try await desk.values("SELECT count(*) || '' FROM notes_note WHERE deleted_at IS NOT NULL", of: "notes")
                == ["1"])
        try await laptop.run("notes import \(laptop.test.home)/vault/Diary.md")
        try await laptop.sync(desk)
        #expect(try await texts(laptop) == texts(desk))
        // The text that was typed here is in the history, and an undo of the exchange brings it back in the place of the other one.
        let operation = try await laptop.values(
            "SELECT id FROM core_operation WHERE name = 'sync desk' ORDER BY seq LIMIT 1", of: "core")
        #expect(await laptop.test.run("undo \(operation[0])").exit == 0)
        for _ in 0..<2 { try await laptop.sync(desk) }
        let (here, there) = (try await texts(laptop), try await texts(desk))
        #expect(here == there)
        let undone = try await content(laptop).joined(separator: "|")
        #expect(undone.ranges(of: "apples").count == 1, "\(undone)")
    }

    @Test func `notes that both had imported are found after a lost connection too`() async throws {
        for machine in [desk, laptop] {
            for number in 0..<9 { try await machine.run("notes new N\(number) -m 'text \(number)'") }
        }
        try await laptop.join(desk)
        for frames in [1, 3, 4, 7, 12] { _ = try? await laptop.sync(desk, losing: Losses(frames: frames)) }
        try await laptop.sync(desk)
        #expect(try await texts(laptop) == texts(desk))
        #expect(try await desk.values("SELECT count(*) || '' FROM notes_note", of: "notes") == ["9"])
        #expect(try await laptop.sync(desk).isQuiet)
        let tablet = try Machine("tablet")
        for number in 0..<9 { try await tablet.run("notes new N\(number) -m 'text \(number)'") }
        try await tablet.join(desk)
        try await tablet.sync(desk)
        try await laptop.sync(desk)
        for machine in [laptop, tablet] { #expect(try await texts(machine) == texts(desk)) }
        #expect(try await laptop.values("SELECT count(*) || '' FROM notes_note", of: "notes") == ["9"])
    }
}
