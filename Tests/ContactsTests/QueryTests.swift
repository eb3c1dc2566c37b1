import ContactsDomain
import HubKit
import HubKitTesting
import Queries
import Storage
import TestSupport
import Testing

@testable import Contacts

/// Queries with fields, phrases, negation and saved searches.
struct QueryTests {
    private static func book() async throws -> ContactsFixture {
        let book = try ContactsFixture(rules: IndexingOptions(locale: "de", region: "DE"))
        try await book.importing(
            card(
                "Ada Lovelace", "N:Lovelace;Ada;;;", "TEL;TYPE=CELL:+48 601 234 567", "EMAIL:ada@example.org",
                "ORG:Acme Analytics;Engines", "CATEGORIES:Chess,work", "BDAY:1985-12-10")
                + card(
                    "Bob Müller", "N:Müller;Bob;;;", "TEL:030 123456", "ORG:Long Street Ltd",
                    "NOTE:ada@example.org knows him",
                    "PHOTO;ENCODING=b;TYPE=PNG:iVBORw0KGgo=")
                + card("Cora Acme", "N:Acme;Cora;;;", "EMAIL:cora@xn.example", "ADR:;;Long Street 7;Gießen;;35390;")
                + card("Fjord AS", "X-ABShowAs:COMPANY", "ORG:Fjord AS", "CATEGORIES:work"))
        let ids = try await book.plugin.filter(ContactFilter()).map(\.id)
        _ = try await book.plugin.createGroup(
            "Choir", of: [ids[0], ids[2]], book: nil, operation: book.operation())
        return book
    }

    private static func card(_ name: String, _ lines: String...) -> String {
        (["BEGIN:VCARD", "VERSION:3.0", "FN:\(name)"] + lines + ["END:VCARD"]).map { $0 + "\r\n" }.joined()
    }

    private static func names(_ query: String, in book: ContactsFixture) async throws -> [String] {
        var filter = ContactFilter()
        filter.query = try await book.plugin.query(query)
        let listed = try await book.plugin.list(filter, limit: nil)
        let rows = try await book.plugin.rows(filter, offset: 0, limit: 100)
        #expect(listed.total == listed.rows.count && rows.total == listed.total)
        #expect(Set(rows.items.map(\.summary.name)) == Set(listed.rows.map(\.name)))
        let found = try await book.plugin.search(filter.query, like: query, limit: 100).rows
        #expect(Set(found.map(\.name)) == Set(listed.rows.map(\.name)) || filter.query.isEmpty)
        #expect(try await book.plugin.countMatches(filter.query) == found.count)
        return listed.rows.map(\.name).sorted()
    }

    @Test func `each condition finds the contacts that meet it`() async throws {
        let book = try await QueryTests.book()
        let all = ["Ada Lovelace", "Bob Müller", "Choir", "Cora Acme", "Fjord AS"]
        let cases: [(query: String, names: [String])] = [
            ("email:example.org", ["Ada Lovelace"]), ("EMAIL:ADA@", ["Ada Lovelace"]), ("email:nobody", []),
            ("org:acme", ["Ada Lovelace"]), ("acme", ["Ada Lovelace", "Cora Acme"]), ("name:acme", ["Cora Acme"]),
            ("acme -org:acme", ["Cora Acme"]), ("org:\"acme analytics\"", ["Ada Lovelace"]),
            ("org:engines", ["Ada Lovelace"]),
            ("phone:601-234", ["Ada Lovelace"]), ("phone:030123", ["Bob Müller"]), ("phone:0049301", []),
            ("tag:chess", ["Ada Lovelace"]), ("tag:CHESS tag:work", ["Ada Lovelace"]),
            ("tag:work -tag:chess", ["Fjord AS"]),
            ("has:phone", ["Ada Lovelace", "Bob Müller"]), ("no:phone is:person", ["Cora Acme"]),
            ("-has:email no:phone", ["Choir", "Fjord AS"]), ("has:photo", ["Bob Müller"]),
            ("no:photo has:org", ["Ada Lovelace", "Fjord AS"]),
            ("has:birthday", ["Ada Lovelace"]), ("birthday:1985", ["Ada Lovelace"]), ("birthday:1986", []),
            ("\"long street\"", ["Bob Müller", "Cora Acme"]), ("-\"long street\" is:person", ["Ada Lovelace"]),
            ("address:giessen", ["Cora Acme"]), ("address:gießen", ["Cora Acme"]), ("name:mueller", ["Bob Müller"]),
            ("note:ada@", ["Bob Müller"]), ("is:group", ["Choir"]), ("is:company", ["Fjord AS"]),
            ("group:choir", ["Ada Lovelace", "Choir"].filter { $0 != "Choir" } + ["Cora Acme"]), ("group:none", []),
            ("has:group", ["Ada Lovelace", "Cora Acme"]), ("book:here", all), ("book:nowhere", []),
            ("-ada has:phone", []),
            ("-lovelace has:phone", ["Bob Müller"]), ("changed:<30d", all), ("changed:>30d", []),
            ("changed:today", all),
            ("changed:<2000-01-01", []), ("created:>2000-01-01 tag:chess", ["Ada Lovelace"]),
            ("changed:..2000-01-01", []),
            ("https://x.org", []), ("+48 601 -234", ["Ada Lovelace"]), ("\"", all), ("-", all),
            ("ada \"lovela", ["Ada Lovelace"]),
        ]
        for (query, names) in cases {
            #expect(try await QueryTests.names(query, in: book) == names, "\(query)")
        }
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test(arguments: [
        ("changed:soon", "\"changed:soon\": invalid time \"soon\""), ("has:fax", "\"has:fax\": unknown field \"fax\""),
        ("ann emial:x", "\"emial:x\": unknown field \"emial\""), ("email:", "\"email:\": email: needs a text"),
        ("is:robot", "\"is:robot\": unknown kind \"robot\""), ("-tag:", "\"-tag:\": tag: needs a name"),
        ("phone:abc", "\"phone:abc\": a phone number has digits"),
        ("changed:=<3d", "\"changed:=<3d\": \"=<\" is not a comparison"),
        ("changed:..", "\"changed:..\": changed: needs a time"),
        ("@famly", "\"@famly\": no saved search \"famly\""),
        ("-@family", "\"-@family\": a saved search cannot be negated"),
    ])
    func `a query that cannot be read says what is wrong`(query: String, message: String) async throws {
        let book = try await QueryTests.book()
        _ = try await book.plugin.saveSearch("family", "tag:chess", operation: book.operation())
        let error = await #expect(throws: HubError.self) { _ = try await book.plugin.query(query) }
        #expect(error?.message == message)
    }

    @Test func `a saved search stands for its query, and undo takes it back`() async throws {
        let book = try await QueryTests.book()
        let saved = try await book.plugin.saveSearch("@Players", "tag:chess has:phone", operation: book.operation())
        #expect(saved.name == "players" && saved.query == "tag:chess has:phone")
        _ = try await book.plugin.saveSearch("both", "@players -bob", operation: book.operation())
        #expect(try await QueryTests.names("@players", in: book) == ["Ada Lovelace"])
        #expect(try await QueryTests.names("@both lovelace", in: book) == ["Ada Lovelace"])
        #expect(try await QueryTests.names("@example.org", in: book) == ["Ada Lovelace", "Bob Müller"])
        book.clock.advance(by: .seconds(1))
        _ = try await book.plugin.saveSearch("players", "tag:work", operation: book.operation())
        #expect(try await QueryTests.names("@players", in: book) == ["Ada Lovelace", "Fjord AS"])
        _ = try await book.database.history.undo(as: book.operation("undo"))
        #expect(try await book.plugin.savedSearches.all().map(\.query) == ["@players -bob", "tag:chess has:phone"])
        await #expect(throws: HubError.self) {
            _ = try await book.plugin.saveSearch("players", "@both", operation: book.operation())
        }
        await #expect(throws: HubError.self) {
            _ = try await book.plugin.saveSearch("a b", "tag:x", operation: book.operation())
        }
        let error = await #expect(throws: HubError.self) {
            _ = try await book.plugin.deleteSearch("players", operation: book.operation())
        }
        #expect(error?.message == "@players is used by @both")
        _ = try await book.plugin.renameSearch("players", to: "@Chess", operation: book.operation())
        #expect(try await book.plugin.savedSearches.all().map(\.query) == ["@chess -bob", "tag:chess has:phone"])
        #expect(try await QueryTests.names("@both", in: book) == ["Ada Lovelace"])
        _ = try await book.plugin.deleteSearch("both", operation: book.operation())
        #expect(try await book.plugin.savedSearches.all().map(\.name) == ["chess"])
        await #expect(throws: HubError.self) {
            _ = try await book.plugin.deleteSearch("both", operation: book.operation())
        }
    }

    @Test func `a part of a list has the number of all that match`() async throws {
        let book = try await QueryTests.book()
        var filter = ContactFilter()
        #expect(try await book.plugin.list(filter, limit: 2).total == 5)
        #expect(try await book.plugin.list(filter, limit: 2).rows.count == 2)
        filter.query = try await book.plugin.query("acme")
        filter.order = .created
        #expect(try await book.plugin.list(filter, limit: 1).total == 2)
    }

    @Test func `the whole word of an address comes before longer ones`() async throws {
        let book = try ContactsFixture()
        try await book.importing(
            (0..<30).map { QueryTests.card("Person \($0)", "EMAIL:u7\($0)x@example.org") }.joined()
                + QueryTests.card("Zoe", "EMAIL:u7@example.org"))
        #expect(try await book.names("u7").first == "Zoe")
    }

    @Test func `in CSV a group is a label of its members`() async throws {
        let book = try await QueryTests.book()
        func rows(_ ids: [String]?) async throws -> [String] {
            var bytes: [UInt8] = []
            for try await chunk in book.plugin.exportCards(ids, by: GoogleWriter()) { bytes += chunk }
            return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
        }
        let all = try await rows(nil)
        #expect(all.count == 6 && !all.contains { $0.hasPrefix(",,Choir") })
        #expect(all.contains { $0.contains("* myContacts ::: Chess ::: work ::: Choir") })
        let group = try #require(try await book.plugin.groups().first).group
        // One address has two lines.
        #expect(try await rows([group.id]).count == 4)
        var filter = ContactFilter()
        filter.groups = [group.id]
        #expect(try await book.plugin.filter(filter).map(\.name) == ["Cora Acme", "Ada Lovelace"])
    }
}
