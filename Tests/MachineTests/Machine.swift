import Contacts
import Dictofun
import FoundationEssentials
import Glibc
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Market
import Mintee
import Notes
import SQLite
import Storage
import Synchronization
import WebSocket

@testable import HubRuntime

/// A machine of the tests: a store with its own folder and clock. Each command and each exchange is a process of its own.
final class Machine: Sendable {
    let name: String
    let test: TestHub

    init(_ name: String) throws {
        self.name = name
        test = try TestHub(
            ContactsPlugin.self, MinteePlugin.self, MarketPlugin.self, DictofunPlugin.self, NotesPlugin.self)
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
    func sync(
        _ home: Machine, as device: String? = nil, losing losses: Losses = Losses(), fetches: FetchedFiles = .all
    ) async throws -> MachineReport {
        let link = CallLink(home: home, device: device ?? name, losses: losses)
        let hub = test.hub()
        do {
            var report = try await MachineSync(
                try hub.database(), with: home.name, over: link, as: name, fetches: fetches
            ) { _, _ in true }.run()
            try await MachineExchanges(hub).run(with: home.name, over: link, &report)
            await link.end()
            await hub.openedDatabase?.close()
            return report
        } catch {
            await link.end()
            await hub.openedDatabase?.close()
            throw error
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

    /// The notes as they are on this machine, sorted: all that two machines have in common.
    func notes() async throws -> [String] {
        try await values(
            """
            SELECT n.id || ' ' || t.title || ' | ' || t.content || ' | ' || n.folder || ' | ' || n.owner || ' | ' || n.pinned
                || ' | ' || n.created_at || ' ' || t.changed_at || ' | ' || (n.deleted_at IS NOT NULL) || ' | '
                || ifnull((SELECT group_concat(tag) FROM (SELECT tag FROM notes_tag WHERE note = n.id ORDER BY folded)), '') || ' | '
                || ifnull((SELECT group_concat(blob) FROM (
                    SELECT blob FROM notes_attachment WHERE note = n.id ORDER BY path)), '')
            FROM notes_note n JOIN notes_text t ON t.note = n.id ORDER BY n.id
            """, of: "notes")
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
    /// The requests in which the exchange is cancelled.
    var cancels: Set<Int> = []
    /// Whether the home is of an older version of hub, which remembers nothing of a message.
    var isOlder = false
    /// The number of frames of the home after which its connection is lost; nil for none.
    var frames: Int?
}

/// A connection between two machines that is two queues. It may be lost after some frames of the home.
final class ChannelPipe: MachineChannel, WebSocketPeer {
    private let toHome = AsyncStream<String>.makeStream()
    private let toSpoke = AsyncStream<String>.makeStream()
    private let left: Mutex<Int?>

    init(lostFrom frames: Int?) {
        left = Mutex(frames)
    }

    func end() {
        toHome.continuation.finish()
        toSpoke.continuation.finish()
    }

    func receive() async -> MachineChannelEvent {
        var iterator = toSpoke.stream.makeAsyncIterator()
        return await iterator.next().map { .text($0) } ?? .closed("the connection was closed")
    }

    func send(_ text: String) { toHome.continuation.yield(text) }

    func ping() {}

    func close(_ code: UInt16, reason: String) { end() }

    func receive() async -> WebSocketConnection.Message? {
        var iterator = toHome.stream.makeAsyncIterator()
        return await iterator.next().map { .text($0) }
    }

    func send(_ messages: [WebSocketConnection.Message]) -> Bool {
        for case .text(let text) in messages {
            let isLost = left.withLock { left in
                guard let count = left else { return false }
                left = count - 1
                return count <= 0
            }
            if isLost {
                end()
                return false
            }
            toSpoke.continuation.yield(text)
        }
        return true
    }

    func flushed() async {}

    func close(_ code: WebSocketCloseCode, reason: String) { end() }
}

/// A connection between two machines that is a call.
final class CallLink: MachineLink {
    private let home: Machine
    private let device: String
    private let losses: Losses
    private let count = Mutex(0)
    /// What the home serves.
    private let served = Mutex<[Task<Void, Never>]>([])

    init(home: Machine, device: String, losses: Losses) {
        (self.home, self.device, self.losses) = (home, device, losses)
    }

    func ask(_ path: String, _ body: [UInt8]) async throws -> (status: Int, body: [UInt8]) {
        let number = count.withLock { count in
            count += 1
            return count - 1
        }
        if losses.cancels.contains(number) { withUnsafeCurrentTask { $0?.cancel() } }
        let lost = HubError(.unavailable, code: "lost", "lost")
        if losses.requests.contains(number) { throw lost }
        let device = device
        let answer = try await home.with { [name = home.name] database in
            try await MachineHome(database, name: name).answer(path, body, from: device, operation: Identifier.make())
        }
        if losses.answers.contains(number) { throw lost }
        guard losses.isOlder else { return (answer.status, answer.body) }
        if path == "documents", body.first != UInt8(ascii: "[") { return (400, MachineMessage.object([])) }
        let text = String(decoding: answer.body, as: UTF8.self)
        return (answer.status, Array(text.replacing(",\"stored\":[]", with: "").utf8))
    }

    func open(_ path: String) async throws -> any MachineChannel {
        let hub = home.test.hub()
        let plugin = String(path.dropFirst(MachineHome.exchange.count))
        guard let serve = try MachineExchanges(hub).servers[plugin] else {
            throw HubError(.unavailable, code: "no-exchange", "no exchange")
        }
        let pipe = ChannelPipe(lostFrom: losses.frames)
        let device = device
        let task = Task {
            try? await serve(pipe, device)
            pipe.end()
            await hub.openedDatabase?.close()
        }
        served.withLock { $0.append(task) }
        return pipe
    }

    /// Waits until the home serves nothing any more, as after the end of a process.
    func end() async {
        for task in served.withLock({ $0 }) { await task.value }
    }
}
