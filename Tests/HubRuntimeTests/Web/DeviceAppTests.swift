import Commands
import DAVServer
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Storage
import Sync
import TestSupport
import Testing
import WebServer

@testable import HubRuntime

/// A collection without items.
private struct EmptyCollection: ServedCollection {
    func state() async throws -> ServedState { ServedState(epoch: "epoch", number: 0) }
    func count() async throws -> Int { 0 }
    func entries(after name: String?, limit: Int) async throws -> [ServedEntry] { [] }
    func changes(after number: Int, upTo last: Int, limit: Int) async throws -> [ServedChange] { [] }
    func items(named names: [String]) async throws -> [ServedItem] { [] }
    func put(_ put: ServedPut) async throws -> ServedPutResult { throw HubError(.busy, code: "full", "full") }
    func remove(_ name: String, if condition: ServedCondition, by author: ServedAuthor) async throws -> ServedRemoval {
        .missing
    }
    func renumber(_ name: String) async throws {}
}

/// Who is served.
struct DeviceAppTests {
    private let test: TestHub
    private let hub: Hub
    private let app: DeviceApp
    private let store: DeviceStore

    init() throws {
        test = try TestHub()
        hub = test.hub()
        store = DeviceStore(try hub.database())
        app = DeviceApp(
            [DAVCollection(.addressBook, id: "all", title: "Contacts", items: EmptyCollection())], store: store,
            names: DeviceApp.hosts(of: .loopback(port: 4843), names: ["Hub.example.org"], isEncrypted: false),
            profile: AppleProfile(host: "hub.example.org", port: 443, authority: nil),
            clock: test.clock, requests: DeviceLog(hub), log: Log(label: "test") { _, _, _ in })
    }

    private func ask(
        _ method: String, _ path: String, user: String? = nil, _ headers: HTTPHeaders = [:]
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: method), target: try #require(RequestTarget(path)),
            headers: ["Host": "127.0.0.1:4843"])
        if let user { request.headers["Authorization"] = "Basic " + Base64.encode(Array(user.utf8)) }
        for field in headers.fields { request.headers[field.name] = field.value }
        request.peer = "192.0.2.1"
        return await app.respond(to: request)
    }

    @Test func `a password opens what its device may use, however it is typed`() async throws {
        let password = try await store.add("phone", scopes: [.contacts], isReadOnly: false)
        #expect(password.utf8.count == 23)
        let bare = password.replacing("-", with: "").uppercased()
        for user in ["phone:\(password)", "PHONE:\(bare)", "HOME\\phone:\(bare)", "%70hone:\(password)"] {
            #expect(try await ask("GET", "/contacts/all/", user: user).status == 200, "\(user)")
        }
        let refused = try await ask("GET", "/contacts/all/")
        #expect(refused.status == 401)
        #expect(refused.headers["WWW-Authenticate"] == #"Basic realm="hub", charset="UTF-8""#)
        for user in ["phone:\(password)x", "phone:", "desk:\(password)", "phone"] {
            #expect(try await ask("GET", "/contacts/all/", user: user).status == 401, "\(user)")
        }
        #expect(try await ask("PROPFIND", "/.well-known/carddav").status == 301)
        #expect(
            try await ask("PUT", "/contacts/all/a.vcf", user: "phone:\(password)").status == 503, "the store is busy")
        #expect(try await store.devices().map(\.seenAt) == [test.clock.now])
        #expect(try await store.remove("phone"))
        #expect(try await ask("GET", "/contacts/all/", user: "phone:\(password)").status == 401)
        await hub.close()
    }

    @Test func `a code gives a device its settings with a new password, for ten minutes`() async throws {
        let old = try await store.add("phone", scopes: [.contacts], isReadOnly: false)
        let code = try await store.makeCode(for: "phone", endingAt: test.clock.now + .seconds(600))
        #expect(try await ask("HEAD", "/devices/\(code)").status == 200)
        #expect(try await ask("GET", "/contacts/all/", user: "phone:\(old)").status == 200, "nothing was read yet")
        let profile = try await ask("GET", "/devices/\(code)")
        #expect(profile.headers["Content-Type"] == AppleProfile.mediaType)
        #expect(profile.headers["Cache-Control"] == "no-store")
        guard case .bytes(let bytes) = profile.body else { throw HubError(.internal, code: "body", "no bytes") }
        let text = String(decoding: bytes, as: UTF8.self)
        let password = try #require(text.firstMatch(of: /CardDAVPassword<\/key><string>([0-9a-z-]{23})</)).1
        #expect(!text.contains("CalDAV") && !text.contains("com.apple.security.root"))
        #expect(try await ask("GET", "/contacts/all/", user: "phone:\(password)").status == 200)
        #expect(try await ask("GET", "/contacts/all/", user: "phone:\(old)").status == 401)
        guard case .bytes(let again) = try await ask("GET", "/devices/\(code)").body else { return }
        #expect(again == bytes, "a device that loads it twice keeps its password")
        #expect(try await ask("POST", "/devices/\(code)").status == 405)
        test.clock.advance(by: .seconds(601))
        #expect(try await ask("GET", "/devices/\(code)").status == 404)
        let next = try await store.makeCode(for: "phone", endingAt: test.clock.now + .seconds(600))
        #expect(try await store.remove("phone"))
        for _ in 0..<9 { #expect(try await ask("GET", "/devices/\(next)").status == 404) }
        #expect(try await ask("GET", "/devices/\(next)").status == 429, "guesses are counted like passwords")
        await hub.close()
    }

    @Test func `an answer that is being sent is cut within a second when its device is removed`() async throws {
        _ = try await store.add("phone", scopes: [.contacts], isReadOnly: false)
        let rights = DeviceRights(try #require(try await store.device("phone")), store: store, clock: test.clock)
        test.clock.advance(by: .seconds(2))
        try await rights.require()
        #expect(try await store.remove("phone"))
        _ = try await store.add("phone", scopes: [.contacts], isReadOnly: false)
        test.clock.advance(by: .seconds(1))
        await #expect(throws: CancellationError.self) { try await rights.require() }
        await hub.close()
    }

    @Test func `a request of a web page or for another host is refused`() async throws {
        let user = "phone:\(try await store.add("phone", scopes: [.contacts], isReadOnly: false))"
        for origin in [
            "http://evil.example", "http://127.0.0.1:4820", "null", "", "http://127.0.0.1:4843.evil.example",
        ] {
            #expect(try await ask("GET", "/contacts/", user: user, ["Origin": origin]).status == 403, "\(origin)")
        }
        #expect(try await ask("GET", "/contacts/", user: user, ["Sec-Fetch-Site": "cross-site"]).status == 403)
        #expect(try await ask("GET", "/contacts/", user: user, ["Host": "evil.example"]).status == 421)
        #expect(try await ask("GET", "/contacts/", user: user, ["Host": "hub.example.org"]).status == 200)
        await hub.close()
    }

    /// Thunderbird names the server itself as the origin of its requests.
    @Test func `a program that says it comes from this server is served`() async throws {
        let user = "phone:\(try await store.add("phone", scopes: [.contacts], isReadOnly: false))"
        let own: HTTPHeaders = [
            "Origin": "http://127.0.0.1:4843", "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "no-cors",
        ]
        #expect(try await ask("GET", "/contacts/", user: user, own).status == 200)
        var other = own
        other["Sec-Fetch-Site"] = "same-site"
        #expect(try await ask("GET", "/contacts/", user: user, other).status == 403)
        // Behind a proxy that encrypts, the address has another scheme; without encryption, another port is another origin.
        let named: HTTPHeaders = ["Host": "hub.example.org", "Origin": "https://hub.example.org"]
        #expect(try await ask("GET", "/contacts/", user: user, named).status == 200)
        other = ["Host": "hub.example.org", "Origin": "http://127.0.0.1:4843"]
        #expect(try await ask("GET", "/contacts/", user: user, other).status == 403)
        // A server that encrypts has no page that came without.
        let encrypted = DeviceApp(
            [], store: store, names: ["hub.example.org"], isEncrypted: true, clock: test.clock,
            requests: DeviceLog(hub), log: Log(label: "test") { _, _, _ in })
        for (origin, status) in [("http://hub.example.org", 403), ("https://hub.example.org", 401)] {
            let request = HTTPRequest(
                method: .get, target: try #require(RequestTarget("/")),
                headers: ["Host": "hub.example.org", "Origin": origin])
            #expect(await encrypted.respond(to: request).status == status, "\(origin)")
        }
        await hub.close()
    }

    @Test func `ten wrong passwords make an address wait a minute`() async throws {
        let user = "phone:\(try await store.add("phone", scopes: [.contacts], isReadOnly: false))"
        for _ in 0..<10 { #expect(try await ask("GET", "/", user: "phone:x").status == 401) }
        // What has no password is not counted, and not stopped.
        #expect(try await ask("GET", "/").status == 401)
        let waiting = try await ask("GET", "/", user: user)
        #expect(waiting.status == 429 && waiting.headers["Retry-After"] == "60")
        test.clock.advance(by: .seconds(61))
        #expect(try await ask("GET", "/", user: user).status == 200)
        await hub.close()
    }

    @Test func `what a program was given is the base of its next change, each program's own`() async throws {
        _ = try await store.add("phone", scopes: [.contacts], isReadOnly: false)
        func item(_ etag: String, _ content: String) -> ServedItem {
            ServedItem(
                ServedEntry(name: "a.vcf", id: "1", etag: etag, length: 1, changedAt: 0), content: Array(content.utf8))
        }
        func base(_ program: String, etag: String? = nil) async throws -> String? {
            try await store.base(of: "a.vcf", etag: etag, in: "/c/", for: "phone", program).content
                .map { String(decoding: $0, as: UTF8.self) }
        }
        try await store.noteServed([item("1", "one")], of: "/c/", words: [], to: "phone", "A")
        try await store.noteServed([item("2", "two")], of: "/c/", words: ["X"], to: "phone", "B")
        #expect(try await base("A") == "one")
        #expect(try await base("B") == "two")
        #expect(try await base("A", etag: "2") == "two")
        try await store.noteServed([item("2", "two")], of: "/c/", words: [], to: "phone", "A")
        #expect(try await base("B", etag: "1") == nil, "what no program has any more is forgotten")
        #expect(try await store.base(of: "a.vcf", etag: nil, in: "/c/", for: "phone", "B").words == ["X"])
        // What is gone is remembered for a while; a device may have been away.
        let calendar = DAVCollection(.tasks, id: "days", title: "Tasks", items: EmptyCollection())
        try await store.noteServed([item("3", "three")], of: calendar.href, words: [], to: "phone", "A")
        func isKnown() async throws -> Bool {
            try await store.base(of: "a.vcf", etag: nil, in: calendar.href, for: "phone", "A").content != nil
        }
        try await store.forgetGone(from: calendar, on: "phone", before: test.clock.now)
        #expect(try await isKnown())
        try await store.forgetGone(from: calendar, on: "phone", before: test.clock.now + .milliseconds(1))
        #expect(try await !isKnown())
        await hub.close()
    }

    @Test func `commands add, list and remove devices`() async throws {
        #expect(await test.run("devices add phone").messages.contains("hub.dav.listen"))
        _ = await test.run("config set hub.dav.listen 127.0.0.1:4843")
        let added = await test.run("devices add phone --read-only")
        let told = "phone can read contacts and tasks of this hub, at http://127.0.0.1:4843/\n  user      phone\n"
        #expect(added.exit == 0 && added.output.hasPrefix(told))
        #expect(await test.run("devices add phone").exit != 0)
        #expect(await test.run("devices add Ph:one").exit == 64)
        #expect(await test.run("devices list").output.contains("contacts, tasks (read only)"))
        #expect(added.messages.contains("no other machine reaches 127.0.0.1:4843"))
        #expect(await test.run("devices add watch --only tasks").output.contains("can sync tasks with"))
        #expect(await test.run("devices rm watch --yes").exit == 0)
        #expect(await test.run("devices log phone").exit == 0)
        #expect(await test.run("devices refused").all.contains("Nothing was refused"))
        #expect(await test.run("devices rm phone --yes").output.contains("Removed the device phone"))
        #expect(await test.run("devices list").all.contains("No devices"))
    }

    @Test func `a burst of requests is one operation`() {
        let (bursts, clock) = (DeviceBursts(), test.clock)
        let first = bursts.operation(of: "phone", at: clock.now)
        clock.advance(by: .seconds(29))
        #expect(bursts.operation(of: "phone", at: clock.now) == first)
        #expect(bursts.operation(of: "desk", at: clock.now) != first)
        clock.advance(by: .seconds(30))
        #expect(bursts.operation(of: "phone", at: clock.now) != first)
        #expect((0..<12).map { _ in bursts.mayRemove("phone", count: 12) }.filter { $0 }.count == 10)
        #expect(!(0..<12).map { _ in bursts.mayRemove("desk", count: 100) }.contains(false))
    }
}
