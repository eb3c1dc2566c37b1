import Sync
import Synchronization

/// A collection of notes in memory, as a folder or a server has them, with changes of other programs and a connection
/// that breaks.
final class MemoryFolder: CollectionClient {
    /// The behaviour.
    struct Behaviour {
        /// Whether it stores what it is given, under the suggested name, and says the etag.
        var keepsBytes = true
        /// Whether it knows what has changed since a token.
        var hasTokens = true
        /// The number of changes after which a listing ends early; nil for no limit. It needs tokens.
        var pageSize: Int?
        /// Whether it stores new items under names of its own.
        var renames = false
        /// Whether it gives all items at once.
        var givesAll = false
        /// The items that it refuses.
        var refuses: @Sendable (String) -> ItemRefusal? = { _ in nil }
        /// The number of calls until the connection breaks; the last one is executed, but its response is lost.
        var callsLeft: Int?
        /// A change by another program, right after the next item is stored.
        var echo: (@Sendable (inout Content) -> Void)?
    }

    /// The items with the history of their changes.
    struct Content {
        var items: [String: (text: String, version: Int)] = [:]
        var journal: [String] = []
        /// The tags that were given with a text.
        var read: Set<String> = []
        /// The conditions that named another etag.
        var blind: [String] = []
        var calls: [String] = []

        mutating func put(_ href: String, _ text: String) {
            journal.append(href)
            items[href] = (text, journal.count)
        }

        mutating func take(_ href: String) { if items.removeValue(forKey: href) != nil { journal.append(href) } }

        func etag(_ href: String) -> String? { items[href].map { "\($0.version)" } }
    }

    private let state = Mutex((content: Content(), behaviour: Behaviour()))

    func behave(_ body: (inout Behaviour) -> Void) { state.withLock { body(&$0.behaviour) } }
    func edit(_ body: (inout Content) -> Void) { state.withLock { body(&$0.content) } }
    var content: Content { state.withLock(\.content) }
    var texts: [String] { content.items.values.map(\.text).sorted() }
    var keepsBytes: Bool { state.withLock(\.behaviour.keepsBytes) }

    private func call<T>(
        _ name: String, _ body: (inout Content, inout Behaviour) throws(RemoteError) -> T
    ) throws(RemoteError) -> T {
        let result = state.withLock { state -> Result<T, RemoteError> in
            state.content.calls.append(name)
            let left = state.behaviour.callsLeft
            if left == 0 { return .failure(.unreachable(reason: "gone away")) }
            state.behaviour.callsLeft = left.map { $0 - 1 }
            do throws(RemoteError) {
                let value = try body(&state.content, &state.behaviour)
                return left == 1 ? .failure(.unreachable(reason: "the response was lost")) : .success(value)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    func state() async throws(RemoteError) -> String? { try call("state") { content, _ in "\(content.journal.count)" } }

    func changes(since token: String?) async throws(RemoteError) -> RemoteChanges {
        try call(token == nil ? "list" : "changes") { content, behaviour throws(RemoteError) in
            func entry(_ href: String) -> RemoteEntry? { content.etag(href).map { RemoteEntry(href: href, etag: $0) } }
            guard behaviour.hasTokens else {
                if token != nil { throw .tokenExpired }
                return RemoteChanges(isComplete: true, entries: content.items.keys.compactMap(entry))
            }
            guard let start = Int(token ?? "0") else { throw .tokenExpired }
            let end = min(content.journal.count, behaviour.pageSize.map { start + $0 } ?? .max)
            let touched = Set(content.journal[start..<end])
            return RemoteChanges(
                isComplete: token == nil, entries: touched.compactMap(entry),
                removed: token == nil ? [] : touched.filter { content.items[$0] == nil }, token: "\(end)",
                isCut: end < content.journal.count)
        }
    }

    func everything() async throws(RemoteError) -> [RemoteItem]? {
        guard state.withLock(\.behaviour.givesAll) else { return nil }
        return try call("everything") { content, _ in
            content.items.keys.sorted().dropLast().compactMap { MemoryFolder.item($0, &content) }
        }
    }

    func fetch(_ hrefs: [String]) async throws(RemoteError) -> [RemoteItem] {
        try call("fetch \(hrefs.count)") { content, _ in hrefs.compactMap { MemoryFolder.item($0, &content) } }
    }

    private static func item(_ href: String, _ content: inout Content) -> RemoteItem? {
        guard let item = content.items[href], let etag = content.etag(href) else { return nil }
        if Note(item.text) != nil { content.read.insert(etag) }
        return RemoteItem(href: href, etag: etag, bytes: Array(item.text.utf8))
    }

    func create(_ item: [UInt8], name: String) async throws(RemoteError) -> PutResult {
        try call("create") { content, behaviour in
            let text = String(decoding: item, as: UTF8.self)
            if let refusal = behaviour.refuses(text) { return .refused(refusal) }
            let href = behaviour.renames ? "/own-\(content.journal.count)" : "/\(name)"
            if content.items[href] != nil { return .nameTaken(href: href) }
            return MemoryFolder.store(text, at: href, &content, &behaviour)
        }
    }

    func update(_ href: String, to item: [UInt8], ifMatch etag: String) async throws(RemoteError) -> PutResult {
        try call("update") { content, behaviour in
            if !content.read.contains(etag) { content.blind.append(etag) }
            let text = String(decoding: item, as: UTF8.self)
            if let refusal = behaviour.refuses(text) { return .refused(refusal) }
            guard let current = content.etag(href) else { return .gone }
            return current == etag ? MemoryFolder.store(text, at: href, &content, &behaviour) : .changedMeanwhile
        }
    }

    private static func store(
        _ text: String, at href: String, _ content: inout Content, _ behaviour: inout Behaviour
    ) -> PutResult {
        content.put(href, text)
        let etag = content.etag(href)
        if behaviour.keepsBytes, let etag { content.read.insert(etag) }
        behaviour.echo?(&content)
        behaviour.echo = nil
        return .stored(href: href, etag: etag)
    }

    func remove(_ href: String, ifMatch etag: String) async throws(RemoteError) -> DeleteResult {
        try call("remove") { content, _ in
            if !content.read.contains(etag) { content.blind.append(etag) }
            guard let current = content.etag(href) else { return .gone }
            if current != etag { return .changedMeanwhile }
            content.take(href)
            return .gone
        }
    }
}

/// A note: its number, and lines in any order.
struct Note: Hashable {
    var number: Int
    var lines: Set<String>

    init(_ number: Int, _ lines: Set<String> = []) {
        self.number = number
        self.lines = lines
    }

    /// Reads `note 7` and the lines after it; nil if it is not a note.
    init?(_ text: String) {
        let parts = text.split(separator: "\n")
        guard let first = parts.first, first.hasPrefix("note "), let number = Int(first.dropFirst(5)) else {
            return nil
        }
        self.init(number, Set(parts.dropFirst().map(String.init)))
    }

    var text: String { (["note \(number)"] + lines.sorted()).joined(separator: "\n") }
}
