import ContactsDomain
import HubKit
import HubKitTesting
import Storage
import Sync
import System
import Testing

@testable import Contacts

/// Groups of contacts: cards of their own that name their members.
struct GroupTests {
    private func people(_ hub: ContactsFixture) async throws -> [String] {
        var ids: [String] = []
        for name in ["Ann", "Bob", "Zoe"] {
            var details = ContactDetails()
            details.formattedName = name
            details.emails = [
                LabeledValue("old@\(name).org"), LabeledValue("\(name.lowercased())@x.org", preference: 1),
            ]
            ids.append(try await hub.plugin.create(details, operation: hub.operation()).contact.id)
        }
        return ids
    }

    @Test func `a group is created, filled, renamed and emptied; each is one operation that undo reverts`() async throws
    {
        let hub = try ContactsFixture()
        let ids = try await people(hub)
        let made = try await hub.plugin.createGroup(
            "Choir", of: [ids[0], ids[1], ids[0]], book: nil, operation: hub.operation())
        let group = made.group.group
        #expect(made.group.members.map(\.name) == ["Ann", "Bob"] && group.isGroup)
        let text = try await hub.plugin.entities.get(group.id).card.text
        #expect(text.contains("X-ADDRESSBOOKSERVER-KIND:group\r\n") && text.contains("\r\nN:Choir;;;;\r\n"))
        #expect(text.split(separator: "\r\n").count { $0.hasPrefix("X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:") } == 2)
        let more = try await hub.plugin.addMembers([ids[2], ids[1]], to: group.id, operation: hub.operation())
        #expect(more.changed.map(\.name) == ["Zoe"] && more.group.members.count == 3)
        #expect(try await hub.plugin.groups(of: ids[2]).map(\.name) == ["Choir"])
        _ = try await hub.plugin.renameGroup(group.id, to: "Singers", operation: hub.operation())
        #expect(try await hub.plugin.entities.get(group.id).card.text.contains("\r\nN:Singers;;;;\r\n"))
        let less = try await hub.plugin.removeMembers([ids[1]], from: group.id, operation: hub.operation())
        #expect(less.group.members.map(\.name) == ["Ann", "Zoe"] && less.changed.map(\.name) == ["Bob"])
        #expect(try await hub.plugin.groups(of: ids[1]).isEmpty)
        hub.clock.advance(by: .seconds(1))
        _ = try await hub.database.history.undo(as: hub.operation("undo"))
        #expect(try await hub.plugin.groups().first?.members.map(\.name) == ["Ann", "Bob", "Zoe"])
        #expect(try await hub.plugin.groups(of: ids[1]).map(\.name) == ["Singers"])
        #expect(try await hub.plugin.indexProblems() == [])
    }

    @Test func `members are the recipients, each once, also those of groups in the group`() async throws {
        let hub = try ContactsFixture()
        let ids = try await people(hub)
        let inner = try await hub.plugin.createGroup(
            "Altos", of: [ids[1], ids[2]], book: nil, operation: hub.operation())
        let outer = try await hub.plugin.createGroup(
            "Choir", of: [ids[0], ids[1], inner.group.group.id], book: nil, operation: hub.operation())
        // A group that contains itself ends as well.
        _ = try await hub.plugin.addMembers(
            [outer.group.group.id], to: inner.group.group.id, operation: hub.operation())
        let found = try await hub.plugin.findAddresses("choir", .email)
        #expect(found.map(\.value) == ["ann@x.org", "bob@x.org", "zoe@x.org"])
        #expect(found.map(\.contact.name) == ["Ann", "Bob", "Zoe"])
        #expect(try await hub.plugin.findAddresses("choir", .phone).isEmpty)
        _ = try await hub.importing(
            vcard("list", "FN:List", "KIND:group", "MEMBER:mailto:x@y.org", "MEMBER:urn:uuid:gone", version: "4.0"))
        #expect(try await hub.plugin.findAddresses("list", .email).map(\.value) == ["x@y.org"])
    }

    @Test func `a group of version 4 keeps the standard's form, one of version 3 Apple's`() {
        let standard = Card(vcard("g", "FN:G", "KIND:group", "MEMBER:urn:uuid:a", version: "4.0"))
        #expect(
            standard.addingMembers(["a", "b"], at: nil).text.contains("MEMBER:urn:uuid:a\r\nMEMBER:urn:uuid:b\r\n"))
        let apple = Card(vcard("g", "FN:G", "N:G;;;;")).asGroup().addingMembers(["urn:uuid:a", "http://x/b"], at: nil)
        #expect(
            apple.text.contains(
                "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:a\r\nX-ADDRESSBOOKSERVER-MEMBER:http://x/b\r\n"))
        #expect(apple.converted(to: .v4).text.contains("KIND:group\r\n"))
        let rest = standard.removingMembers(at: nil) { $0 == "a" }
        #expect(rest.text == standard.text.replacing("MEMBER:urn:uuid:a\r\n", with: ""))
    }

    @Test func `only a group takes members, and a book has each name once`() async throws {
        let hub = try ContactsFixture()
        let ids = try await people(hub)
        await #expect(throws: HubError.self) {
            try await hub.plugin.addMembers([ids[0]], to: ids[1], operation: hub.operation())
        }
        _ = try await hub.plugin.createGroup("Choir", of: [], book: nil, operation: hub.operation())
        await #expect(throws: HubError.self) {
            try await hub.plugin.createGroup("CHOIR", of: [], book: nil, operation: hub.operation())
        }
        #expect(try await hub.plugin.groups(named: "choir").count == 1)
    }

    @Test func `a member without a UID gets one, and one in another book is named`() async throws {
        let side = try await SyncFixture()
        let bare = try await side.add(vcard(nil, "FN:Bare", "N:Bare;;;;"))
        let other = try await people(side.hub)[0]
        let made = try await side.hub.plugin.createGroup(
            "Choir", of: [bare, other], book: side.book.id, operation: side.hub.operation())
        #expect(made.elsewhere.map(\.name) == ["Ann"] && made.group.members.map(\.name) == ["Bare", "Ann"])
        try await side.sync()
        #expect(side.there.items.count == 2)
        #expect(try await side.sync().isUpToDate)
    }

    @Test func `a group has no birthday to remind of`() async throws {
        let hub = try ContactsFixture()
        _ = try await hub.importing(vcard("g", "FN:G", "KIND:group", "BDAY:19800101", version: "4.0"))
        _ = try await hub.importing(vcard("p", "FN:P", "BDAY:19800101", version: "4.0"))
        #expect(try await hub.plugin.birthdays(from: hub.clock.today, days: 366).map(\.contact.name) == ["P"])
    }
}
