import Commands
import HubKit
import MinteeDomain
import Storage
package import Sync

/// The tasks as a list of to-dos for devices: one for each day and period that calendars show, and those that devices made.
///
/// The to-dos are kept as they were sent, with what other programs wrote into them. They follow the tasks: what was changed since is
/// written before a device sees anything.
package struct ServedTasks: ServedCollection {
    let mintee: MinteePlugin

    /// The list that the plugin offers.
    static let declaration = CollectionDeclaration(.tasks, id: "days", title: "Tasks") { (mintee: MinteePlugin) in
        ServedTasks(mintee: mintee)
    }

    package init(mintee: MinteePlugin) { self.mintee = mintee }

    static var bookkeeping: Operation { Operation("mintee devices", who: .service("mintee"), kind: .cache) }

    /// The days that are shown now.
    var window: SyncWindow { mintee.window }

    /// Reads to-dos that are as the tasks are now.
    private func read<T: Sendable>(_ body: @Sendable (Transaction) throws -> T) async throws -> T {
        let window = window
        let value = try await mintee.store.read { transaction -> T? in
            try transaction.isServedCurrent(window) ? body(transaction) : nil
        }
        if let value { return value }
        try await mintee.store.write(Self.bookkeeping) { try $0.settleServed(window) }
        return try await mintee.store.read(body)
    }

    /// Returns the identity of the store and the last number.
    package func state() async throws -> ServedState {
        try await read { ServedState(epoch: String(try $0.replica().prefix(16)), number: try $0.lastServedNumber()) }
    }

    /// Returns the number of to-dos.
    package func count() async throws -> Int { try await read { try $0.servedTodoCount() } }

    /// Returns to-dos by their names.
    package func entries(after name: String?, limit: Int) async throws -> [ServedEntry] {
        try await read { try $0.servedEntries(after: name, limit: limit) }
    }

    /// Returns what changed after a number.
    package func changes(after number: Int, upTo last: Int, limit: Int) async throws -> [ServedChange] {
        try await read { try $0.servedTodoChanges(after: number, upTo: last, limit: limit) }
    }

    /// Returns the to-dos with these names.
    package func items(named names: [String]) async throws -> [ServedItem] {
        try await read { transaction in try names.compactMap { try transaction.servedTodo($0)?.item } }
    }

    /// Stores a to-do of a device, merged into the day or the to-do of that name.
    package func put(_ put: ServedPut) async throws -> ServedPutResult {
        let sent: DeviceTodo
        do throws(DeviceTodo.Failure) {
            sent = try DeviceTodo(put.content, uid: Identifier.make())
        } catch {
            switch error {
            case .otherType: return .wrongType
            case .otherComponent: return .wrongComponent
            case .invalid(let reason): return .invalid(reason)
            }
        }
        let merge = DeviceTodoMerge(put, sent, window: window, boundary: mintee.day)
        return try await mintee.store.write(Operation(put.author)) { try merge.store(in: $0) }
    }

    /// Removes a to-do: one that a device made with its task, which goes to the trash. A day of a task comes back when it changes, and
    /// on the next day: what the removal means cannot be known.
    package func remove(
        _ name: String, if condition: ServedCondition, by author: ServedAuthor
    ) async throws -> ServedRemoval {
        let window = window
        return try await mintee.store.write(Operation(author)) { transaction in
            try transaction.settleServed(window)
            guard let todo = try transaction.servedTodo(name), let item = todo.item else { return .missing }
            guard condition.holds(for: item.entry) else { return .refused(item.entry) }
            if todo.day != nil {
                try transaction.removeServedTodo(name)
            } else if let record = try transaction.task(todo.task) {
                try transaction.trash(record)
            } else {
                try transaction.setDeviceTodo(todo.task, nil)
            }
            try transaction.settleServed(window)
            return .removed
        }
    }

    /// Gives a to-do a new number.
    package func renumber(_ name: String) async throws {
        try await mintee.store.write(Self.bookkeeping) { try $0.renumberServedTodo(name) }
    }
}

extension MinteePlugin {
    /// The days that calendars show now.
    var window: SyncWindow {
        SyncWindow(
            today: day.today, back: config[MinteeKeys.daysBack], ahead: config[MinteeKeys.daysAhead],
            filledBack: config[MinteeKeys.filledBack], weekStart: weekStart)
    }

    /// Returns the names of the to-dos of devices that have no day, and are not done.
    package func undatedTodos() async throws -> [String] {
        try await store.read { try $0.deviceTodos() }.compactMap { DeviceTodo(stored: $0)?.todo }
            .filter { ![.completed, .cancelled].contains($0.progress.status) }.map { DeviceTodo.name($0.name) }
    }
}

extension Operation {
    /// The operation of a device, named after it.
    fileprivate init(_ author: ServedAuthor) {
        let program = author.program.isEmpty ? "" : " (\(author.program))"
        self.init(
            id: author.operation, "mintee device", who: .service(author.device),
            commandLine: "\(author.device)\(program): change tasks")
    }
}

extension Transaction {
    /// Moves a task to the trash.
    func trash(_ record: TaskRecord) throws {
        if record.deletedAt != nil { return }
        try TaskRecord.kind.setDeleted(record.id, at: now, in: self)
        try noteServedChanges(of: [record.id])
        try emit(MinteeEvents.taskTopics.removed, [record], of: MinteeEvents.taskTopics)
    }
}
