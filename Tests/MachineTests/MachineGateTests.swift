import DAVServer
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Mintee
import SQLite
import Storage
import Testing
import WebServer

@testable import HubRuntime

/// Who may join, and who gets something.
@MainActor
struct MachineGateTests {
    private let test: TestHub
    private let hub: Hub
    private let gate: MachineGate
    private let app: DeviceApp
    private let store: DeviceStore

    init() throws {
        test = try TestHub(MinteePlugin.self)
        hub = test.hub()
        store = DeviceStore(try hub.database())
        gate = MachineGate(MachineHome(try hub.database(), name: "desk"), authority: "PEM")
        app = DeviceApp(
            [], store: store, names: DeviceApp.hosts(of: .loopback(port: 4843), names: [], isEncrypted: false),
            machines: gate, clock: test.clock, requests: DeviceLog(hub), log: Log(label: "test") { _, _, _ in })
    }

    private func ask(_ path: String, _ body: String, user: String? = nil, method: String = "POST") async throws -> (
        status: Int, body: String
    ) {
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: method), target: try #require(RequestTarget(path)),
            headers: ["Host": "127.0.0.1:4843"])
        if let user { request.headers["Authorization"] = "Basic " + Base64.encode(Array(user.utf8)) }
        request.body = Array(body.utf8)
        request.peer = "192.0.2.1"
        let response = await app.respond(to: request)
        guard case .bytes(let bytes) = response.body else { return (response.status, "") }
        return (response.status, String(decoding: bytes, as: UTF8.self))
    }

    @Test func `a hub joins by its code once, and only within ten minutes`() async throws {
        let code = try await store.addHub("laptop", endingAt: test.clock.now + .seconds(600))
        #expect(code.utf8.count == 16)
        let look = try await ask("/hub/v1/join", #"{"code":"\#(code)","look":"yes"}"#)
        #expect(look.status == 200 && look.body.contains(#""machine":"desk""#), "looking does not use it up")
        let joined = try await ask("/hub/v1/join", #"{"code":"\#(code.uppercased())"}"#)
        #expect(joined.status == 200 && joined.body.contains(#""authority":"PEM""#))
        let password = try #require(joined.body.firstMatch(of: /"password":"([^"]+)"/)).1
        #expect(try await ask("/hub/v1/state", "", user: "laptop:\(password)").status == 200)
        #expect(try await ask("/hub/v1/join", #"{"code":"\#(code)"}"#).status == 403)
        let late = try await store.addHub("tablet", endingAt: test.clock.now + .seconds(600))
        test.clock.advance(by: .seconds(601))
        #expect(try await ask("/hub/v1/join", #"{"code":"\#(late)"}"#).status == 403)
        let guessed = try await store.addHub("phone", endingAt: test.clock.now + .seconds(600))
        for _ in 0..<5 { #expect(try await ask("/hub/v1/join", #"{"code":"0000000000000000"}"#).status == 403) }
        #expect(try await ask("/hub/v1/join", #"{"code":"\#(guessed)"}"#).status == 403, "five guesses end it")
        await hub.close()
    }

    @Test func `what is not another hub gets nothing of it`() async throws {
        let phone = "phone:\(try await store.add("phone", scopes: [.contacts, .tasks], isReadOnly: false))"
        _ = try await store.addHub("laptop", endingAt: test.clock.now + .seconds(600))
        let laptop = "laptop:\(try await store.renewPassword(of: "laptop"))"
        for path in ["state", "hello", "changes", "documents", "blob/\(String(repeating: "a", count: 64))/0"] {
            #expect(try await ask("/hub/v1/\(path)", "{}").status == 401, "\(path)")
            #expect(try await ask("/hub/v1/\(path)", "{}", user: phone).status == 403, "\(path)")
            #expect(try await ask("/hub/v1/\(path)", "{}", user: laptop, method: "GET").status == 405, "\(path)")
        }
        #expect(try await ask("/contacts/", "", user: laptop, method: "PROPFIND").status == 403)
        #expect(try await ask("/hub/v1/changes", "[", user: laptop).status == 400)
        #expect(try await ask("/hub/v1/else", "{}", user: laptop).status == 404)
        for place in ["-1", "\(Int.max)", "\(Int.max)/8", "0/\(Int.max)"] {
            let path = "/hub/v1/blob/\(String(repeating: "a", count: 64))/\(place)"
            #expect(try await ask(path, "{}", user: laptop).status == 400, "\(place)")
        }
        #expect(try await store.remove("laptop"))
        #expect(try await ask("/hub/v1/state", "{}", user: laptop).status == 401)
        await hub.close()
    }

    @Test(arguments: [
        (#""core_device":{"[]":{"hash":"x"}}"#, "does not belong"),
        (#""mintee_tag":{"[]":{"sql":1}}"#, "not exchanged"),
        (#""mintee_tag":{"[]":{"name":" "}}"#, "I_3"), (#""mintee_tag":{"[7]":{"name":"a"}}"#, "another key"),
    ])
    func `a document with foreign rows is refused`(rows: String, reason: String) async throws {
        _ = try await store.addHub("laptop", endingAt: test.clock.now + .seconds(600))
        let laptop = "laptop:\(try await store.renewPassword(of: "laptop"))"
        let sent = #"[{"kind":"task-tags","name":"a","etag":"","document":{"rows":{\#(rows)},"v":1}}]"#
        let answer = try await ask("/hub/v1/documents", sent, user: laptop)
        #expect(answer.status == 200 && answer.body.contains("refused"), "\(answer)")
        #expect(answer.body.contains(reason), "\(answer.body)")
        let count = try await hub.database().store(for: "mintee").read {
            try $0.row("SELECT count(*) FROM mintee_tag") { $0.int(0) }
        }
        #expect(count == 0)
        await hub.close()
    }

    @Test func `a line is read as it was printed`() throws {
        let text = "https://desk.local:4843/#join=laptop.9fk2m4p7q8r9s1t2." + String(repeating: "ab", count: 32)
        let line = try #require(JoinLine(text))
        #expect(line.text == text)
        #expect(line.name == "laptop" && line.code == "9fk2m4p7q8r9s1t2" && line.fingerprint != nil)
        for bad in [
            "", "https://desk.local:4843/", "http://desk.local:4843/#join=a.9fk2m4p7q8r9s1t2", "https://d/#join=a.b",
            "http://127.example.org/#join=a.9fk2m4p7q8r9s1t2",
            text + "x", text + ".x",
        ] {
            #expect(JoinLine(bad) == nil, "\(bad)")
        }
        #expect(JoinLine("http://127.0.0.1:4843/#join=a.9fk2m4p7q8r9s1t2") != nil, "a tunnel")
        #expect(JoinLine("http://127.0.0.2:4843/#join=a.9fk2m4p7q8r9s1t2") != nil, "of this machine too")
    }
}
