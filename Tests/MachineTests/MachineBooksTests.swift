import FoundationEssentials
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Storage
import Testing

@testable import HubRuntime

/// Address books of no account on two machines that are kept in step.
@MainActor
@Suite(.serialized)
struct MachineBooksTests {
    private let desk: Machine
    private let laptop: Machine

    init() throws {
        desk = try Machine("desk")
        laptop = try Machine("laptop")
    }

    /// The contacts of a machine with the names of their books, sorted.
    private func places(_ machine: Machine) async throws -> [String] {
        try await machine.values(
            """
            SELECT e.title || ': ' || coalesce(b.name, '-') FROM contacts_contact c JOIN contacts_entry e ON e.id = c.id
            LEFT JOIN contacts_local_book b ON b.id = c.book WHERE c.deleted_at IS NULL ORDER BY e.title
            """, of: "contacts")
    }

    private func books(_ machine: Machine) async throws -> [String] {
        try await machine.values("SELECT name FROM contacts_local_book ORDER BY name", of: "contacts")
    }

    private func expectInStep() async throws {
        #expect(try await laptop.content() == desk.content())
        #expect(try await laptop.sync(desk).isQuiet)
        #expect(try await places(laptop) == places(desk))
        #expect(try await books(laptop) == books(desk))
    }

    @Test func `books and who is in them go both ways, and one that both had made is one`() async throws {
        try await desk.run("contacts new Anna")
        try await desk.run("contacts new Ben")
        try await desk.run("contacts books new here/Family")
        try await desk.run("contacts move Anna here/Family")
        try await laptop.run("contacts new Carl")
        try await laptop.run("contacts books new here/Family")
        try await laptop.run("contacts books new here/Chess")
        try await laptop.run("contacts move Carl here/Family")
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(try await books(desk) == ["Chess", "Family"])
        #expect(try await places(desk) == ["Anna: Family", "Ben: -", "Carl: Family"])
        // Moved on either side, each while the other is away.
        try await desk.run("contacts move Anna here/Chess")
        try await laptop.run("contacts move Ben here/Chess")
        try await laptop.run("contacts move Carl here")
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(try await places(desk) == ["Anna: Chess", "Ben: Chess", "Carl: -"])
        // Undo stays here, and what it does travels.
        try await laptop.run("undo")
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(try await places(desk) == ["Anna: Chess", "Ben: Chess", "Carl: Family"])
        let history = await desk.test.run("contacts history Carl")
        #expect(history.output.contains("laptop"), "\(history.all)")
    }

    @Test func `of two moves the home's counts, and the other is told`() async throws {
        try await desk.run("contacts new Anna")
        for name in ["Family", "Chess"] { try await desk.run("contacts books new here/\(name)") }
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await laptop.run("contacts move Anna here/Family")
        try await desk.run("contacts move Anna here/Chess")
        // What else was changed is merged.
        try await laptop.run("contacts set Anna note=met")
        laptop.test.clock.advance(by: .seconds(9 * 365 * 86_400))
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(try await places(laptop) == ["Anna: Chess"])
        #expect(try await desk.values("SELECT card FROM contacts_contact", of: "contacts")[0].contains("NOTE:met"))
        let held = try await laptop.held()
        #expect(held.count == 1 && !held[0].isOpen)
        #expect(held[0].reason.contains("book \"book:family\", now \"book:chess\""), "\(held[0].reason)")
    }

    @Test func `a book that one side removed stays where the other has renamed it, and else its contacts are in none`()
        async throws
    {
        for name in ["Anna", "Ben"] { try await desk.run("contacts new \(name)") }
        for name in ["Family", "Chess"] { try await desk.run("contacts books new here/\(name)") }
        try await desk.run("contacts move Anna here/Family")
        try await desk.run("contacts move Ben here/Chess")
        try await laptop.join(desk)
        try await laptop.sync(desk)
        try await desk.run("contacts books rm here/Family --yes")
        try await desk.run("contacts books rm here/Chess --yes")
        try await laptop.change("contacts", "UPDATE contacts_local_book SET name = 'Clan' WHERE name = 'Family'")
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(try await books(desk) == ["Clan"])
        #expect(try await places(desk) == ["Anna: Clan", "Ben: -"])
        // A new book of the old name is empty.
        try await laptop.run("contacts books new here/Chess")
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(try await places(desk) == ["Anna: Clan", "Ben: -"])
        // Two books get the same name on different machines.
        try await desk.run("contacts books new here/Work")
        try await laptop.change("contacts", "UPDATE contacts_local_book SET name = 'Work' WHERE name = 'Clan'")
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(try await books(desk) == ["Chess", "Work", "Work (laptop)"])
    }

    @Test func `a book of an account stays with the machine that has it`() async throws {
        try await desk.run("contacts new Anna")
        try await laptop.join(desk)
        try await laptop.sync(desk)
        let folder = desk.test.home + "/people"
        try FileManager.default.createDirectory(atPath: folder + "/Team", withIntermediateDirectories: true)
        try await desk.run("contacts accounts add home \(folder)")
        try await desk.run("contacts books new here/Family")
        try await desk.run("contacts move Anna home/Team")
        try await laptop.sync(desk)
        #expect(try await laptop.content() == desk.content())
        #expect(try await laptop.sync(desk).isQuiet)
        #expect(try await places(laptop) == ["Anna: -"])
        try await laptop.run("contacts set Anna note=met")
        try await laptop.sync(desk)
        #expect(
            try await desk.values(
                "SELECT name FROM contacts_book WHERE id IN (SELECT book FROM contacts_contact)", of: "contacts") == [
                    "Team"
                ])
        // A contact is in one book: to move it on one machine moves it on all.
        try await laptop.run("contacts move Anna here/Family")
        try await laptop.sync(desk)
        try await expectInStep()
        #expect(try await places(desk) == ["Anna: Family"])
        // Another machine cannot put a contact into the book of an account.
        let team = try await desk.values("SELECT id FROM contacts_book", of: "contacts")[0]
        try await laptop.change("contacts", "UPDATE contacts_contact SET book = '\(team)'")
        try await laptop.sync(desk)
        #expect(try await places(desk) == ["Anna: -"])
    }
}
