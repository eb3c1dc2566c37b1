import DAVServer
import Dictofun
import FoundationEssentials
import HTTPClient
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Storage
import Testing
import WebServer

@testable import HubRuntime

/// A device that reads a sound of the laptop, which only the desk has.
@MainActor
struct AbsentSoundTests {
    private let desk: TestHub
    private let laptop: TestHub
    private let home: Hub

    init() throws {
        (desk, laptop) = (try TestHub(DictofunPlugin.self), try TestHub(DictofunPlugin.self))
        home = desk.hub()
    }

    /// Serves the desk to other machines; at an address that it had before if one is given.
    private func serve(at address: SocketAddress = .loopback(port: 0)) throws -> (server: HTTPServer, SocketAddress) {
        let listener = try ListeningSockets().socket(on: address)
        let bound = listener.address
        let app = DeviceApp(
            [], store: DeviceStore(try home.database()),
            names: DeviceApp.hosts(of: bound, names: [], isEncrypted: false),
            machines: MachineGate(MachineHome(try home.database(), name: "desk"), authority: nil),
            clock: desk.clock, requests: DeviceLog(home), log: Log(label: "test") { _, _, _ in })
        let server = try HTTPServer(listener, limits: ServerLimits()) { await app.respond(to: $0) }
        return (server, bound)
    }

    @Test func `a sound of another machine is refused while that is away, and comes with the first request after`()
        async throws
    {
        let sound = RandomMachines.sound(1)
        let path = desk.home + "/memo.wav"
        try Data(sound).write(to: URL(filePath: path))
        for line in ["config set plugins.dictofun.transcribe false", "dictofun import \(path)"] {
            let run = await desk.run(line)
            #expect(run.exit == 0, "\(run.all)")
        }
        #expect(await laptop.run("config set hub.join.audio ask").exit == 0)
        let (first, address) = try serve()
        let code = try await DeviceStore(try home.database()).addHub(
            "laptop", endingAt: desk.clock.now + .seconds(600))
        let url = try #require(HTTPURL("http://127.0.0.1:\(address.port)/"))
        let hub = laptop.hub()
        let pairs = MachinePairs(hub)
        let (access, machine, replica) = try await pairs.pair(
            by: JoinLine(url: url, name: "laptop", code: code, fingerprint: nil))
        try await pairs.join(machine, access, replica: replica)
        #expect(try await pairs.sync("desk").received["records"] == 1)

        let store = DeviceStore(try hub.database())
        let user = "phone:\(try await store.add("phone", scopes: [.records], isReadOnly: true))"
        let app = DeviceApp(
            [], folders: try DeviceListener.folders(hub), store: store,
            names: DeviceApp.hosts(of: .loopback(port: 4843), names: [], isEncrypted: false), clock: laptop.clock,
            requests: DeviceLog(hub), log: Log(label: "test") { _, _, _ in })
        func ask(_ method: String, range: String? = nil) async throws -> WebServer.HTTPResponse {
            var request = HTTPRequest(
                method: HTTPMethod(rawValue: method), target: try #require(RequestTarget("/records/memo.wav")),
                headers: [
                    "Host": "127.0.0.1:4843", "Authorization": "Basic " + Base64.encode(Array(user.utf8)),
                    "User-Agent": "App/1.0",
                ])
            request.headers["Range"] = range
            request.peer = "192.0.2.1"
            return await app.respond(to: request)
        }
        func isHere() async throws -> Bool {
            try await hub.database().store(for: "core").read { try $0.absentFiles().isEmpty }
        }

        // Lists and HEAD tell of it, and fetch nothing.
        let head = try await ask("HEAD")
        #expect(head.status == 200 && head.headers["Accept-Ranges"] == "bytes")
        #expect(try await !isHere())

        await first.stop()
        for range in [nil, "bytes=44-143"] {
            let refused = try await ask("GET", range: range)
            #expect(refused.status == 503 && refused.headers["Retry-After"] != nil)
            #expect(refused.text.contains("this sound is on desk, which cannot be reached"), "\(refused.text)")
        }
        #expect(try await !isHere())

        let (second, _) = try serve(at: address)
        let part = try await ask("GET", range: "bytes=44-143")
        #expect(part.status == 206 && part.headers["Content-Range"] == "bytes 44-143/\(sound.count)")
        guard case .bytes(let bytes) = part.body else { return #expect(Bool(false), "a part has its bytes") }
        #expect(bytes == Array(sound[44..<144]))
        #expect(try await isHere())

        // From now on it is here, whether the desk is or not.
        await second.stop()
        let whole = try await ask("GET")
        guard case .bytes(let all) = whole.body else { return #expect(Bool(false), "a sound has its bytes") }
        #expect(whole.status == 200 && all == sound && whole.headers["ETag"] == head.headers["ETag"])
        await hub.close()
        await home.close()
    }
}
