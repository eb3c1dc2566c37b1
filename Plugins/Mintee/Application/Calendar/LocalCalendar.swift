import MinteeDomain
import Storage
import Sync

/// The local side of the sync of one calendar: the days around today, and the links to their to-dos.
///
/// A day and its link are saved in one commit. Only to-dos with a known link, or for a day that is due here, belong to
/// hub; all others are left alone.
struct LocalCalendar: LocalCollection {
    private let manager: Calendars
    private let calendar: KnownCalendar
    private let client: any CalendarClient
    private let operation: Operation
    private let isDryRun: Bool
    private let window: SyncWindow
    /// The to-dos to write, made from the ones that were fetched.
    private var updates: [TaskDay: OutgoingTodo] = [:]
    /// The number of days changed here by the server.
    private(set) var received = 0
    /// Whether a to-do of a period was changed on the server; what is left to send is sent by another sync.
    private(set) var hasEdits = false
    /// Notices for the user, one sentence each.
    private(set) var notices: [String] = []
    /// The days that were not synced.
    private(set) var problems: [CalendarReport.Problem] = []

    init(
        _ manager: Calendars, _ calendar: KnownCalendar, _ client: any CalendarClient,
        _ operation: Operation, isDryRun: Bool
    ) {
        self.manager = manager
        self.calendar = calendar
        self.client = client
        self.operation = operation
        self.isDryRun = isDryRun
        window = manager.window
    }

    private var account: String { calendar.account }

    func position() -> SyncPosition { SyncPosition(token: calendar.token, state: calendar.state) }

    /// Returns true: the days to show change with time.
    func hasWork() -> Bool { true }

    func begin() async throws -> LocalListing<TaskDay> {
        try await manager.store.read { [account, window] transaction in
            let (days, orphans) = try transaction.syncDays(window, account: account)
            return LocalListing(
                items: days.map { SyncItem($0.key, isChanged: $0.isWaiting, $0.link) }
                    + orphans.map { SyncItem($0.day, isHere: false, $0) },
                held: try transaction.heldTodos(of: account))
        }
    }

    var reader: @Sendable (RemoteItem) -> ReadTodo { { ReadTodo($0) } }

    func dropLinks(_ hrefs: [String]) async throws {
        try await manager.keep { [account] transaction in
            for href in hrefs { try transaction.dropTodo(at: href, in: account) }
        }
    }

    func storePosition(_ position: SyncPosition) async throws {
        var calendar = calendar
        (calendar.token, calendar.state) = (position.token, position.state)
        try await manager.keep { [calendar] in try $0.saveCalendar(calendar) }
    }

    mutating func storeProblems(_ problems: [SyncProblem<TaskDay>], isComplete: Bool) async throws {
        self.problems += try await manager.store.read { transaction in
            try problems.map { problem in
                let task = try problem.id.flatMap { try transaction.task($0.taskID) }
                return CalendarReport.Problem(task: task?.draft.name, date: problem.id?.date, text: problem.text)
            }
        }
    }
}

extension SyncItem<TaskDay> {
    fileprivate init(_ day: TaskDay, isHere: Bool = true, isChanged: Bool = false, _ link: TodoLink?) {
        self.init(
            day, isHere: isHere, isChanged: isChanged, wasSent: isHere && link?.isSeen == false,
            link: link.map { RemoteEntry(href: $0.href, etag: $0.etag) }, unread: link?.unread)
    }
}

// MARK: Receiving

extension LocalCalendar {
    mutating func receive(_ items: [ReadTodo], missing: Set<TaskDay>) async throws -> [FetchOutcome<TaskDay>] {
        try await compare(items, missing: missing, sent: [:])
    }

    /// Compares to-dos with the days here, outside of transactions, and stores the results. A day that is changed here
    /// meanwhile is compared again; one that changes each time is left for the next sync.
    private mutating func compare(
        _ items: [ReadTodo], missing: Set<TaskDay>, sent: [ByteString: SentTodo]
    ) async throws -> [FetchOutcome<TaskDay>] {
        let scope = ReceivingScope(
            window: window, missing: missing, sent: sent, now: manager.clock.now.milliseconds,
            boundary: manager.day)
        var results = [ReceivedTodo?](repeating: nil, count: items.count)
        var attempts = [Int](repeating: 0, count: items.count)
        while true {
            // Of two to-dos for one day the second is compared with the result of the first.
            var days = Set<TaskDay>()
            let places = items.indices.filter { place in
                results[place] == nil && (items[place].day.map { days.insert($0).inserted } ?? true)
            }
            if places.isEmpty { break }
            let states = try await manager.store.read { [account] transaction in
                try places.map { try transaction.receivingState(items[$0], account, scope) }
            }
            let plans = zip(places, states).map { place, state in
                attempts[place] < SyncLimits.attempts
                    ? ReceivingPlan(state, meeting: items[place], scope)
                    : ReceivingPlan(state, skipping: items[place], .changedHere, day: items[place].day)
            }
            await manager.onCompared()
            let areKept =
                try await isDryRun
                ? plans.map { _ in true }
                : manager.store.write(operation) { [account] transaction in
                    try zip(places, plans).map { try transaction.apply($1, of: items[$0], account, scope) }
                }
            for ((place, plan), isKept) in zip(zip(places, plans), areKept) {
                attempts[place] += 1
                if isKept { results[place] = plan.result }
            }
        }
        let compared = results.compactMap(\.self)
        for result in compared {
            received += result.taken
            if result.isEdited { hasEdits = true }
            if let update = result.update { updates[update.day] = update }
            notices += result.notices
        }
        return compared.map(\.outcome)
    }
}

// MARK: Sending

extension LocalCalendar {
    /// Prepares to-dos, and stores the entries that are about to be sent, so that each is recognised if the response is
    /// lost.
    func prepare(_ sends: [SyncSend<TaskDay>]) async throws -> [TaskDay: OutgoingTodo] {
        let changed = sends.filter { $0.replaced != nil }.compactMap { send in
            updates[send.id].flatMap { $0.etag == send.replaced?.etag ? $0 : nil }
        }
        try await noteSending(changed.map { ($0.href, $0.sending) })
        var todos = Dictionary(changed.map { ($0.day, $0) }) { $1 }
        for todo in try await announce(sends.filter { $0.replaced == nil }.map(\.id)) { todos[todo.day] = todo }
        return todos
    }

    private func noteSending(_ entries: [(href: String, TodoLink.Sending?)]) async throws {
        if entries.isEmpty { return }
        try await manager.keep { [account] transaction in
            for (href, sending) in entries { try transaction.noteSending(sending, to: href, in: account) }
        }
    }

    /// Stores the links of to-dos that are about to be created, so that each is found by its path if the response is
    /// lost. A day that is changed meanwhile waits for the next sync.
    private func announce(_ days: [TaskDay]) async throws -> [OutgoingTodo] {
        if days.isEmpty { return [] }
        let (account, window, client) = (account, window, client)
        let states = try await manager.store.read { transaction in
            try days.compactMap { try transaction.syncedTodo($0, window, account: account) }
        }
        let todos = states.compactMap { item -> (SyncedTodo, OutgoingTodo)? in
            let href = client.href(named: item.key.uid)
            switch item {
            case .day(let day):
                guard window.shows(day.day.date, isFilled: day.todo.entry != nil) else { return nil }
                return (item, OutgoingTodo(day.todo, at: href))
            case .period(let period): return period.todo.map { (item, OutgoingTodo($0, at: href)) }
            }
        }
        await manager.onCompared()
        return try await manager.store.write(Operation(operation.name, who: operation.who, kind: .cache)) {
            transaction in
            try todos.filter { try transaction.announceTodo($1, of: $0, window, account) }.map { $1 }
        }
    }

    func storeRejection(of todos: [OutgoingTodo], _ result: PutResult?) async throws {
        // After an internal error of the server, a change may have been stored.
        let changed = result?.refusal?.isServerError == true ? [] : todos.filter { !$0.etag.isEmpty }
        try await noteSending(changed.map { ($0.href, nil) })
        let new = todos.filter(\.etag.isEmpty)
        if new.isEmpty { return }
        try await manager.keep { [account] transaction in
            for todo in new {
                switch result {
                case .nameTaken, .changedMeanwhile, .gone:
                    // Another item has this path: its content was never compared with ours.
                    try transaction.saveTodoLink(TodoLink(todo.day, href: todo.href), in: account)
                // It may have been stored.
                case .uidTaken(_?), .refused(.serverError), .stored: break
                case nil, .uidTaken(nil), .refused: try transaction.dropTodo(at: todo.href, in: account)
                }
            }
        }
    }

    /// Compares the days with what the server made of their to-dos.
    mutating func storeReceipts(
        _ receipts: [SyncReceipt<OutgoingTodo>], _ fetched: [ByteString: RemoteItem]
    ) async throws -> [(href: String, outcome: FetchOutcome<TaskDay>)] {
        let sent = receipts.map { (ByteString($0.href), SentTodo($0.item.link(at: $0.href), etag: $0.etag)) }
        let items = receipts.compactMap { fetched[ByteString($0.href)] }.map { ReadTodo($0) }
        let outcomes = try await compare(items, missing: [], sent: Dictionary(sent) { $1 })
        return zip(items, outcomes).map { ($0.href, $1) }
    }
}

extension SyncProblem<TaskDay> {
    /// The reason in one sentence.
    var text: String {
        switch reason {
        case .readOnly, .readOnlyRemoval: "the calendar is read-only; changes here are not sent"
        case .refused(.tooLarge(let reason)): "too large, or no space on the server: \(reason)"
        case .refused(let refusal): "rejected by the server: \(refusal.reason)"
        case .notRemovable(let refusal): "could not be deleted on the server: \(refusal.reason)"
        case .sameUID, .sameUIDHere: "another to-do on the server has the same UID"
        case .busy: "it keeps changing on the server; the next sync tries again"
        case .etagRefused: "the server does not accept its own ETag (status 412); the next sync tries again"
        case .changedHere: "it was changed here meanwhile; the next sync compares it"
        case .unreadable: "\(href ?? "the item") is no longer a to-do created by hub"
        case .unfetchable(let reason): "\(href ?? "the item") could not be fetched (\(reason)); will be retried"
        }
    }
}
