import DAVServer
import HubKit
import Storage
import Sync

/// The devices in the store, so that the daemon knows at once what a command changes.
struct DeviceStore: Sendable {
    private let store: Store

    init(_ database: Database) { store = database.store(for: "core") }

    /// The database.
    var database: Database { store.database }

    private static var operation: Operation {
        Operation("devices", who: .service("devices"), kind: .cache)
    }

    /// Returns all devices.
    func devices() async throws -> [RegisteredDevice] { try await store.read { try $0.registeredDevices() } }

    /// Returns the device `name`; nil if there is none.
    func device(_ name: String) async throws -> RegisteredDevice? {
        try await store.read { try $0.registeredDevice(name) }
    }

    /// Adds a device and returns its password, which is not kept. Throws `conflict` if there is one of that name.
    func add(
        _ name: String, scopes: [DAVCollection.Home], isReadOnly: Bool, seesEachBook: Bool = false
    ) async throws -> String {
        let more = seesEachBook ? [RegisteredDevice.eachBook] : []
        return try await add(name, scopes: scopes.map(\.rawValue) + more, isReadOnly: isReadOnly)
    }

    private func add(_ name: String, scopes: [String], isReadOnly: Bool = false) async throws -> String {
        let password = DevicePassword.make()
        let hash = try DevicePassword.hash(password)
        try await store.write(Self.operation) { transaction in
            guard try transaction.registeredDevice(name) == nil else {
                throw HubError(
                    .conflict, code: "device-exists", "there is a device named \(name) already",
                    hint: "use another name, or hub devices rm \(name) first")
            }
            try transaction.addRegisteredDevice(
                name, hash: hash, scopes: scopes, isReadOnly: isReadOnly)
        }
        return password
    }

    /// Adds a device that is another hub, which joins by a code until `end`. Throws `conflict` if there is one of that name.
    func addHub(_ name: String, endingAt end: Instant) async throws -> String {
        _ = try await add(name, scopes: [MachineGate.scope])
        let code = JoinCode.make()
        let hash = try JoinCode.hash(code)
        try await store.write(Self.operation) { transaction in
            try transaction.startDocuments()
            try transaction.addJoinCode(hash, for: name, endingAt: end)
        }
        return code
    }

    /// Gives a device a new password.
    func renewPassword(of device: String) async throws -> String {
        let password = DevicePassword.make()
        let hash = try DevicePassword.hash(password)
        try await store.write(Self.operation) { try $0.setDevicePassword(device, hash: hash) }
        return password
    }

    /// Removes a device; whether there was one.
    func remove(_ name: String) async throws -> Bool {
        try await store.write(Self.operation) { try $0.removeRegisteredDevice(name) }
    }

    /// Gives a device a code by which it gets its settings until `end`. The password changes when it does.
    func makeCode(for device: String, endingAt end: Instant) async throws -> String {
        let code = WebSecret.make()
        let hash = try WebSecret.hash(code)
        try await store.write(Self.operation) { try $0.addDeviceCode(hash, for: device, endingAt: end) }
        return code
    }

    /// Returns the device of a code; nil if there is none, or its time is over.
    func device(ofCode code: String, at moment: Instant) async throws -> RegisteredDevice? {
        let hash = try WebSecret.hash(code)
        return try await store.read { try $0.device(ofCode: hash, at: moment) }
    }

    /// Makes the password that belongs to a code the one of a device, and returns it.
    func setPassword(of device: String, by code: String) async throws -> String {
        let password = try DevicePassword.made(from: code)
        let hash = try DevicePassword.hash(password)
        try await store.write(Self.operation) { try $0.setDevicePassword(device, hash: hash) }
        return password
    }

    /// Notes that a device was here, unless that was noted in the last minute.
    func noteSeen(_ device: RegisteredDevice, program: String, at now: Instant) async throws {
        if let seen = device.seenAt, device.program == program, now.milliseconds - seen.milliseconds < 60_000 { return }
        try await store.write(Operation("devices", who: .service("devices"), kind: .fetched)) {
            try $0.noteSeen(device.name, program: program)
        }
    }

    /// Returns what was refused, the newest first.
    func refusals() async throws -> [StoredRefusal] { try await store.read { try $0.refusals() } }

    /// Keeps the address of the card of the person who has a device.
    func setOwnCard(_ href: String?, of device: String) async throws {
        try await store.write(Self.operation) { try $0.setOwnCard(href, of: device) }
    }

    /// Returns the properties that a device has set of a collection.
    func properties(of collection: String, on device: String) async throws -> [String: String] {
        try await store.read { try $0.deviceProperties(of: collection, on: device) }
    }

    /// Keeps properties of a collection for a device; nil removes one.
    func setProperties(_ properties: [String: String?], of collection: String, on device: String) async throws {
        try await store.write(Self.operation) { transaction in
            for (name, value) in properties {
                try transaction.setDeviceProperty(name, value, of: collection, on: device)
            }
        }
    }

    /// Notes what a program on a device was given, and the words that it wrote.
    func noteServed(
        _ items: [ServedItem], of collection: String, words: Set<String>, to device: String, _ program: String
    ) async throws {
        let versions = try items.map { item in
            (
                item: item,
                version: item.entry.etag.isEmpty ? "sent-\(try Self.digest(item.content))" : item.entry.etag
            )
        }
        let isNew = try await store.read { transaction in
            let known = try transaction.servedVersions(items.map(\.entry.name), of: collection, to: device, program)
            let areWordsNew = try !words.isSubset(of: transaction.writtenWords(of: device, program))
            return areWordsNew || versions.contains { known[$0.item.entry.name] != $0.version }
        }
        guard isNew else { return }
        try await store.write(Self.operation) { transaction in
            for (item, version) in versions {
                try transaction.noteServed(
                    item.entry.name, subject: item.entry.id, version: version, content: item.content, of: collection,
                    to: device, program)
            }
            if !words.isEmpty {
                let known = try transaction.writtenWords(of: device, program)
                try transaction.setWrittenWords(known.union(words), of: device, program)
            }
        }
    }

    /// Forgets what a device was given of items that are gone, a while after it was given them. A calendar has other items each day.
    func forgetGone(from collection: DAVCollection, on device: String, before moment: Instant) async throws {
        let names = try await store.read { try $0.servedNames(of: collection.href, to: device, before: moment) }
        for start in stride(from: 0, to: names.count, by: 500) {
            let part = Array(names[start..<min(names.count, start + 500)])
            let live = Set(try await collection.items.items(named: part).map(\.entry.name))
            let gone = part.filter { !live.contains($0) }
            if gone.isEmpty { continue }
            try await store.write(Self.operation) { try $0.forgetServed(gone, of: collection.href, to: device) }
        }
    }

    private static func digest(_ content: [UInt8]) throws -> String {
        try WebSecret.hash(bytes: content).prefix(16).map { String($0, radix: 16) }.joined(separator: ".")
    }

    /// Returns the version that a program on a device was last given, or the one with an etag, nil if it is no longer known, and the
    /// words it has written.
    func base(
        of name: String, etag: String?, in collection: String, for device: String, _ program: String
    ) async throws -> (content: [UInt8]?, words: Set<String>) {
        try await store.read { transaction in
            // A program that names a version that is no longer known has not seen the last one either.
            let version =
                try etag ?? transaction.servedVersions([name], of: collection, to: device, program)[name]
            return (
                try version.flatMap { try transaction.servedContent($0) },
                try transaction.writtenWords(of: device, program)
            )
        }
    }

    /// Keeps what a device sent that was not stored as sent.
    func keepRefused(
        _ content: [UInt8], as name: String, id: String, of collection: String, from device: String, reason: String
    ) async throws {
        try await store.write(Self.operation) {
            try $0.keepRefused(content, as: name, subject: id, of: collection, from: device, reason: reason)
        }
    }
}
