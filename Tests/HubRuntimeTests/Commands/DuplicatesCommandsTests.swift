import Contacts
import Glibc
import HubKitTesting
import HubRuntimeTesting
import TestSupport
import Testing
import Text

@testable import HubRuntime

/// The output of `hub contacts duplicates` and `merge`.
struct DuplicatesCommandsTests {
    private static let cards = """
        BEGIN:VCARD
        VERSION:3.0
        UID:1
        REV:20260101T000000Z
        FN:Ada Lovelace
        TEL;TYPE=CELL:+44 20 1234 5678
        EMAIL:ada@example.org
        END:VCARD
        BEGIN:VCARD
        VERSION:3.0
        UID:2
        REV:20260201T000000Z
        FN:Ada Lovelace
        N:Lovelace;Ada;;;
        EMAIL;TYPE=HOME:ADA@example.org
        CATEGORIES:math
        END:VCARD
        BEGIN:VCARD
        VERSION:3.0
        UID:3
        FN:Jon Smith
        ORG:Acme
        END:VCARD
        BEGIN:VCARD
        VERSION:3.0
        UID:4
        FN:John Smith
        ORG:ACME
        END:VCARD
        BEGIN:VCARD
        VERSION:3.0
        UID:5
        FN:Bob Ross
        END:VCARD
        BEGIN:VCARD
        VERSION:3.0
        UID:6
        FN:Robert Ross
        END:VCARD

        """

    /// A hub with these contacts. Their ids, which are random, are all shown with three characters: one more would make a
    /// column wider.
    private func hub() async throws -> TestHub {
        while true {
            let hub = try await imported()
            let ids = await hub.run("contacts list --plain=id").output.split(separator: "\n")
            if Set(ids.map { $0.prefix(3) }).count == ids.count { return hub }
        }
    }

    private func imported() async throws -> TestHub {
        let hub = try TestHub(ContactsPlugin.self)
        let path = hub.folder.path + "/people.vcf"
        let bytes = Array(Self.cards.utf8)
        let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
        #expect(descriptor >= 0 && write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
        _ = await hub.run("contacts import \(path)")
        return hub
    }

    @Test func `duplicates are listed with how sure it is and why, and merged on request`() async throws {
        let hub = try await hub()
        Golden.expect(
            await hub.transcript(
                "contacts duplicates", "contacts duplicates --all --plain=tier,evidence", "contacts duplicates jon",
                "contacts merge jon john --dry-run", "contacts merge jon john --take name",
                "contacts duplicates --plain=tier", "contacts restore john", "undo", "undo",
                "contacts merge jon jon", "contacts list --plain=name"),
            is: "duplicates.txt")
    }

    @Test func `what is safe is merged in one step, and what comes again is known`() async throws {
        let hub = try await hub()
        Golden.expect(
            await hub.transcript(
                "contacts duplicates --auto-safe --dry-run", "contacts duplicates --auto-safe",
                "contacts import \(hub.folder.path)/people.vcf", "contacts duplicates --auto-safe", "undo",
                "contacts list --plain=name"),
            is: "duplicates-safe.txt")
    }

    @Test func `on a terminal one goes through them, and one undo takes the walk back`() async throws {
        let hub = try await hub()
        let list = await hub.transcript("contacts duplicates", console: ScriptedConsole(answers: ["l"]))
        let person = ScriptedConsole(answers: ["g", "m", "n"])
        let walk = await hub.transcript("contacts duplicates", console: person)
        let rest = ScriptedConsole(answers: ["g", "s"])
        let last = await hub.transcript("contacts duplicates --all", console: rest)
        #expect(person.transcript.filter { $0.hasPrefix("  name:") }.isEmpty)
        for question in person.transcript where question.contains("?") { #expect(DisplayWidth.of(question) <= 80) }
        Golden.expect(
            list + walk + last
                + (await hub.transcript("contacts duplicates --plain=tier", "undo", "contacts list --plain=name")),
            is: "duplicates-review.txt")
        let chooser = ScriptedConsole(answers: ["g", "s", "m", "2"])
        _ = await hub.run("contacts duplicates", console: chooser)
        #expect(chooser.transcript.contains("Which one to keep? [1/2] 2"))
        #expect(await hub.run("contacts list smith --plain=name").output.split(separator: "\n").count == 1)
    }

    @Test func `a large group is some names and a count, so that it widens no other line`() async throws {
        let hub = try TestHub(ContactsPlugin.self)
        let cards = (0..<40).map { number in
            "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\(number)\r\nFN:Jan Kowalski\r\nNOTE:\(number)\r\nEND:VCARD\r\n"
        }
        let path = try hub.folder.write(cards.joined(), to: "people.vcf")
        _ = await hub.run("contacts import \(path)")
        let run = await hub.run("contacts duplicates --all", width: 10_000)
        #expect(run.output.contains(" and 32 more"))
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count < 300 })
    }

    @Test func `contacts can be marked as different people without a terminal`() async throws {
        let hub = try await hub()
        Golden.expect(
            await hub.transcript(
                "contacts duplicates --apart jon", "contacts duplicates --apart jon john",
                "contacts duplicates --plain=tier", "contacts duplicates --apart john jon", "undo",
                "contacts duplicates --plain=tier"),
            is: "duplicates-apart.txt")
    }
}
