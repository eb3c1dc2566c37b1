import Hashing
import Sync
import Synchronization

@testable import DAVServer

/// A collection in memory that stores what it is given, whole.
final class MemoryCollection: ServedCollection {
    struct State {
        var items: [String: (content: [UInt8], number: Int)] = [:]
        var gone: [String: Int] = [:]
        var number = 0
        /// The next results of `put`, in place of storing.
        var results: [ServedPutResult] = []
        var puts: [ServedPut] = []
    }

    let state: Mutex<State>

    init(_ texts: [(name: String, text: String)] = []) {
        var state = State()
        for (name, text) in texts {
            state.number += 1
            state.items[name] = (Array(text.utf8), state.number)
        }
        self.state = Mutex(state)
    }

    static func etag(_ content: [UInt8]) -> String { String(FNV1a.hash(content), radix: 16) }

    private static func item(_ name: String, _ content: [UInt8]) -> ServedItem {
        ServedItem(
            ServedEntry(name: name, id: "1", etag: etag(content), length: content.count, changedAt: 1_795_823_999_000),
            content: content)
    }

    func removeNow(_ name: String) {
        state.withLock { state in
            state.number += 1
            state.items[name] = nil
            state.gone[name] = state.number
        }
    }

    func state() async throws -> ServedState {
        ServedState(epoch: "k3f9x2m7q1w8r5t0", number: state.withLock(\.number))
    }

    func count() async throws -> Int { state.withLock(\.items.count) }

    func entries(after name: String?, limit: Int) async throws -> [ServedEntry] {
        state.withLock { state in
            state.items.sorted { $0.key < $1.key }.filter { $0.key > name ?? "" }.prefix(limit).map {
                Self.item($0.key, $0.value.content).entry
            }
        }
    }

    func changes(after number: Int, upTo last: Int, limit: Int) async throws -> [ServedChange] {
        state.withLock { state in
            let all =
                state.items.map { ServedChange(number: $0.value.number, name: $0.key, isGone: false) }
                + state.gone.map { ServedChange(number: $0.value, name: $0.key, isGone: true) }
            return Array(
                all.filter { $0.number > number && $0.number <= last }.sorted { $0.number < $1.number }.prefix(limit))
        }
    }

    func items(named names: [String]) async throws -> [ServedItem] {
        state.withLock { state in
            names.compactMap { name in state.items[name].map { Self.item(name, $0.content) } }
        }
    }

    func put(_ put: ServedPut) async throws -> ServedPutResult {
        state.withLock { state in
            state.puts.append(put)
            if !state.results.isEmpty { return state.results.removeFirst() }
            let name = put.name ?? "made.vcf"
            let old = state.items[name]
            state.number += 1
            state.items[name] = (put.content, state.number)
            let item = Self.item(name, put.content)
            var report = ServedPutReport(item.entry, content: put.content)
            report.isNew = old == nil
            return .stored(report)
        }
    }

    func remove(_ name: String, if condition: ServedCondition, by author: ServedAuthor) async throws -> ServedRemoval {
        guard try await !items(named: [name]).isEmpty else { return .missing }
        removeNow(name)
        return .removed
    }

    func renumber(_ name: String) async throws {
        state.withLock { state in
            state.number += 1
            state.items[name]?.number = state.number
        }
    }
}

/// A device that remembers in memory.
final class MemoryDevice: DAVDevice {
    let isReadOnly: Bool
    let scopes: Set<String>
    let author = ServedAuthor(device: "phone", program: "Test", operation: "1")
    let served = Mutex<[String: [UInt8]]>([:])
    let refused = Mutex<[String]>([])
    let card = Mutex<String?>(nil)
    let removals = Mutex(0)

    init(isReadOnly: Bool = false, scopes: Set<String> = ["contacts"]) {
        (self.isReadOnly, self.scopes) = (isReadOnly, scopes)
    }

    func mayUse(_ home: DAVCollection.Home) -> Bool { scopes.contains(home.rawValue) }

    func noteServed(_ items: [ServedItem], of collection: String, words: Set<String>) async throws {
        served.withLock { served in for item in items { served[item.entry.name] = item.content } }
    }

    func base(
        of name: String, etag: String?, in collection: String
    ) async throws -> (content: [UInt8]?, words: Set<String>) { (served.withLock { $0[name] }, []) }

    func keepRefused(
        _ content: [UInt8], as name: String, id: String, in collection: String, reason: String
    ) async throws {
        refused.withLock { $0.append("\(collection)\(name): \(reason)") }
    }

    func mayRemove(from collection: String, count: Int) -> Bool {
        removals.withLock { removals in
            removals += 1
            return removals <= 10
        }
    }

    func ownCard() async throws -> String? { card.withLock(\.self) }
    func setOwnCard(_ href: String?) async throws { card.withLock { $0 = href } }

    let set = Mutex<[String: String]>([:])

    func properties(of collection: String) async throws -> [String: String] { set.withLock(\.self) }
    func setProperties(_ properties: [String: String?], of collection: String) async throws {
        set.withLock { set in for (name, value) in properties { set[name] = value } }
    }
}

extension DAVResponse {
    /// The body as text, read to its end.
    var text: String {
        get async throws {
            switch body {
            case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
            case .stream(let produce):
                var all: [UInt8] = []
                try await produce { all += $0 }
                return String(decoding: all, as: UTF8.self)
            }
        }
    }
}
