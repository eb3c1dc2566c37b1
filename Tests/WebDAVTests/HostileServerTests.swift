import DAVTestSupport
import HTTPClient
import NetworkTestSupport
import Sync
import Synchronization
import Testing

@testable import WebDAV

/// A server that wants hub to talk to another one: the other one must hear nothing at all, with or without a password.
@Suite(.timeLimit(.minutes(20)))
struct HostileServerTests {
    private static let book = "<D:resourcetype><D:collection/><C:addressbook/></D:resourcetype>"

    /// The place in an answer that leads to the other server.
    enum Lure: CaseIterable, Sendable {
        case ownHref, principal, homeSet, listed, redirect, wellKnown, principalRedirect, bare
    }

    private static func answer(_ lure: Lure, _ request: ScriptedRequest, _ other: String) -> FaultServer.Answer {
        func home(_ place: String) -> String {
            "<C:addressbook-home-set><D:href>\(place)</D:href></C:addressbook-home-set>"
        }
        func principal(_ place: String) -> String {
            "<D:current-user-principal><D:href>\(place)</D:href></D:current-user-principal>"
        }
        switch (lure, request.target) {
        case (.ownHref, _): return .multistatus(FaultServer.item("\(other)/bk/", book))
        case (.principal, _): return .multistatus(FaultServer.item("/", principal("\(other)/p/")))
        case (.homeSet, _): return .multistatus(FaultServer.item("/", home("\(other)/h/")))
        case (.listed, "/"): return .multistatus(FaultServer.item("/", home("/h/")))
        case (.listed, _): return .multistatus(FaultServer.item("\(other)/h/a/", book))
        case (.redirect, _): return .status(301, headers: ["Location: \(other)/"])
        case (.wellKnown, "/"): return .status(404)
        case (.wellKnown, _): return .status(301, headers: ["Location: \(other)/dav/"])
        case (.principalRedirect, "/"): return .multistatus(FaultServer.item("/", principal("/p/")))
        case (.principalRedirect, _): return .status(307, headers: ["Location: \(other)/p/"])
        case (.bare, _):
            return .multistatus(FaultServer.item(String(other.dropFirst("http:".count)) + "/bk/", book))
        }
    }

    @Test(arguments: Lure.allCases, ["ann", nil])
    func `discovery stays at the server`(lure: Lure, user: String?) async throws {
        let other = try FaultServer { _ in .multistatus(FaultServer.item("/bk/", HostileServerTests.book)) }
        let server = try FaultServer { HostileServerTests.answer(lure, $0, other.origin) }
        let account = try DAVFixture.account(server.origin, user: user)
        let found = try? await account.collections()
        for collection in found ?? [] { #expect(collection.href.hasPrefix(server.origin + "/")) }
        #expect(other.requests.isEmpty && other.connectionCount == 0)
    }

    enum Call: CaseIterable, Sendable { case state, changes, everything, fetch, create, update, remove, removeAll }

    @Test(arguments: Call.allCases)
    func `a collection that is kept with another address is not opened`(call: Call) async throws {
        let other = try FaultServer { _ in .multistatus("") }
        let server = try FaultServer { _ in .status(404) }
        let account = try DAVFixture.account(server.origin)
        let book = account.open("\(other.origin)/bk/")
        let name = "/bk/a.vcf"
        do {
            switch call {
            case .state: _ = try await book.state()
            case .changes: _ = try await book.changes(since: nil)
            case .everything: _ = try await book.everything()
            case .fetch: _ = try await book.fetch([name, "/bk/b.vcf"])
            case .create: _ = try await book.create([1], name: "a")
            case .update: _ = try await book.update(name, to: [1], ifMatch: "\"1\"")
            case .remove: _ = try await book.remove(name, ifMatch: "\"1\"")
            case .removeAll: try await account.remove("\(other.origin)/bk/")
            }
            Issue.record("it was called")
        } catch {
            guard case .refused = error else { throw error }
        }
        #expect(other.connectionCount == 0)
    }

    @Test func `items at another server are not fetched, written or removed`() async throws {
        let other = try FaultServer { _ in .status(200, body: "BEGIN:VCARD") }
        let server = try FaultServer { request in
            switch request.method {
            case "REPORT": .multistatus(FaultServer.card("\(other.origin)/bk/a.vcf", "\"1\""))
            default: .status(307, headers: ["Location: \(other.origin)/bk/a.vcf"])
            }
        }
        let book = DAVFixture.book(server)
        await #expect(throws: RemoteError.self) { try await book.changes(since: nil) }
        await #expect(throws: RemoteError.self) { try await book.fetch(["\(other.origin)/bk/a.vcf"]) }
        await #expect(throws: RemoteError.self) { try await book.fetch(["/ann/book/a.vcf"]) }
        await #expect(throws: RemoteError.self) { try await book.create([1], name: "a") }
        await #expect(throws: RemoteError.self) { try await book.update("/ann/book/a.vcf", to: [1], ifMatch: "\"1\"") }
        await #expect(throws: RemoteError.self) { try await book.remove("/ann/book/a.vcf", ifMatch: "\"1\"") }
        #expect(other.connectionCount == 0)
    }

    @Test func `a server that is never done is given up`() async throws {
        let pages = Atomic(0)
        let endless = try FaultServer { _ in
            let page = pages.add(1, ordering: .relaxed).newValue
            return .status(
                207,
                body: FaultServer.multistatus(
                    FaultServer.item("/ann/book/", status: 507) + "<D:sync-token>\(page)</D:sync-token>"))
        }
        await #expect(throws: RemoteError.malformed(reason: "the server's list of changes is endless")) {
            try await DAVFixture.book(endless).changes(since: nil)
        }
        let silent = try FaultServer { _ in .silence(after: "HTTP/1.1 207 X\r\n") }
        let short = DAVTimeouts(
            deadlines: .patient, retry: .never,
            whole: .seconds(1))
        let book = DAVFixture.book(silent, patience: short)
        await #expect(throws: RemoteError.unreachable(reason: HTTPError.timedOut(.total).description)) {
            try await book.state()
        }
        let connections = silent.connectionCount
        let error = await #expect(throws: RemoteError.self) { try await book.state() }
        guard case .unreachable(let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("finished changes are kept") && silent.connectionCount == connections)
    }

    @Test(arguments: [
        (
            "https://a.org/dav", ["https://a.org/", "https://p1.a.org/x"],
            ["https://a.org:8443/", "http://a.org/", "https://b.org/"]
        ),
        ("https://a.org:8443", ["https://a.org:8443/"], ["https://a.org/", "https://x.a.org:8443/"]),
        ("http://a.org", ["http://a.org/", "https://a.org/"], ["http://a.org:81/", "https://x.a.org/"]),
        (
            "ann@a.org", ["https://a.org/", "https://dav.a.org/"],
            ["http://a.org/", "https://dav.a.org:444/", "https://ba.org/"]
        ),
    ])
    func `an address says what may be reached`(text: String, inside: [String], outside: [String]) throws {
        let scope = try #require(AccountAddress(text)).scope
        for place in inside { #expect(scope.contains(try #require(HTTPURL(place)))) }
        for place in outside { #expect(!scope.contains(try #require(HTTPURL(place)))) }
    }
}
