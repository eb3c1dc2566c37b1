import HTTPTypes
import Sync
import Synchronization
import Testing

@testable import DAVServer

/// Books in memory.
private final class MemoryBooks: ServedBooks {
    let state = Mutex<[(word: String, title: String, isOwn: Bool, items: MemoryCollection)]>([])
    let moves = Mutex<[ServedMove]>([])
    let result = Mutex<ServedMoveResult>(.missing)

    init(_ books: (word: String, title: String, isOwn: Bool, items: MemoryCollection)...) {
        state.withLock { $0 = books }
    }

    func books() async throws -> [ServedBook] {
        state.withLock { state in
            state.map {
                ServedBook($0.word, title: $0.title, isReadOnly: $0.word == "team", isOwn: $0.isOwn, items: $0.items)
            }
        }
    }

    func make(_ word: String, title: String, by author: ServedAuthor) async throws -> Bool {
        state.withLock { state in
            if state.contains(where: { $0.word == word }) { return false }
            state.append((word, title, true, MemoryCollection()))
            return true
        }
    }

    func rename(_ word: String, to title: String, by author: ServedAuthor) async throws {
        state.withLock { state in
            for index in state.indices where state[index].word == word { state[index].title = title }
        }
    }

    func remove(_ word: String, by author: ServedAuthor) async throws -> Bool {
        guard let book = state.withLock({ $0.first { $0.word == word } }), try await book.items.count() == 0 else {
            return false
        }
        state.withLock { $0.removeAll { $0.word == word } }
        return true
    }

    func move(_ move: ServedMove) async throws -> ServedMoveResult {
        moves.withLock { $0.append(move) }
        return result.withLock(\.self)
    }
}

/// A device that sees each address book by itself.
struct BookServiceTests {
    private let books: MemoryBooks
    private let device = MemoryDevice()

    init() {
        let ada = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:a\r\nFN:Ada\r\nEND:VCARD\r\n"
        books = MemoryBooks(
            ("here", "Contacts", false, MemoryCollection([("a.vcf", ada)])),
            ("family", "Family", true, MemoryCollection()),
            ("team", "Team (posteo)", false, MemoryCollection([("t.vcf", ada)])))
    }

    private func ask(
        _ method: String, _ path: String, _ body: String = "", _ headers: HTTPHeaders = [:],
        as other: MemoryDevice? = nil
    ) async throws -> DAVResponse {
        let collections = try await books.books().map { DAVCollection($0) }
        var request = DAVRequest(method, path, headers: headers, body: Array(body.utf8))
        request.hosts = ["hub.example.org"]
        return try await DAVService(collections, books: books, for: other ?? device).respond(to: request)
    }

    private static func mkcol(_ type: String, _ more: String = "") -> String {
        """
        <?xml version="1.0"?><D:mkcol xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:set><D:prop>\
        <D:resourcetype><D:collection/>\(type)</D:resourcetype>\(more)</D:prop></D:set></D:mkcol>
        """
    }

    private static func update(_ properties: String) -> String {
        """
        <D:propertyupdate xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:set><D:prop>\(properties)\
        </D:prop></D:set></D:propertyupdate>
        """
    }

    private static let names = "<D:propfind xmlns:D=\"DAV:\"><D:prop><D:displayname/></D:prop></D:propfind>"

    @Test func `a program makes a book, as RFC 5689 has it or without a body`() async throws {
        let name = "<D:displayname>Chess &amp; co</D:displayname>"
        let made = try await ask("MKCOL", "/contacts/chess/", Self.mkcol("<C:addressbook/>", name))
        #expect(made.status == 201)
        #expect(try await ask("MKCOL", "/contacts/chess", Self.mkcol("<C:addressbook/>")).status == 405)
        #expect(try await ask("MKCOL", "/contacts/here/").status == 405)
        #expect(try await ask("MKCOL", "/contacts/plain/").status == 201)
        let list = try await ask("PROPFIND", "/contacts/", Self.names, ["Depth": "1"]).text
        #expect(list.contains("/contacts/chess/</d:href>") && list.contains("Chess &amp; co"))
        #expect(list.contains("<d:displayname>plain</d:displayname>"))
        let options = try await ask("OPTIONS", "/contacts/")
        #expect(options.headers["DAV"]?.contains("extended-mkcol") == true)
        // Nothing else is among address books.
        let calendar = "<X:calendar xmlns:X=\"urn:ietf:params:xml:ns:caldav\"/>"
        let other = try await ask("MKCOL", "/contacts/x/", Self.mkcol(calendar))
        #expect(other.status == 403)
        #expect(try await other.text.contains("valid-resourcetype"))
        #expect(try await ask("MKCOL", "/contacts/x/", "<D:mkcalendar xmlns:D=\"DAV:\"/>").status == 415)
        #expect(try await ask("MKCALENDAR", "/contacts/x/").status == 403)
        #expect(try await ask("MKCOL", "/contacts/x/", as: MemoryDevice(isReadOnly: true)).status == 403)
        #expect(try await ask("MKCOL", "/contacts/x/y/z/").status == 404)
    }

    @Test func `a book of no account is renamed for all and removed when it is empty, others are not`() async throws {
        let name = "<D:displayname>Relatives</D:displayname><C:addressbook-description>ours</C:addressbook-description>"
        #expect(try await ask("PROPPATCH", "/contacts/family/", Self.update(name)).text.contains("200 OK"))
        #expect(try await books.books().map(\.title) == ["Contacts", "Relatives", "Team (posteo)"])
        #expect(device.set.withLock(\.self).values.sorted() == ["ours"])
        // That of an account has another name on this device alone.
        #expect(
            try await ask("PROPPATCH", "/contacts/team/", Self.update("<D:displayname>T</D:displayname>")).status == 207
        )
        #expect(try await books.books().map(\.title) == ["Contacts", "Relatives", "Team (posteo)"])
        #expect(device.set.withLock { $0["{DAV:}displayname"] } == "T")
        let refused = try await ask("PROPPATCH", "/contacts/family/", Self.update("<D:getetag>1</D:getetag>")).text
        #expect(refused.contains("403 Forbidden"))
        for path in ["/contacts/here/", "/contacts/team/"] {
            let answer = try await ask("DELETE", path)
            #expect(answer.status == 403, "\(path)")
            #expect(try await answer.text.contains("need-privileges"), "\(path)")
        }
        #expect(try await ask("OPTIONS", "/contacts/family/").headers["Allow"]?.contains("DELETE") == true)
        #expect(try await ask("OPTIONS", "/contacts/here/").headers["Allow"]?.contains("DELETE") == false)
        _ = try await ask("PUT", "/contacts/family/c.vcf", "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:C\r\nEND:VCARD\r\n")
        #expect(try await ask("DELETE", "/contacts/family/").status == 403)
        #expect(try await ask("DELETE", "/contacts/family/c.vcf").status == 204)
        #expect(try await ask("DELETE", "/contacts/family/").status == 204)
        #expect(try await ask("PROPFIND", "/contacts/family/", "", ["Depth": "0"]).status == 404)
    }

    @Test func `a contact moves and is copied between books`() async throws {
        let target = "http://hub.example.org/contacts/family/b%20c.vcf"
        _ = try await ask("GET", "/contacts/here/a.vcf")
        let item = try #require(try await books.books()[0].items.items(named: ["a.vcf"]).first)
        let there = ServedItem(
            ServedEntry(
                name: "b c.vcf", id: item.entry.id, etag: item.entry.etag, length: item.entry.length, changedAt: 0),
            content: item.content)
        books.result.withLock { $0 = .moved(there, isNew: true) }
        let moved = try await ask(
            "MOVE", "/contacts/here/a.vcf", "", ["Destination": target, "If-Match": "\"\(item.entry.etag)\""])
        #expect(moved.status == 201)
        let move = try #require(books.moves.withLock { $0.last })
        #expect(
            [move.from.book, move.from.name, move.to.book, move.to.name] == ["here", "a.vcf", "family", "b c.vcf"])
        #expect(!move.isCopy && move.overwrites && move.condition == .matches([item.entry.etag]))
        #expect(device.served.withLock { $0["b c.vcf"] } == item.content, "the device has there what it had here")
        books.result.withLock { $0 = .moved(there, isNew: false) }
        let copied = try await ask("COPY", "/contacts/here/a.vcf", "", ["Destination": target, "Overwrite": "F"])
        #expect(copied.status == 204)
        #expect(books.moves.withLock { $0.last.map { $0.isCopy && !$0.overwrites } } == true)
        for (result, status) in [(ServedMoveResult.missing, 404), (.refused, 412), (.sameUID("a2.vcf"), 409)] {
            books.result.withLock { $0 = result }
            let answer = try await ask("MOVE", "/contacts/here/a.vcf", "", ["Destination": target])
            #expect(answer.status == status)
            if status == 409 { #expect(try await answer.text.contains("<d:href>/contacts/family/a2.vcf</d:href>")) }
        }
        let count = books.moves.withLock(\.count)
        let cases = [
            ("/contacts/here/a.vcf", "/contacts/team/a.vcf", 403),
            ("/contacts/team/t.vcf", "/contacts/here/t.vcf", 403),
            ("/contacts/here/a.vcf", "/contacts/none/a.vcf", 409), ("/contacts/here/a.vcf", "/tasks/days/a.ics", 403),
            ("/contacts/here/a.vcf", "/contacts/here/a.vcf", 403), ("/contacts/here/a.vcf", "a.vcf", 400),
            ("/contacts/here/a.vcf", "http://other.example/contacts/family/a.vcf", 502),
            ("/contacts/here/", "/contacts/family/x/", 405),
        ]
        for (from, to, status) in cases {
            #expect(try await ask("MOVE", from, "", ["Destination": to]).status == status, "\(from) \(to)")
        }
        let reader = MemoryDevice(isReadOnly: true)
        #expect(try await ask("MOVE", "/contacts/here/a.vcf", "", ["Destination": target], as: reader).status == 403)
        #expect(books.moves.withLock(\.count) == count)
        #expect(try await ask("OPTIONS", "/contacts/here/a.vcf").headers["Allow"]?.contains("MOVE") == true)
    }

    @Test func `a device that sees all contacts as one book makes and moves none`() async throws {
        let all = DAVCollection(.addressBook, id: "all", title: "Contacts", items: MemoryCollection([("a.vcf", "x")]))
        let service = DAVService([all], for: device)
        let headers: HTTPHeaders = ["Destination": "/contacts/all/b.vcf"]
        #expect(
            try await service.respond(to: DAVRequest("MOVE", "/contacts/all/a.vcf", headers: headers)).status == 405)
        let made = try await service.respond(to: DAVRequest("MKCOL", "/contacts/x/"))
        #expect(made.status == 403)
    }
}
