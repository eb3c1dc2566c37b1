import FoundationEssentials
import Mintee
import Sync
import Synchronization

/// A scripted CalDAV server in memory, with concurrent changes by other programs: it can expire sync tokens, drop unknown
/// properties, refuse items, and break the connection.
final class PlayedServer: CalendarClients, CalendarAccountClient {
    struct Item: Hashable {
        var text: String
        var version: Int
        var etag: String { "\"\(version)\"" }
    }

    /// The behaviour of the server.
    struct Manner {
        var password: String? = "secret"
        /// Whether it knows what changed since a token, and has one value for the state of all.
        var hasTokens = true
        var hasState = true
        /// Whether it drops properties that it does not know.
        var dropsUnknown = false
        /// Whether it answers writing with the etag of what it stored.
        var givesTags = false
        /// The places of what it does not give, for an error of its own.
        var givesNot: @Sendable (String) -> Bool = { _ in false }
        /// Whether it stores new items under names of its own.
        var renames = false
        /// What it makes of a text that it is given, after it has answered.
        var rewrites: @Sendable (String) -> String = { $0 }
        /// The refusal of an item, by its text; nil if it is accepted.
        var refuses: @Sendable (String) -> ItemRefusal? = { _ in nil }
        /// The number of calls before the connection breaks; the last call takes effect, but its response is lost.
        var callsLeft: Int?
        /// A concurrent change, made once right after the next to-do was written.
        var interruption: (@Sendable (inout Content) -> Void)?
    }

    /// One calendar.
    struct Content {
        var items: [String: Item] = [:]
        /// The changes with their paths, in order.
        var journal: [String] = []
        var oldestToken = 0
        var nextVersion = 1

        mutating func put(_ href: String, _ text: String) {
            items[href] = Item(text: text, version: nextVersion)
            nextVersion += 1
            journal.append(href)
        }

        mutating func take(_ href: String) {
            if items.removeValue(forKey: href) != nil { journal.append(href) }
        }
    }

    private struct State {
        var calendars: [String: (place: DiscoveredCollection, content: Content)] = [:]
        var manner = Manner()
        var calls: [String] = []
    }

    private let state = Mutex(State())

    init(_ calendars: DiscoveredCollection...) {
        for calendar in calendars { state.withLock { $0.calendars[calendar.href] = (calendar, Content()) } }
    }

    func behave(_ body: (inout Manner) -> Void) { state.withLock { body(&$0.manner) } }

    /// Changes the calendar at `href` as another program does.
    func edit(_ href: String = PlayedServer.place, _ body: (inout Content) -> Void) {
        state.withLock { state in
            guard var calendar = state.calendars[href] else { return }
            body(&calendar.content)
            state.calendars[href] = calendar
        }
    }

    /// Throws the calendar away.
    func removeCalendar(_ href: String = PlayedServer.place) { state.withLock { $0.calendars[href] = nil } }

    /// The path at which the calendar Mintee is created.
    static let place = "/cal/mintee/"

    /// The to-dos of the calendar, as text, by place.
    func items(_ href: String = PlayedServer.place) -> [String: Item] {
        state.withLock { $0.calendars[href]?.content.items ?? [:] }
    }

    var calendarNames: [String] { state.withLock { $0.calendars.values.map { $0.place.name }.sorted() } }
    var calls: [String] { state.withLock(\.calls) }
    func forgetCalls() { state.withLock { $0.calls = [] } }

    // MARK: The way to it

    func link(to account: Account, password: String?, isBrief: Bool) throws(RemoteError) -> any CalendarAccountClient {
        guard state.withLock({ $0.manner.password == nil || $0.manner.password == password }) else {
            return DeniedAccount()
        }
        return self
    }

    func calendars() async throws(RemoteError) -> [DiscoveredCollection] {
        try call("find") { state throws(RemoteError) in
            state.calendars.values.map { $0.place }.sorted { $0.href < $1.href }
        }
    }

    func createCalendar(_ name: String) async throws(RemoteError) -> DiscoveredCollection {
        try call("make") { state throws(RemoteError) in
            let place = DiscoveredCollection(href: "/cal/\(name.lowercased())/", name: name, supported: ["VTODO"])
            state.calendars[place.href] = (place, Content())
            return place
        }
    }

    func open(_ href: String) -> any CalendarClient { Opened(server: self, place: href) }

    private struct DeniedAccount: CalendarAccountClient {
        func calendars() async throws(RemoteError) -> [DiscoveredCollection] { throw .denied(reason: "401") }
        func createCalendar(_ name: String) async throws(RemoteError) -> DiscoveredCollection {
            throw .denied(reason: "401")
        }
        func open(_ href: String) -> any CalendarClient { Opened(server: PlayedServer(), place: href) }
    }

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

    /// One calendar, as hub sees it.
    private struct Opened: CalendarClient {
        let server: PlayedServer
        let place: String

        private func call<T>(
            _ name: String, _ body: (inout Content, inout Manner) throws(RemoteError) -> T
        ) throws(RemoteError) -> T {
            try server.call(name) { state throws(RemoteError) in
                guard var calendar = state.calendars[place] else { throw .notFound(reason: "404") }
                let value = try body(&calendar.content, &state.manner)
                state.calendars[place] = calendar
                return value
            }
        }

        func state() async throws(RemoteError) -> String? {
            try call("state") { content, manner throws(RemoteError) in
                manner.hasState ? "\(content.journal.count)" : nil
            }
        }

        func changes(since token: String?) async throws(RemoteError) -> RemoteChanges {
            try call(token == nil ? "list" : "changes") { content, manner throws(RemoteError) in
                let next = manner.hasTokens ? "\(content.journal.count)" : nil
                guard let token else {
                    return RemoteChanges(
                        isComplete: true, entries: content.items.map { RemoteEntry(href: $0.key, etag: $0.value.etag) },
                        token: next)
                }
                guard manner.hasTokens, let start = Int(token), start >= content.oldestToken,
                    start <= content.journal.count
                else { throw .tokenExpired }
                let touched = Set(content.journal[start...])
                return RemoteChanges(
                    isComplete: false,
                    entries: touched.compactMap { href in
                        content.items[href].map { RemoteEntry(href: href, etag: $0.etag) }
                    }, removed: touched.filter { content.items[$0] == nil }, token: next)
            }
        }

        func fetch(_ hrefs: [String]) async throws(RemoteError) -> [RemoteItem] {
            try call("fetch \(hrefs.count)") { content, manner throws(RemoteError) in
                hrefs.compactMap { href in
                    if manner.givesNot(href) { return RemoteItem(href: href, failure: "status 500") }
                    return content.items[href].map { RemoteItem(href: href, etag: $0.etag, bytes: Array($0.text.utf8)) }
                }
            }
        }

        func href(named name: String) -> String { place + name.replacing("/", with: "-") + ".ics" }

        func create(_ item: [UInt8], name: String) async throws(RemoteError) -> PutResult {
            try put(item, at: href(named: name), ifMatch: nil)
        }

        func update(_ href: String, to item: [UInt8], ifMatch etag: String) async throws(RemoteError) -> PutResult {
            try put(item, at: href, ifMatch: etag)
        }

        private func put(_ item: [UInt8], at href: String, ifMatch etag: String?) throws(RemoteError) -> PutResult {
            let text = String(decoding: item, as: UTF8.self)
            return try call(etag == nil ? "create" : "update") { content, manner throws(RemoteError) in
                if let refusal = manner.refuses(text) { return .refused(refusal) }
                if etag != nil, content.items[href] == nil { return .gone }
                guard content.items[href]?.etag == etag else {
                    return etag == nil ? .nameTaken(href: href) : .changedMeanwhile
                }
                let href = etag == nil && manner.renames ? href.replacing(".ics", with: "-own.ics") : href
                let lines = text.split(separator: "\r\n").filter { !manner.dropsUnknown || !$0.hasPrefix("X-") }
                content.put(href, lines.map { $0 + "\r\n" }.joined())
                let etag = manner.givesTags ? content.items[href]?.etag : nil
                let (stored, rewritten) = (content.items[href]?.text ?? "", manner.rewrites(text))
                if text != rewritten, !stored.isEmpty { content.put(href, manner.rewrites(stored)) }
                manner.interruption?(&content)
                manner.interruption = nil
                return .stored(href: href, etag: etag)
            }
        }

        func remove(_ href: String, ifMatch etag: String) async throws(RemoteError) -> DeleteResult {
            try call("remove") { content, _ throws(RemoteError) in
                guard let item = content.items[href] else { return .gone }
                guard item.etag == etag else { return .changedMeanwhile }
                content.take(href)
                return .gone
            }
        }
    }
}
