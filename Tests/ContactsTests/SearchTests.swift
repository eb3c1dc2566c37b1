import Contacts
import ContactsDomain
import HubKit
import TestSupport
import Testing

struct SearchTests {
    /// People whose names and numbers are hard to type.
    private static func book(_ place: ContactsFixture.Place = .memory) async throws -> ContactsFixture {
        let book = try ContactsFixture(place, rules: IndexingOptions(locale: "de", region: "DE"))
        try await book.importing(
            card("Łukasz Nowak", "N:Nowak;Łukasz;;;", "TEL;TYPE=CELL:+48 601 234 567", "EMAIL:lukasz@nowak.pl")
                + card("Anna Lukasz", "N:Lukasz;Anna;;;", "TEL:+49 171 2345678", "EMAIL;TYPE=WORK:anna@example.org")
                + card(
                    "Jan Kowalkowski", "N:Kowalkowski;Jan;;;", "EMAIL:jan@home.example",
                    "EMAIL;TYPE=WORK:jk@work.example")
                + card("Jürgen Müller", "N:Müller;Jürgen;;;", "ADR:;;Lange Straße 7;Gießen;;35390;")
                + card("田中 太郎", "N:田中;太郎;;;") + card("Владимир Иванов", "N:Иванов;Владимир;;;")
                + card("O'Brien \"Bob\" *Star*", "NICKNAME:Bobby-Boy") + card("🎉 Party Service", "ORG:Fest GmbH"))
        return book
    }

    private static func card(_ name: String, _ lines: String...) -> String {
        (["BEGIN:VCARD", "VERSION:3.0", "FN:\(name)"] + lines + ["END:VCARD"]).map { $0 + "\r\n" }.joined()
    }

    @Test(arguments: [
        ("lukasz", ["Łukasz Nowak", "Anna Lukasz"]), ("Łukasz", ["Łukasz Nowak", "Anna Lukasz"]),
        ("strasse", ["Jürgen Müller"]), ("straße", ["Jürgen Müller"]), ("giessen", ["Jürgen Müller"]),
        ("mueller", ["Jürgen Müller"]), ("muller", ["Jürgen Müller"]), ("MÜLLER", ["Jürgen Müller"]),
        ("owsk", ["Jan Kowalkowski"]), ("jan kow", ["Jan Kowalkowski"]), ("kow jan", ["Jan Kowalkowski"]),
        ("0171 2345", ["Anna Lukasz"]), ("+49 171 2345678", ["Anna Lukasz"]),
        ("234567", ["Łukasz Nowak", "Anna Lukasz"]),
        ("601-234", ["Łukasz Nowak"]), ("35390", ["Jürgen Müller"]), ("work.example", ["Jan Kowalkowski"]),
        ("田中", ["田中 太郎"]), ("tian", ["田中 太郎"]), ("Владимир", ["Владимир Иванов"]), ("vladimir", ["Владимир Иванов"]),
        ("o'brien", ["O'Brien \"Bob\" *Star*"]), ("bobby-boy", ["O'Brien \"Bob\" *Star*"]),
        ("party", ["🎉 Party Service"]),
        ("j", ["Jan Kowalkowski", "Jürgen Müller"]), ("j m", ["Jürgen Müller"]), ("anna 171", ["Anna Lukasz"]),
        ("60", ["Łukasz Nowak"]), ("+49 17", ["Anna Lukasz"]), ("anna 17", ["Anna Lukasz"]), ("7", ["Jürgen Müller"]),
        ("anna 60", []),
        ("anna 999", []), ("zzz", []), ("", []), ("ieß", ["Jürgen Müller"]), ("tras jür", ["Jürgen Müller"]),
        ("est", ["🎉 Party Service"]), ("est jan", []),
    ])
    func `a search finds who is meant`(query: String, names: [String]) async throws {
        let book = try await SearchTests.book()
        let found = try await book.names(query)
        #expect(Set(found) == Set(names))
        #expect(found.first == names.first || names.isEmpty || query == "234567" || query == "j")
    }

    @Test(arguments: [
        "\"", "\"\"", "*", "a*", "-", "-anna", "NEAR(a b)", "name:anna", "{name}", "a AND", "OR", "NOT x", "(", ")",
        "^a",
        "'", ";", "%", "_", "\\", "🎉", "👨‍👩‍👧", "\u{0}", "\u{7}", "e\u{301}", "[a-z]", "a?b", "000", "00000000", "۱۲۳",
        "ｱﾅ",
        "\u{202E}abc", "½", "ß", "İ", "ﬀ", "a\nb", "\t",
    ])
    func `no query is an error, whatever is typed`(query: String) async throws {
        let book = try await SearchTests.book()
        _ = try await book.plugin.search(query)
        _ = try await book.plugin.search(String(repeating: query + " ", count: 200))
        _ = try await book.plugin.filter(searchQuery: query)
        for kind in [AddressKind.email, .phone, .postal] {
            _ = try await book.plugin.findAddresses(query, kind)
        }
        await #expect(throws: HubError.self) { _ = try await book.plugin.entities.resolve(query + "qqqqqqq") }
    }

    @Test(.seeded) func `random bytes as a query are not an error`() async throws {
        let book = try await SearchTests.book()
        var generator = SeededGenerator()
        for _ in 0..<200 {
            let scalars = (0..<Int.random(in: 1...12, using: &generator)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x3FFF, using: &generator))
            }
            let query = String(String.UnicodeScalarView(scalars))
            #expect(throws: Never.self, "\(query.debugDescription)") { _ = SearchQuery(query) }
            _ = try await book.plugin.search(query)
        }
    }

    @Test func `when nothing matches the nearest name is suggested`() async throws {
        let book = try await SearchTests.book()
        let result = try await book.plugin.search("lukazs")
        #expect(result.rows == [])
        #expect(result.total == 8)
        #expect(result.suggestions.map(\.name).contains("Łukasz Nowak"))
    }

    @Test func `a list with words is in the order of names, and by parts of words when nothing begins so`() async throws
    {
        let book = try await SearchTests.book()
        #expect(
            try await book.plugin.filter(searchQuery: "lukasz").map(\.name) == [
                "Anna Lukasz", "Łukasz Nowak",
            ])
        #expect(try await book.plugin.filter(searchQuery: "owsk").map(\.name) == ["Jan Kowalkowski"])
    }

    @Test func `addresses are found by name, and only the one that was typed when it was one`() async throws {
        let book = try await SearchTests.book()
        let byName = try await book.plugin.findAddresses("kowalkowski", .email)
        #expect(byName.map(\.value) == ["jan@home.example", "jk@work.example"])
        #expect(byName.map(\.label) == ["", "work"])
        #expect(try await book.plugin.findAddresses("work.example", .email).map(\.value) == ["jk@work.example"])
        #expect(
            try await book.plugin.findAddresses("lukasz", .phone).map(\.value) == [
                "+48 601 234 567", "+49 171 2345678",
            ])
        #expect(try await book.plugin.findAddresses("müller", .postal).map(\.value) == ["Lange Straße 7, 35390 Gießen"])
        #expect(try await book.plugin.findAddresses("müller", .email) == [])
    }

    @Test func `of many addresses the first are found, each once`() async throws {
        let book = try await SearchTests.book()
        let all = try await book.plugin.findAddresses("example", .email, limit: .max)
        #expect(all.count == 3)
        for limit in 1...all.count {
            #expect(try await book.plugin.findAddresses("example", .email, limit: limit) == Array(all.prefix(limit)))
        }
        let hosts = try await book.plugin.findAddresses("example", .email, limit: 2) {
            $0.value.split(separator: "@").last.map(String.init)
        }
        #expect(Set(hosts.map { $0.value.split(separator: "@").last }).count == 2)
    }

    @Test func `an address is found behind hundreds of people who have none`() async throws {
        let book = try ContactsFixture()
        let people = (0..<520).map { SearchTests.card("Zed \($0)", "N:\($0);Zed;;;") }
        try await book.importing(
            people.joined() + SearchTests.card("Zed Zuse", "N:Zuse;Zed;;;", "EMAIL:zed@example.org"))
        #expect(try await book.plugin.findAddresses("zed", .email, limit: 1).map(\.value) == ["zed@example.org"])
        #expect(try await book.plugin.findAddresses("zed zuse", .email).map(\.value) == ["zed@example.org"])
    }

    @Test(arguments: [
        "lukasz", "l", "n", "a n", "owsk", "601", "601 234", "2", "example", "jan example", "zzzz", "", "é",
    ])
    func `the matches of a search are as many as are found`(query: String) async throws {
        let book = try await SearchTests.book()
        let found = try await book.plugin.search(query, limit: .max).rows.count
        #expect(try await book.plugin.countMatches(ContactQuery(words: SearchQuery(query))) == found)
    }

    @Test func `a selector may be an id, its beginning, an address, a number, words or last`() async throws {
        let book = try await SearchTests.book()
        func resolve(_ selector: String) async throws -> [ContactSummary] {
            try await book.plugin.entities.resolve(selector)
        }
        let jan = try #require(try await resolve("kowalkowski").first)
        #expect(try await resolve(jan.id).map(\.name) == ["Jan Kowalkowski"])
        let short = try await book.plugin.entities.shortID(of: jan.id)
        #expect(short.count >= 3 && jan.id.hasPrefix(short))
        #expect(try await resolve(short).map(\.name) == ["Jan Kowalkowski"])
        #expect(try await resolve("JK@WORK.example").map(\.name) == ["Jan Kowalkowski"])
        #expect(try await resolve("0171 2345678").map(\.name) == ["Anna Lukasz"])
        #expect(try await resolve("anna lukasz").map(\.name) == ["Anna Lukasz"])
        #expect(try await resolve("lukasz").count == 2)
        #expect(try await resolve("last").map(\.name) == ["🎉 Party Service"])
        let error = await #expect(throws: HubError.self) { _ = try await resolve("lukazs nowak") }
        #expect(error?.kind == .notFound)
        #expect(error?.hint?.contains("Łukasz Nowak") == true)
    }
}
