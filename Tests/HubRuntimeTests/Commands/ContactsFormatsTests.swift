import Contacts
import FoundationEssentials
import HubKitTesting
import HubRuntimeTesting
import TestSupport
import Testing

@testable import HubRuntime

/// Imports and exports of other programs' address books, mails and pictures.
struct ContactsFormatsTests {
    private static let table = """
        First Name,Last Name,Birthday,Labels,E-mail 1 - Label,E-mail 1 - Value,Relation 1 - Label,Relation 1 - Value,Custom Field 1 - Label,Custom Field 1 - Value
        Ada,Lovelace,1815-12-10,maths,* Home,ada@example.org,Spouse,William King,Horse,Tam o'Shanter
        Jan,"Kowal,,,,jan@example.org,,,,
        Leap,Day, --02-29,,,leap@example.org,,,,

        """

    private static let mail = """
        From: =?utf-8?Q?=C5=81ukasz?= Nowak <lukasz@nowak.example>
        To: Friends: ada@example.org, "Kowal, Jan" <jan@example.org>;

        Hello
        """

    private func fixture() throws -> TestHub {
        let hub = try TestHub(ContactsPlugin.self)
        try Data(Self.table.utf8).write(to: URL(filePath: "\(hub.folder.path)/people.csv"))
        try Data((Array("GIF89a".utf8) + [1, 2, 3])).write(to: URL(filePath: "\(hub.folder.path)/ada.gif"))
        return hub
    }

    @Test func `Google's table comes in, and goes out in every format`() async throws {
        let hub = try fixture()
        let home = hub.folder.path
        Golden.expect(
            await hub.transcript(
                "contacts import \(home)/people.csv", "contacts import \(home)/people.csv", "contacts show ada",
                "contacts export --as csv", "contacts export leap --as jcard", "contacts birthdays --as ics",
                "contacts export --as vdir", "contacts export --as vdir -o \(home)/people",
                "contacts export --as vdir -o \(home)/people", "contacts import \(home)/people",
                "contacts import \(home)/people.csv --as ldif", "contacts export --as xml"
            ).replacing(/[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f-]{17}/, with: "UUID"),
            is: "contacts-formats.txt")
    }

    @Test func `people of a mail, pictures and codes`() async throws {
        let hub = try fixture()
        let home = hub.folder.path
        _ = await hub.run("contacts import \(home)/people.csv")
        func mail(_ line: String) async -> String {
            await hub.transcript(line, console: ScriptedConsole(input: Array(Self.mail.utf8)))
        }
        let shown =
            await mail("contacts new --from-mail - --header from,to --dry-run")
            + mail("contacts new --from-mail - --header from,to") + mail("contacts new --from-mail - --header from,to")
            + mail("contacts new --from-mail - --header subject") + mail("contacts new --from-mail - --header cc")
            + hub.transcript(
                "contacts query example", "contacts photo ada", "contacts photo ada --set \(home)/people.csv",
                "contacts photo ada --set \(home)/ada.gif", "contacts photo ada", "contacts photo ada --remove",
                "contacts photo ada -o \(home)/out.gif", "contacts qr ada -o \(home)/ada.pdf", "contacts qr nobody")
        Golden.expect(shown, is: "contacts-mail.txt")
    }

    @Test func `the mail of a known person with a new address`() async throws {
        let hub = try fixture()
        _ = await hub.run("contacts new Jan Kowalski email=jan@a.example")
        _ = await hub.run("config set plugins.contacts.own_addresses me@example.org")
        let text = "From: Jan Kowalski <jan@b.example>\nCc: me@example.org\n\n"
        func mail(_ line: String, _ answers: [String]? = nil) async -> String {
            await hub.transcript(line, console: ScriptedConsole(answers: answers, input: Array(text.utf8)))
        }
        let shown =
            await mail("contacts new --from-mail - --header from,cc") + mail("contacts new --from-mail -", ["s"])
            + mail("contacts new --from-mail - --dry-run --yes") + mail("contacts new --from-mail -", ["a"])
            + mail("contacts new --from-mail -") + hub.transcript("undo") + mail("contacts new --from-mail -", ["n"])
            + hub.transcript("undo") + mail("contacts new --from-mail - --add-to jan --header from,cc")
            + hub.transcript("undo") + mail("contacts new --from-mail - --yes")
            + hub.transcript(
                "contacts email jan", "contacts new Ada --add-to jan", "contacts copy",
                "contacts mv jan here")
        Golden.expect(shown, is: "contacts-mail-known.txt")
    }

    @Test func `a QR code is drawn, and written as the name of the file says`() async throws {
        let hub = try fixture()
        let home = hub.folder.path
        _ = await hub.run("contacts import \(home)/people.csv")
        let drawn = await hub.run("contacts qr ada")
        #expect(drawn.exit == 0)
        #expect(drawn.output.split(separator: "\n").allSatisfy { $0.allSatisfy { "█▀▄ ".contains($0) } })
        #expect(await hub.run("contacts qr ada -o \(home)/ada.svg").exit == 0)
        #expect(await hub.run("contacts qr ada -o \(home)/ada.png").exit == 0)
        #expect(try Data(contentsOf: URL(filePath: "\(home)/ada.svg")).starts(with: Array("<?xml".utf8)))
        #expect(try Data(contentsOf: URL(filePath: "\(home)/ada.png")).starts(with: [0x89, 0x50, 0x4E, 0x47]))
        _ = await hub.run("contacts photo ada --set \(home)/ada.gif")
        #expect(await hub.run("contacts photo ada -o \(home)/again.gif").exit == 0)
        #expect(
            try Data(contentsOf: URL(filePath: "\(home)/again.gif"))
                == Data(contentsOf: URL(filePath: "\(home)/ada.gif")))
    }
}
