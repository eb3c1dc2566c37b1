import FoundationEssentials
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Storage
import TestSupport
import Testing

@testable import HubRuntime

/// Machines as they are: made of copies, with clocks that are years off, with large and strange things.
@MainActor
@Suite(.serialized)
struct MachineEdgeTests {
    private let desk: Machine
    private let laptop: Machine

    init() throws {
        desk = try Machine("desk")
        laptop = try Machine("laptop")
    }

    private func expectInStep(_ spoke: Machine) async throws {
        let (content, notes) = (try await desk.content(), try await desk.notes())
        #expect(try await Set(spoke.content()).symmetricDifference(content) == [])
        #expect(try await spoke.notes() == notes)
        #expect(try await spoke.sync(desk).isQuiet)
        #expect(try await spoke.held().filter(\.isOpen) == [])
    }

    @Test func `a machine that was made from a backup of the home joins it beside others`() async throws {
        try await laptop.join(desk)
        try await desk.run("contacts new Anna")
        try await desk.run("notes new Plan -m apples")
        try await laptop.sync(desk)
        let backup = desk.test.home + "/b.db"
        try await desk.run("backup \(backup)")
        let tablet = try Machine("tablet")
        try await tablet.run("restore \(backup) --yes")
        try await tablet.run("contacts new Ben")
        try await tablet.run("notes append Plan pears")
        try await desk.run("notes append Plan plums")
        try await tablet.join(desk)
        try await tablet.sync(desk)
        try await laptop.sync(desk)
        for spoke in [tablet, laptop] { try await expectInStep(spoke) }
        let text = try await desk.values("SELECT content FROM notes_text", of: "notes")
        #expect(text.count == 1 && text[0].contains("pears") && text[0].contains("plums"), "\(text)")
        #expect(try await desk.values("SELECT count(*) || '' FROM contacts_contact", of: "contacts") == ["2"])
    }

    @Test func `what a machine whose clock is years behind has removed stays in the trash for its days`() async throws {
        desk.test.clock.advance(by: .seconds(3 * 365 * 86_400))
        for name in ["Anna", "Ben"] { try await desk.run("contacts new \(name)") }
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await laptop.run("contacts rm --yes anna")
        try await laptop.sync(desk)
        let operation = Operation("trash empty", who: .service("maintenance"), kind: .cache)
        func emptied(after days: Int, on machine: Machine) async throws -> Int {
            machine.test.clock.advance(by: .seconds(days * 86_400))
            let hub = machine.test.hub()
            let count = try await hub.emptyTrash(before: hub.clock.now - .seconds(30 * 86_400), operation)
            await hub.openedDatabase?.close()
            return count
        }
        #expect(try await emptied(after: 0, on: desk) == 0)
        #expect(try await emptied(after: 29, on: desk) == 0)
        #expect(try await emptied(after: 2, on: desk) == 1)
        // Nor does one that is years ahead delete what was removed today.
        laptop.test.clock.advance(by: .seconds(20 * 365 * 86_400))
        try await desk.run("contacts rm --yes ben")
        try await laptop.sync(desk)
        #expect(try await emptied(after: 1, on: laptop) == 0)
        try await expectInStep(laptop)
        // Who asks for it gets it.
        try await desk.run("trash empty --yes")
        #expect(try await desk.values("SELECT id FROM contacts_contact", of: "contacts") == [])
    }

    @Test func `two texts of 100,000 characters that both have edited are one with all of it`() async throws {
        let lines = (0..<2_000).map { "Line \($0) of a long text, with an é and a 😀, to its end." }
        let path = desk.test.home + "/long.md"
        try (["# Long"] + lines).joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        try await desk.run("notes import \(path)")
        try await laptop.join(desk)
        try await laptop.sync(desk)
        let id = try await desk.values("SELECT id FROM notes_note", of: "notes")[0]
        for (machine, place) in [(desk, 500), (laptop, 1_500)] {
            try await machine.run("notes replace \(id) '\(lines[place])' 'Changed on \(machine.name).'")
            try await machine.run("notes replace \(id) '\(lines[place + 7])' ''")
            try await machine.run("notes append \(id) 'New on \(machine.name) e\u{301} 👩‍👩‍👧.'")
        }
        try await laptop.sync(desk)
        try await expectInStep(laptop)
        let text = try await desk.values("SELECT content FROM notes_text", of: "notes")[0]
        for machine in [desk, laptop] {
            #expect(text.contains("Changed on \(machine.name)."))
            #expect(text.utf8.ranges(of: Array("New on \(machine.name) e\u{301} 👩‍👩‍👧.".utf8)).count == 1)
        }
        let found = Set(text.split(separator: "\n").map(String.init))
        #expect(lines.count { !found.contains($0) } == 4)
    }

    @Test func `a contact with 300 fields that both change keeps them all`() async throws {
        let fields = (0..<300).map { "EMAIL;TYPE=home:a\($0)@example.org" }
        let path = desk.test.home + "/many.vcf"
        let card = ["BEGIN:VCARD", "VERSION:3.0", "UID:many", "FN:Many"] + fields + ["END:VCARD", ""]
        try card.joined(separator: "\r\n").write(toFile: path, atomically: true, encoding: .utf8)
        try await desk.run("contacts import \(path)")
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await desk.run("contacts set Many email-=a7@example.org email+=desk@example.org")
        try await laptop.run("contacts set Many email-=a200@example.org email+=laptop@example.org")
        try await laptop.sync(desk)
        try await expectInStep(laptop)
        let merged = try await desk.values("SELECT CAST(card AS TEXT) FROM contacts_contact", of: "contacts")[0]
        let left = fields.count { merged.contains($0.split(separator: ":")[1] + "\r\n") }
        #expect(left == 298 && merged.contains("desk@example.org") && merged.contains("laptop@example.org"))
        #expect(try await laptop.held() == [])
    }

    @Test func `names that are written in two ways, and tags in two cases, stay what they are`() async throws {
        let (composed, parts) = ("Caf\u{E9}", "Cafe\u{301}")
        try await desk.run("mintee new '\(composed) 😀'")
        try await laptop.run("mintee new '\(parts) 😀'")
        try await desk.run("mintee set '\(composed) 😀' 3")
        try await laptop.run("mintee set '\(parts) 😀' 4")
        try await desk.run("mintee tag '\(composed) 😀' '\(composed)'")
        try await laptop.run("mintee tag '\(parts) 😀' '\(parts.uppercased())'")
        for (machine, word) in [(desk, composed), (laptop, parts)] {
            try await machine.run("notes new '\(word)' -m \(machine.name)")
            try await machine.run("notes tag '\(word)' '\(word)'")
            try await machine.run("contacts new '\(word) 👩‍👩‍👧'")
        }
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await laptop.sync(desk)
        try await expectInStep(laptop)
        let values = try await desk.values(
            "SELECT completion || '' FROM mintee_instance ORDER BY completion", of: "mintee")
        #expect(values == ["3.0", "4.0"])
        #expect(
            try await desk.values("SELECT content FROM notes_text ORDER BY content", of: "notes") == ["desk", "laptop"])
        for machine in [desk, laptop] {
            let doctor = await machine.test.run("doctor")
            #expect(doctor.exit == 0, "\(doctor.all)")
        }
    }
}
