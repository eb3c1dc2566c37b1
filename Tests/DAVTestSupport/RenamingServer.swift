package import NetworkTestSupport
import Synchronization

/// A CardDAV server that stores each new card under a name and a `UID` of its own, as the one of Google Contacts does.
///
/// What is known of that server is played here: it answers a PUT of a new card with the other name in `Location` and
/// without an etag, keeps the `UID` that it has given whatever a later PUT says, writes `TYPE` in capitals, drops unknown
/// lines, and lists changes only to those who name a token, which they get with the plain properties of the book. The
/// references of groups and related people to other cards stay as they were sent.
package final class RenamingServer: Sendable {
    /// The path of the book.
    package static let path = "/carddav/ann/lists/default/"

    private struct Book {
        var cards: [String: (text: String, version: Int)] = [:]
        var changes: [String] = []
        var lastName = 0

        mutating func store(_ text: String, at path: String) {
            changes.append(path)
            cards[path] = (text, changes.count)
        }
    }

    private let book: SharedBook
    private let server: FaultServer

    private final class SharedBook: Sendable {
        let state = Mutex(Book())
    }

    /// Starts one with an empty book.
    package init() throws {
        let book = SharedBook()
        self.book = book
        server = try FaultServer { request in book.state.withLock { RenamingServer.answer(request, &$0) } }
    }

    /// The port on the loopback interface.
    package var port: Int { server.port }

    /// The requests so far, in order.
    package var requests: [ScriptedRequest] { server.requests }

    /// The texts of all cards, by their paths.
    package var cards: [String: String] { book.state.withLock { $0.cards.mapValues(\.text) } }

    /// Changes the text of a card, as another program does.
    package func edit(_ path: String, _ change: (inout String) -> Void) {
        book.state.withLock { book in
            guard var text = book.cards[path]?.text else { return }
            change(&text)
            book.store(text, at: path)
        }
    }

    private static func answer(_ request: ScriptedRequest, _ book: inout Book) -> FaultServer.Answer {
        let path = request.target
        switch request.method {
        case "PROPFIND" where request.headers["depth"] == "0":
            return .multistatus(
                FaultServer.item(
                    path,
                    """
                    <D:resourcetype><D:collection/><C:addressbook/></D:resourcetype>\
                    <CS:getctag>\(book.changes.count)</CS:getctag><D:sync-token>\(book.changes.count)</D:sync-token>
                    """))
        case "PROPFIND":
            return .multistatus(
                FaultServer.item(path, "<D:resourcetype><D:collection/></D:resourcetype>")
                    + book.cards.map { FaultServer.card($0, "\"\($1.version)\"") }.joined())
        case "REPORT" where request.text.contains("sync-collection"): return changes(request.text, book)
        case "REPORT" where request.text.contains("multiget"):
            return .multistatus(
                book.cards.filter { request.text.contains("href>\($0.key)</") }.map { path, card in
                    FaultServer.item(
                        path,
                        "<D:getetag>\"\(card.version)\"</D:getetag><C:address-data>\(escaped(card.text))</C:address-data>"
                    )
                }.joined())
        case "GET":
            guard let card = book.cards[path] else { return .status(404) }
            return .status(200, headers: ["ETag: \"\(card.version)\""], body: card.text)
        case "PUT": return put(request, &book)
        case "DELETE":
            guard let card = book.cards[path] else { return .status(404) }
            guard request.headers["if-match"] == "\"\(card.version)\"" else { return .status(412) }
            book.cards[path] = nil
            book.changes.append(path)
            return .status(204)
        default: return .status(501)
        }
    }

    private static func changes(_ body: String, _ book: Book) -> FaultServer.Answer {
        let token = body.firstRange(of: "sync-token>").map { body[$0.upperBound...].prefix { $0.isNumber } } ?? ""
        guard let start = Int(token), start <= book.changes.count else { return .status(400) }
        let touched = Set(book.changes[start...]).map { path in
            book.cards[path].map { FaultServer.card(path, "\"\($0.version)\"") }
                ?? FaultServer.item(path, status: 404)
        }
        return .multistatus(touched.joined() + "<D:sync-token>\(book.changes.count)</D:sync-token>")
    }

    private static func put(_ request: ScriptedRequest, _ book: inout Book) -> FaultServer.Answer {
        let path = request.target
        if let known = book.cards[path] {
            guard request.headers["if-match"] == "\"\(known.version)\"" else { return .status(412) }
            book.store(stored(request.text, uid: uid(known.text)), at: path)
            return .status(204)
        }
        if request.headers["if-match"] != nil { return .status(412) }
        book.lastName += 1
        let name = "29935b72\(book.lastName)"
        book.store(stored(request.text, uid: "c\(name)"), at: RenamingServer.path + name)
        return .status(201, headers: ["Location: \(RenamingServer.path)\(name)"])
    }

    private static func uid(_ text: String) -> String {
        text.split(separator: "\r\n").first { $0.hasPrefix("UID:") }.map { String($0.dropFirst(4)) } ?? ""
    }

    /// The card as the server keeps it.
    private static func stored(_ text: String, uid: String) -> String {
        let lines = text.replacing("\r\n ", with: "").split(separator: "\r\n").compactMap { line -> String? in
            let name = line.prefix { !";:".contains($0) }.uppercased()
            if name == "UID" || name.hasPrefix("X-") && !name.hasPrefix("X-ADDRESSBOOKSERVER") { return nil }
            let head = line.prefix { $0 != ":" }
            return head.uppercased() + line.dropFirst(head.count)
        }
        return (lines.dropLast() + ["UID:\(uid)", "END:VCARD", ""]).joined(separator: "\r\n")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\r", with: "&#13;")
    }
}
