import HubKit
import MinteeDomain
import Sync

/// One sync of one calendar, from the first request to the last commit.
///
/// The engine decides, the connection transfers to-dos, the store persists. No request runs inside a transaction. A day
/// and its link are stored in one commit, and a new to-do is stored before it is sent; so the process may be killed at
/// any point, and the next sync continues from the stored state. All changes of a sync are one operation.
package struct CalendarRun {
    /// The progress of a sync.
    package struct Progress: Hashable, Sendable {
        /// The number of to-dos processed, and the number sent.
        package var received = 0
        /// The number of to-dos sent.
        package var sent = 0
        /// The total number to process and send, as far as known.
        package var total = 0
    }

    private let manager: CalendarAccountManager
    private let known: KnownCalendar
    private let link: any CalendarClient
    private let operation: Operation
    private let isDryRun: Bool
    private let tell: @Sendable (Progress) -> Void
    private let window: SyncWindow
    private var engine = TodoEngine(
        days: [], orphans: [], held: [], changes: RemoteChanges(isComplete: false, entries: []))
    private var updates: [OutgoingTodo] = []
    private var progress = Progress()
    private var errors = ServerErrorStreak()

    /// The number of days changed here by the server.
    private(set) var received = 0
    /// The counts of sent changes.
    private(set) var sent = SyncLogEntry.Counts()
    /// Notices for the user, one sentence each.
    private(set) var notices: [String] = []
    /// The days that were not synced.
    private(set) var problems: [CalendarReport.Problem] = []

    /// The number of to-dos that are fetched, or sent, before their results are stored.
    private static let (fetchBatch, sendBatch) = (100, 50)
    /// How often a day that changes meanwhile is compared.
    private static let attempts = 3

    init(
        _ manager: CalendarAccountManager, _ known: KnownCalendar, _ link: any CalendarClient, _ operation: Operation,
        isDryRun: Bool, tell: @escaping @Sendable (Progress) -> Void
    ) {
        self.manager = manager
        self.known = known
        self.link = link
        self.operation = operation
        self.isDryRun = isDryRun
        self.tell = tell
        window = manager.window
    }

    /// Syncs once. Throws ``RemoteError`` if the server cannot be reached; earlier changes are kept.
    mutating func callAsFunction() async throws {
        let (account, window) = (known.account, window)
        let (ours, held) = try await manager.store.read { transaction in
            (try transaction.syncDays(window, account: account), try transaction.heldTodos(of: account))
        }
        let state = try await link.state()
        let isUnchanged = state != nil && state == known.state
        let changes = try await isUnchanged ? RemoteChanges(isComplete: false, entries: []) : listing()
        engine = TodoEngine(days: ours.days, orphans: ours.orphans, held: held, changes: changes)
        progress.total = engine.fetches.count
        try await fetch(engine.fetches)
        try await create()
        try await update()
        // What others changed right after it was written; if they do so again, it is sent by the next sync.
        try await update()
        try await remove()
        try await forget()
        guard !isUnchanged, !isDryRun else { return }
        var listed = known
        (listed.token, listed.state) = (changes.token, state)
        let calendar = listed
        try await manager.keep { try $0.saveCalendar(calendar) }
    }

    /// Returns the changes listed by the server; all items if its sync token expired.
    private func listing() async throws -> RemoteChanges {
        guard let token = known.token else { return try await link.changes(since: nil) }
        do {
            return try await link.changes(since: token)
        } catch RemoteError.tokenExpired {
            return try await link.changes(since: nil)
        }
    }

    private mutating func advance(received: Int = 0, sent: Int = 0) {
        progress.received += received
        progress.sent += sent
        tell(progress)
    }
}

// MARK: Receiving

extension CalendarRun {
    private mutating func fetch(_ places: [String]) async throws {
        for start in stride(from: 0, to: places.count, by: Self.fetchBatch) {
            let chunk = Array(places[start..<min(start + Self.fetchBatch, places.count)])
            try await receive(chunk)
            advance(received: chunk.count)
        }
    }

    /// Fetches and merges the to-dos at `places`. `echoes` are the links of those that were just written.
    private mutating func receive(_ places: [String], sent: [SentTodo] = []) async throws {
        let fetched = try await link.fetch(places)
        try await lookAgain(fetched.filter { $0.failure != nil })
        let items = fetched.filter { $0.failure == nil }.map(ReadTodo.init)
        let receiving = Receiving(
            account: known.account, window: window, missing: Set(engine.creations),
            sent: Dictionary(sent.map { ($0.link.href, $0) }) { $1 }, now: manager.clock.now.milliseconds)
        let results = try await compare(items, receiving)
        // Before the others: a server may have stored the to-do of a lost place at another one.
        let answered = Set(fetched.map(\.href))
        for href in places where !answered.contains(href) { engine.lose(href) }
        for (item, result) in zip(items, results) {
            engine.settle(item.entry, result.outcome)
            if result.isTaken { received += 1 }
            if let update = result.update { updates.append(update) }
            if let problem = result.problem { problems.append(problem) }
            notices += result.notices
        }
    }

    /// Compares to-dos with the days here, outside of transactions, and keeps what comes of it. A day that is changed here
    /// meanwhile is compared again; one that changes each time is left for the next sync.
    private func compare(_ items: [ReadTodo], _ receiving: Receiving) async throws -> [ReceivedTodo] {
        let account = receiving.account
        var results = [ReceivedTodo?](repeating: nil, count: items.count)
        var attempts = [Int](repeating: 0, count: items.count)
        while true {
            // Of two to-dos for one day the second is compared with what came of the first.
            var days = Set<TaskDay>()
            let turn = items.indices.filter { place in
                results[place] == nil && (items[place].day.map { days.insert($0).inserted } ?? true)
            }
            if turn.isEmpty { return results.compactMap(\.self) }
            let states = try await manager.store.read { transaction in
                try turn.map { try transaction.receivingState(items[$0], account) }
            }
            let plans = zip(turn, states).map { ReceivingPlan($1, meeting: items[$0], receiving) }
            await manager.onCompared()
            let areKept =
                try await isDryRun
                ? plans.map { _ in true }
                : manager.store.write(operation) { transaction in
                    try zip(turn, plans).map { try transaction.apply($1, of: items[$0], account) }
                }
            var left: [String] = []
            for ((place, plan), isKept) in zip(zip(turn, plans), areKept) {
                attempts[place] += 1
                if isKept {
                    results[place] = plan.result
                } else if attempts[place] == Self.attempts {
                    results[place] = ReceivedTodo(leaving: items[place])
                    left.append(items[place].entry.href)
                }
            }
            try await keepLookingAgain(left)
        }
    }
}

extension CalendarRun {
    /// Handles to-dos that are listed but cannot be fetched: they are neither deleted nor replaced, and are fetched
    /// again.
    private mutating func lookAgain(_ items: [RemoteItem]) async throws {
        if items.isEmpty { return }
        for item in items {
            let day = engine.keep(item.href)
            problems.append(
                CalendarReport.Problem(
                    task: nil, date: day?.date,
                    text: "\(item.href) could not be fetched (\(item.failure ?? "")); will be retried"))
        }
        try await keepLookingAgain(items.map(\.href))
    }

    private func keepLookingAgain(_ places: [String]) async throws {
        if isDryRun || places.isEmpty { return }
        let account = known.account
        try await manager.keep { transaction in
            for href in places { try transaction.lookAgain(at: href, in: account) }
        }
    }
}

extension ReceivedTodo {
    /// The result for a to-do whose day was changed here at each comparison.
    fileprivate init(leaving item: ReadTodo) {
        self.init(
            outcome: item.day.map { .stands($0) } ?? .foreign,
            problem: CalendarReport.Problem(
                task: nil, date: item.day?.date, text: "it was changed here meanwhile; the next sync compares it"))
    }
}

// MARK: Sending

extension CalendarRun {
    private mutating func create() async throws {
        let days = engine.creations
        progress.total += days.count
        guard !isDryRun else { return sent.new += days.count }
        for start in stride(from: 0, to: days.count, by: Self.sendBatch) {
            let chunk = Array(days[start..<min(start + Self.sendBatch, days.count)])
            // Noted before they are sent: a day is never shown twice, and one that is gone by then is found again.
            let todos = try await announce(chunk)
            let account = known.account
            var (written, taken) = ([SentTodo](), [String]())
            for todo in todos {
                let answer = try await link.create(todo.text, name: todo.todo.uid)
                try errors.note(answer.refusal)
                switch answer {
                case .stored(let href, let etag):
                    sent.new += 1
                    written.append(SentTodo(todo.link(at: href), etag: etag))
                case .nameTaken, .changedMeanwhile, .gone:
                    // Another item has this path: its content was never compared with ours.
                    let blank = TodoLink(todo.day, href: todo.href)
                    try await manager.keep { try $0.saveTodoLink(blank, in: account) }
                    taken.append(todo.href)
                case .uidTaken(let href?): taken.append(href)
                case .uidTaken(nil): try await leave(todo, "another to-do on the server has the same UID")
                case .refused(let reason): try await leave(todo, reason.text)
                }
                advance(sent: 1)
            }
            try await lookBack(at: written)
            if !taken.isEmpty { try await receive(taken) }
        }
    }

    /// Announces days that are about to be shown; one that is changed meanwhile waits for the next sync.
    private func announce(_ days: [TaskDay]) async throws -> [OutgoingTodo] {
        let (account, window, link) = (known.account, window, link)
        let states = try await manager.store.read { transaction in
            try days.compactMap { try transaction.syncDay($0, account: account) }
        }
        let todos = states.filter { window.shows($0.day.date, isFilled: $0.todo.entry != nil) }.map { day in
            (day, OutgoingTodo(todo: day.todo, href: link.href(named: day.todo.uid), tag: "", text: day.todo.text))
        }
        await manager.onCompared()
        return try await manager.store.write(Operation(operation.name, who: operation.who, kind: .cache)) {
            transaction in
            try todos.filter { try transaction.announceTodo($1, of: $0, account) }.map { $1 }
        }
    }

    /// Looks at what the server made of to-dos that were written just now.
    private mutating func lookBack(at written: [SentTodo]) async throws {
        if !written.isEmpty { try await receive(written.map(\.link.href), sent: written) }
    }

    private mutating func update() async throws {
        let todos = updates
        updates = []
        progress.total += todos.count
        guard !isDryRun else { return sent.changed += todos.count }
        for start in stride(from: 0, to: todos.count, by: Self.sendBatch) {
            var written: [SentTodo] = []
            for todo in todos[start..<min(start + Self.sendBatch, todos.count)] {
                let answer = try await link.update(todo.href, to: todo.text, ifMatch: todo.tag)
                try errors.note(answer.refusal)
                switch answer {
                case .stored(let href, let etag):
                    sent.changed += 1
                    written.append(SentTodo(todo.link(at: href), etag: etag))
                // Whatever happened to it meanwhile is in what they list next.
                case .changedMeanwhile, .nameTaken, .gone: break
                case .uidTaken: note(todo, "another to-do on the server has the same UID")
                case .refused(let reason): note(todo, reason.text)
                }
                advance(sent: 1)
            }
            try await lookBack(at: written)
        }
    }

    private mutating func remove() async throws {
        let removals = engine.removals
        progress.total += removals.count
        guard !isDryRun else { return sent.removed += removals.count }
        let account = known.account
        for removal in removals {
            switch try await link.remove(removal.entry.href, ifMatch: removal.entry.tag) {
            case .gone:
                sent.removed += 1
                try await manager.keep { try $0.dropTodo(at: removal.entry.href, in: account) }
            case .changedMeanwhile: break
            case .refused(let refusal):
                try errors.note(refusal)
                problems.append(
                    CalendarReport.Problem(
                        task: nil, date: removal.day.date, text: "could not be deleted on the server: \(refusal.reason)"
                    ))
            }
            advance(sent: 1)
        }
    }

    private func forget() async throws {
        let (places, account) = (engine.forgotten, known.account)
        guard !places.isEmpty, !isDryRun else { return }
        try await manager.keep { transaction in
            for href in places { try transaction.dropTodo(at: href, in: account) }
        }
    }

    private mutating func leave(_ todo: OutgoingTodo, _ reason: String) async throws {
        note(todo, reason)
        let account = known.account
        try await manager.keep { try $0.dropTodo(at: todo.href, in: account) }
    }

    private mutating func note(_ todo: OutgoingTodo, _ reason: String) {
        problems.append(CalendarReport.Problem(task: todo.todo.name, date: todo.todo.date, text: reason))
    }
}

extension ItemRefusal {
    /// The reason in one sentence.
    fileprivate var text: String {
        switch self {
        case .version(let reason), .invalid(let reason), .notAllowed(let reason), .serverError(let reason),
            .failed(let reason):
            "rejected by the server: \(reason)"
        case .tooLarge(let reason): "too large, or no space on the server: \(reason)"
        }
    }
}
