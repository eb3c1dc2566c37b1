import Contacts
import ContactsDomain
import Sync
import Synchronization
import TestSupport
import Text

/// An address book in memory with scripted behaviour: it expires tokens, rewrites cards, rejects requests, loses
/// answers and goes away in the middle.
final class ScriptedBook: CollectionClient {
    struct Item: Hashable {
        var bytes: [UInt8]
        var version: Int
        var etag: String { "\"\(version)\"" }
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// The scripted behaviour.
    struct Manner {
        /// Whether it knows what changed since a token.
        var hasTokens = true
        /// Whether it has one value for the state of all.
        var hasState = true
        /// Whether it rewrites cards and still returns an etag.
        var rewrites = false
        /// Whether it says the etag of what it takes.
        var tellsTags = true
        /// Whether a second card with the same UID is refused, and whether it says where the first one is.
        var refusesTwins = false
        var namesTwins = false
        /// Whether it stores new cards under names of its own.
        var renames = false
        /// Whether it gives each new card a `UID` of its own and keeps that, as Google does.
        var ownUIDs = false
        /// Whether it gives the whole book in one answer, save for every third card.
        var givesAll = false
        /// The cards for which it returns an internal error.
        var givesNot: @Sendable (String) -> Bool = { _ in false }
        /// A concurrent change that happens once, right after the next card is stored.
        var echo: (@Sendable (inout [String: Item]) -> Void)?
        /// The cards that it rejects.
        var refuses: @Sendable (String) -> ItemRefusal? = { _ in nil }
        /// The number of calls until the connection breaks; the last one is executed, but its response is lost.
        var callsLeft: Int?
        /// A concurrent change that happens once, before the next change.
        var interruption: (@Sendable (inout [String: Item]) -> Void)?
    }

    struct State {
        var items: [String: Item] = [:]
        /// The changes by path, in order.
        var journal: [String] = []
        var oldestToken = 0
        var nextVersion = 1
        var calls: [String] = []
        var manner = Manner()
        /// The tags of cards that were given away and can be read.
        var read: Set<String> = []
        /// Requests that named an etag whose card was never read.
        var blind: [String] = []

        mutating func put(_ href: String, _ bytes: [UInt8]) -> Item {
            let item = Item(bytes: bytes, version: nextVersion)
            nextVersion += 1
            items[href] = item
            journal.append(href)
            return item
        }

        mutating func take(_ href: String) {
            if items.removeValue(forKey: href) != nil { journal.append(href) }
        }
    }

    private let state = Mutex(State())

    /// The content as other programs see it.
    func edit(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Stores a card as another program does.
    func put(_ href: String, _ text: String) { edit { _ = $0.put(href, Array(text.utf8)) } }

    /// Removes a card as another program does.
    func take(_ href: String) { edit { $0.take(href) } }

    /// Requests whose condition was the etag of a card that hub had not read.
    var blindRequests: [String] { state.withLock(\.blind) }

    var items: [String: Item] { state.withLock(\.items) }
    var calls: [String] { state.withLock(\.calls) }
    func forgetCalls() { edit { $0.calls = [] } }
    func behave(_ body: (inout Manner) -> Void) { edit { body(&$0.manner) } }

    /// All cards as text, sorted.
    var texts: [String] { items.values.map(\.text).sorted() }

    private func call<T>(_ name: String, _ body: (inout State) throws(RemoteError) -> T) throws(RemoteError) -> T {
        let result = state.withLock { state -> Result<T, RemoteError> in
            state.calls.append(name)
            if let left = state.manner.callsLeft, left <= 0 { return .failure(.unreachable(reason: "gone away")) }
            do throws(RemoteError) {
                let value = try body(&state)
                if let left = state.manner.callsLeft {
                    state.manner.callsLeft = left - 1
                    if left == 1 { return .failure(.unreachable(reason: "the answer was lost")) }
                }
                return .success(value)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    func state() async throws(RemoteError) -> String? {
        try call("state") { $0.manner.hasState ? "\($0.journal.count)" : nil }
    }

    func changes(since token: String?) async throws(RemoteError) -> RemoteChanges {
        try call(token == nil ? "list" : "changes") { state throws(RemoteError) in
            let next = state.manner.hasTokens ? "\(state.journal.count)" : nil
            guard let token else {
                return RemoteChanges(
                    isComplete: true, entries: state.items.map { RemoteEntry(href: $0.key, etag: $0.value.etag) },
                    token: next)
            }
            guard state.manner.hasTokens, let start = Int(token), start >= state.oldestToken else {
                throw RemoteError.tokenExpired
            }
            let touched = Set(state.journal[start...])
            return RemoteChanges(
                isComplete: false,
                entries: touched.compactMap { href in
                    state.items[href].map { RemoteEntry(href: href, etag: $0.etag) }
                }, removed: touched.filter { state.items[$0] == nil }, token: next)
        }
    }

    func everything() async throws(RemoteError) -> [RemoteCard]? {
        guard state.withLock(\.manner.givesAll) else { return nil }
        return try call("everything") { state in
            state.items.filter { $0.value.version % 3 != 0 }.map {
                ScriptedBook.give($0.value, &state)
                return RemoteCard(href: $0.key, etag: $0.value.etag, bytes: $0.value.bytes)
            }
        }
    }

    func fetch(_ hrefs: [String]) async throws(RemoteError) -> [RemoteCard] {
        try call("fetch \(hrefs.count)") { state in
            hrefs.compactMap { href in
                guard let item = state.items[href] else { return nil }
                if state.manner.givesNot(item.text) { return RemoteCard(href: href, failure: "status 500") }
                ScriptedBook.give(item, &state)
                return RemoteCard(href: href, etag: item.etag, bytes: item.bytes)
            }
        }
    }

    private static func give(_ item: Item, _ state: inout State) {
        if item.text.hasPrefix("BEGIN:VCARD"), item.text.contains("END:VCARD") { state.read.insert(item.etag) }
    }

    private static func note(_ call: String, _ etag: String, _ state: inout State) {
        // An empty condition is met by nothing.
        if !etag.isEmpty, !state.read.contains(etag) { state.blind.append("\(call) if still \(etag)") }
    }

    func create(_ card: [UInt8], name: String) async throws(RemoteError) -> PutResult {
        try call("create") { state in
            ScriptedBook.interrupt(&state)
            let href = "/book/\(state.manner.renames ? "own-\(state.nextVersion)" : name).vcf"
            if let refusal = state.manner.refuses(String(decoding: card, as: UTF8.self)) { return .refused(refusal) }
            if state.items[href] != nil { return .nameTaken(href: href) }
            let uid = Card(card).details.uidText
            let twin = state.items.first { Card($0.value.bytes).details.uidText == uid }
            if state.manner.refusesTwins, let twin { return .uidTaken(href: state.manner.namesTwins ? twin.key : nil) }
            return ScriptedBook.store(card, at: href, &state)
        }
    }

    func update(_ href: String, to card: [UInt8], ifMatch etag: String) async throws(RemoteError) -> PutResult {
        try call("update") { state in
            ScriptedBook.note("update \(href)", etag, &state)
            ScriptedBook.interrupt(&state)
            if let refusal = state.manner.refuses(String(decoding: card, as: UTF8.self)) { return .refused(refusal) }
            guard let item = state.items[href] else { return .gone }
            return item.etag == etag ? ScriptedBook.store(card, at: href, &state) : .changedMeanwhile
        }
    }

    func remove(_ href: String, ifMatch etag: String) async throws(RemoteError) -> DeleteResult {
        try call("remove") { state in
            ScriptedBook.note("remove \(href)", etag, &state)
            ScriptedBook.interrupt(&state)
            guard let item = state.items[href] else { return .gone }
            if item.etag != etag { return .changedMeanwhile }
            state.take(href)
            return .gone
        }
    }

    /// Refuses what is not valid in every line.
    static let strict: @Sendable (String) -> ItemRefusal? = { text in
        let breaches = StrictVCard(Array(text.utf8), version: "3.0").breaches
        return breaches.isEmpty ? nil : .invalid(reason: breaches.joined(separator: "; "))
    }

    private static func interrupt(_ state: inout State) {
        guard let interruption = state.manner.interruption else { return }
        state.manner.interruption = nil
        change(&state, interruption)
    }

    private static func change(_ state: inout State, _ body: (inout [String: Item]) -> Void) {
        var items = state.items
        body(&items)
        for (href, item) in items where state.items[href] != item { _ = state.put(href, item.bytes) }
        for href in state.items.keys where items[href] == nil { state.take(href) }
    }

    private static func store(_ card: [UInt8], at href: String, _ state: inout State) -> PutResult {
        var card = card
        if state.manner.ownUIDs {
            let own = state.items[href].flatMap { Card($0.bytes).details.uid } ?? ByteString("own\(state.nextVersion)")
            card = Card(card).identified(as: own).bytes
        }
        let item = state.put(href, state.manner.rewrites ? rewritten(card) : card)
        if let echo = state.manner.echo {
            state.manner.echo = nil
            change(&state, echo)
        }
        return .stored(href: href, etag: state.manner.tellsTags ? item.etag : nil)
    }

    /// The card as a tidy server writes it: lines in another order and without folds, names in capitals, its own `PRODID`,
    /// a lost detail.
    private static func rewritten(_ card: [UInt8]) -> [UInt8] {
        let text = String(decoding: card, as: UTF8.self).replacing("\r\n ", with: "")
        let lines = text.split(separator: "\r\n").map(String.init)
        let inner = lines.dropFirst(2).dropLast().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && !line.hasPrefix(" ") ? "\(parts[0].uppercased()):\(parts[1])" : line
        }
        let kept = inner.filter { !$0.hasPrefix("PRODID") && !$0.hasPrefix("X-LOST") }
        let written = Array(lines[..<2]) + ["PRODID:tidy"] + kept.reversed() + ["END:VCARD", ""]
        return Array(written.joined(separator: "\r\n").utf8)
    }
}
