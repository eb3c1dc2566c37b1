import DBusTestSupport
import Synchronization
import Testing

@testable import DBus

/// A service with objects that come, change, go and start again, on a bus of its own.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct DBusObjectsTests {
    private let bus: TestBus
    private let client: DBusConnection
    private static let name = "org.example.Objects"
    private static let device = "org.example.Device"

    init() async throws {
        bus = try TestBus()
        client = try await bus.connect()
    }

    /// A process with objects that offers the name.
    private final class Provider: Sendable {
        let connection: DBusConnection
        private let tree = Mutex(DBusObjectTree())

        init(_ connection: DBusConnection, _ objects: [String: [String: DBusObjectCache.Properties]]) async throws {
            self.connection = connection
            tree.withLock { $0.objects = objects }
            connection.export("/") { [weak self] call throws(DBusError) in
                guard let answer = try self?.tree.withLock({ tree throws(DBusError) in try tree.answer(call) }) else {
                    throw .remote(name: "org.freedesktop.DBus.Error.UnknownMethod", message: "none")
                }
                return answer
            }
            while try await !connection.requestName(DBusObjectsTests.name) {}
        }

        func add(_ path: String, _ properties: DBusObjectCache.Properties) async throws {
            let signal = tree.withLock { tree in
                tree.objects[path] = [DBusObjectsTests.device: properties]
                return tree.added(path, below: "/")
            }
            try await connection.emit(signal)
        }

        func set(_ path: String, _ properties: DBusObjectCache.Properties) async throws {
            tree.withLock { $0.objects[path]?[DBusObjectsTests.device]?.merge(properties) { $1 } }
            try await connection.emit(DBusObjectTree.changed(properties, of: DBusObjectsTests.device, at: path))
        }

        func remove(_ path: String) async throws {
            tree.withLock { $0.objects[path] = nil }
            try await connection.emit(DBusObjectTree.removed([DBusObjectsTests.device], of: path, below: "/"))
        }

        func shout() async throws {
            try await connection.emit(DBusSignal(path: "/", interface: "org.example.Device", member: "Shouted"))
        }
    }

    /// Follows until `steps` events were seen, doing what each step says after its event. Returns a line for each event.
    private func follow(_ steps: [@Sendable () async throws -> Void]) async throws -> [String] {
        var lines: [String] = []
        try await DBusObjects(Self.name, over: client).follow(timeout: .seconds(3600)) { event, cache in
            let paths = cache.paths(with: Self.device).joined(separator: " ")
            switch event {
            case .changed(let changes): lines.append("\(changes.count) changed: \(paths)")
            case .signal(let signal): lines.append("\(signal.member): \(paths)")
            case .gone: lines.append("gone: \(paths)")
            }
            try await steps[lines.count - 1]()
            return lines.count < steps.count
        }
        return lines
    }

    @Test func `objects come, change, go, and send signals of their own`() async throws {
        let provider = try await Provider(try await bus.connect(), ["/a": [Self.device: ["RSSI": .int16(-1)]]])
        let lines = try await follow([
            { try await provider.add("/b", ["RSSI": .int16(-2)]) },
            {
                try await provider.set("/b", ["RSSI": .int16(-2)])
                try await provider.set("/b", ["RSSI": .int16(-3)])
            },
            { try await provider.shout() }, { try await provider.remove("/a") }, {},
        ])
        #expect(lines == ["1 changed: /a", "1 changed: /a /b", "1 changed: /a /b", "Shouted: /a /b", "1 changed: /b"])
    }

    @Test func `a service that comes later, goes and comes back is followed`() async throws {
        let bus = bus
        let providers = Mutex<[Provider]>([])
        @Sendable func start(_ path: String) async throws {
            let provider = try await Provider(try await bus.connect(), [path: [Self.device: [:]]])
            providers.withLock { $0.append(provider) }
        }
        let lines = try await follow([
            { try await start("/first") },
            { await providers.withLock { $0.removeLast() }.connection.close() },
            { try await start("/second") }, {},
        ])
        #expect(lines == ["gone: ", "1 changed: /first", "gone: ", "1 changed: /second"])
    }

    @Test func `what is sent while all objects are asked for is neither lost nor told twice`() async throws {
        let provider = try await Provider(try await bus.connect(), [:])
        let adding = Task { for number in 0..<200 { try await provider.add("/o\(number)", [:]) } }
        var (seen, last): (Set<String>, Int) = ([], 0)
        try await DBusObjects(Self.name, over: client).follow(timeout: .seconds(3600)) { event, cache in
            guard case .changed(let changes) = event else { return true }
            for change in changes {
                guard case .added(let path, _) = change else { continue }
                #expect(seen.insert(path).inserted, "\(path) was told twice")
            }
            last = cache.objects.count
            return last < 200
        }
        try await adding.value
        #expect(seen.count == 200 && last == 200)
    }

    @Test func `signals of another process are not taken for those of the service`() async throws {
        let provider = try await Provider(try await bus.connect(), ["/a": [Self.device: [:]]])
        let impostor = try await bus.connect()
        let signal = DBusObjectTree(["/evil": [Self.device: [:]]]).added("/evil", below: "/")
        let lines = try await follow([
            {
                try await impostor.emit(signal)
                _ = try await impostor.requestName("org.example.Settled")
                try await provider.add("/b", [:])
            }, {},
        ])
        #expect(lines == ["1 changed: /a", "1 changed: /a /b"])
    }

    @Test func `a service without objects is an error, and so is the end of the bus`() async throws {
        let service = try await bus.connect()
        #expect(try await service.requestName(Self.name))
        let error = await #expect(throws: DBusError.self) { try await follow([{}]) }
        #expect(error.map { "\($0)" }?.contains("UnknownObject") == true)
        await service.close()
        let bus = bus
        await #expect(throws: DBusError.disconnected) { try await follow([{ bus.kill() }, {}]) }
    }
}
