import Contacts
import Dictofun
import FoundationEssentials
import Glibc
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Market
import Mintee
import SQLite
import Storage
import Synchronization

@testable import HubRuntime

/// A machine of the tests: a store with its own folder and clock. Each command and each exchange is a process of its own.
final class Machine: Sendable {
    let name: String
    let test: TestHub

    init(_ name: String) throws {
        self.name = name
        test = try TestHub(ContactsPlugin.self, MinteePlugin.self, MarketPlugin.self, DictofunPlugin.self)
    }

    /// Runs a command, which must succeed.
    func run(_ line: String) async throws {
        let run = await test.run(line)
        guard run.exit == 0 else {
            throw HubError(.internal, code: "test", "\(name): hub \(line): \(run.exit) \(run.all)")
        }
    }

    /// Runs `body` with the store.
    func with<T: Sendable>(_ body: @Sendable (Database) async throws -> T) async throws -> T {
        let hub = test.hub()
        do {
            let value = try await body(try hub.database())
            await hub.openedDatabase?.close()
            return value
        } catch {
            await hub.openedDatabase?.close()
            throw error
        }
    }

    /// Notes that `home` was joined.
    func join(_ home: Machine) async throws {
        let replica = try await home.with { try await MachineHome($0).replica() }
        try await with { database in
            try await database.store(for: "core").write(Operation("test", kind: .cache)) { transaction in
                try transaction.startDocuments()
                try transaction.save(
                    JoinedMachine(
                        name: home.name, replica: replica, own: try transaction.replica(), joinedAt: transaction.now))
            }
        }
    }

    /// Exchanges with `home`.
    @discardableResult
    func sync(_ home: Machine, as device: String? = nil, losing losses: Losses = Losses()) async throws -> MachineReport
    {
        let link = CallLink(home: home, device: device ?? name, losses: losses)
        return try await with { [name] database in
            try await MachineSync(database, with: home.name, over: link, as: name) { _, _ in true }.run()
        }
    }

    /// The hashes of all documents, sorted: equal for machines that are in step.
    func content() async throws -> [String] {
        try await with { database in
            let store = database.store(for: "core")
            try await MachineHome.refresh(store)
            return try await store.read { transaction in
                try transaction.documentChanges(after: 0, limit: 1_000_000).filter { !$0.etag.isEmpty }
                    .map { "\($0.kind) \($0.etag)" }.sorted()
            }
        }
    }

    /// The values of one column.
    func values(_ sql: String, of owner: String) async throws -> [String] {
        try await with { database in
            try await database.store(for: owner).read { try $0.rows(sql) { $0.text(0) } }
        }
    }

    /// Changes rows as a command would.
    func change(_ owner: String, _ sql: String) async throws {
        try await with { database in
            try await database.store(for: owner).write(Operation("test")) { _ = try $0.run(sql) }
        }
    }

    func held() async throws -> [HeldDocument] {
        try await with { try await $0.store(for: "core").read { try $0.heldDocuments() } }
    }

    /// Copies all files of the store.
    func save(to folder: String) throws {
        try? FileManager.default.removeItem(atPath: folder)
        try FileManager.default.copyItem(atPath: data, toPath: folder)
    }

    /// Puts saved files in the place of the store's, as the snapshot of a disk does: into the same file.
    func setBack(to folder: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasPrefix("hub.db") {
            guard let bytes = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
            let path = data + "/" + name
            guard let file = fopen(path, "w") else { throw HubError(.internal, code: "test", "cannot write \(path)") }
            bytes.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
            fclose(file)
        }
        for name in ["hub.db-wal", "hub.db-shm"]
        where !FileManager.default.fileExists(atPath: folder + "/" + name) {
            try? FileManager.default.removeItem(atPath: data + "/" + name)
        }
    }

    var data: String { test.home + "/.local/share/hub" }
}

/// The requests that get lost: before they arrive, or with their answers.
struct Losses: Sendable {
    var requests: Set<Int> = []
    var answers: Set<Int> = []
}

/// A connection between two machines that is a call.
final class CallLink: MachineLink {
    private let home: Machine
    private let device: String
    private let losses: Losses
    private let count = Mutex(0)

    init(home: Machine, device: String, losses: Losses) {
        (self.home, self.device, self.losses) = (home, device, losses)
    }

    func ask(_ path: String, _ body: [UInt8]) async throws -> (status: Int, body: [UInt8]) {
        let number = count.withLock { count in
            count += 1
            return count - 1
        }
        let lost = HubError(.unavailable, code: "lost", "lost")
        if losses.requests.contains(number) { throw lost }
        let device = device
        let answer = try await home.with { [name = home.name] database in
            try await MachineHome(database, name: name).answer(path, body, from: device, operation: Identifier.make())
        }
        if losses.answers.contains(number) { throw lost }
        return (answer.status, answer.body)
    }
}
