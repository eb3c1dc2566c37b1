import DAVServer
import HubKit
import Storage
import Sync
import Synchronization
import WebServer

/// One request of a device, with what the engine needs to know of it.
struct DeviceSession: DAVDevice {
    let author: ServedAuthor
    private let device: RegisteredDevice
    private let store: DeviceStore
    private let bursts: DeviceBursts

    init(_ device: RegisteredDevice, program: String, operation: String, store: DeviceStore, bursts: DeviceBursts) {
        self.device = device
        self.store = store
        self.bursts = bursts
        author = ServedAuthor(device: device.name, program: program, operation: operation)
    }

    var isReadOnly: Bool { device.isReadOnly }

    func mayUse(_ home: DAVCollection.Home) -> Bool { device.scopes.contains(home.rawValue) }

    func noteServed(_ items: [ServedItem], of collection: String, words: Set<String>) async throws {
        if items.isEmpty { return }
        try await store.noteServed(items, of: collection, words: words, to: device.name, author.program)
    }

    func base(
        of name: String, etag: String?, in collection: String
    ) async throws -> (content: [UInt8]?, words: Set<String>) {
        try await store.base(of: name, etag: etag, in: collection, for: device.name, author.program)
    }

    func keepRefused(
        _ content: [UInt8], as name: String, id: String, in collection: String, reason: String
    ) async throws {
        try await store.keepRefused(content, as: name, id: id, of: collection, from: device.name, reason: reason)
    }

    func mayRemove(from collection: String, count: Int) -> Bool { bursts.mayRemove(device.name, count: count) }

    func ownCard() async throws -> String? { device.ownCard }

    func setOwnCard(_ href: String?) async throws { try await store.setOwnCard(href, of: device.name) }

    func properties(of collection: String) async throws -> [String: String] {
        try await store.properties(of: collection, on: device.name)
    }

    func setProperties(_ properties: [String: String?], of collection: String) async throws {
        try await store.setProperties(properties, of: collection, on: device.name)
    }
}

/// The requests of a device that follow each other closely: what they change is one operation, which is undone as a whole.
final class DeviceBursts: Sendable {
    /// The time without a request after which another operation begins, in milliseconds.
    private static let pause: Int64 = 30_000

    private struct Burst {
        var operation = Identifier.make()
        var last: Int64
        var removed = 0
        /// The number of items before the first removal.
        var count: Int?
    }

    private let bursts = Mutex<[String: Burst]>([:])
    private let days = Mutex<[String: Int64]>([:])

    /// Whether a device makes its first request of the day.
    func isFirstOfDay(_ device: String, at now: Instant) -> Bool {
        days.withLock { days in
            let day = now.milliseconds / 86_400_000
            return days.updateValue(day, forKey: device) != day
        }
    }

    /// The id of the operation for a request of a device now.
    func operation(of device: String, at now: Instant) -> String {
        bursts.withLock { bursts in
            if var burst = bursts[device], now.milliseconds - burst.last < Self.pause {
                burst.last = now.milliseconds
                bursts[device] = burst
                return burst.operation
            }
            let burst = Burst(last: now.milliseconds)
            bursts[device] = burst
            return burst.operation
        }
    }

    /// Counts a removal of one of `count` items; false when there were too many in this burst: more than ten and more than a quarter.
    func mayRemove(_ device: String, count: Int) -> Bool {
        bursts.withLock { bursts in
            guard var burst = bursts[device] else { return true }
            let first = burst.count ?? count
            burst.count = first
            burst.removed += 1
            bursts[device] = burst
            return burst.removed <= max(10, first / 4)
        }
    }
}

/// The requests of each device, in files of their own.
struct DeviceLog: Sendable {
    private let folder: String
    private let clock: any Clock

    init(_ hub: Hub) { (folder, clock) = (hub.directories.state + "/devices", hub.clock) }

    /// The path of the log of a device.
    func path(of device: String) -> String { "\(folder)/\(device).log" }

    /// Adds a line for a request.
    func append(_ device: String, _ request: HTTPRequest, status: Int, milliseconds: Int64) {
        let program = request.headers["User-Agent"].map { " \($0.prefix(80))" } ?? ""
        LogFile(path: path(of: device), clock: clock).append(
            .info, device, "\(request.method.rawValue) \(request.path) \(status) \(milliseconds) ms\(program)")
    }
}
