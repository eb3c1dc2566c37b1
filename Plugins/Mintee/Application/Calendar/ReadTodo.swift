import MinteeDomain
import Sync

/// A fetched to-do with the values computed from it.
struct ReadTodo: Sendable {
    let entry: RemoteEntry
    let text: [UInt8]
    /// The parsed to-do; nil if the item is not a to-do, or cannot be read.
    let todo: IncomingTodo?

    init(_ item: RemoteItem) {
        entry = RemoteEntry(href: item.href, tag: item.tag)
        text = item.bytes
        todo = item.bytes.count > ReadTodo.maximumSize ? nil : (try? IncomingTodo.read(item.bytes)) ?? nil
    }

    /// The maximum size of a to-do, in bytes. Its text is processed inside a transaction that blocks others; hub's own
    /// to-dos are a thousandth of it.
    private static let maximumSize = 256 << 10

    /// The day of the to-do; nil if hub did not create it.
    var day: TaskDay? { todo?.own.map { TaskDay($0.taskID, $0.date) } }
}

/// A to-do to send.
struct OutgoingTodo: Sendable {
    let todo: DayTodo
    let href: String
    /// The etag of the item that it replaces; empty for a new one.
    let tag: String
    let text: [UInt8]

    /// The day that it stands for.
    var day: TaskDay { TaskDay(todo.taskID, todo.date) }

    /// Returns the link after storing at `href`, with the same state on both sides.
    func link(at href: String) -> TodoLink {
        TodoLink(
            day, href: href, ours: todo.entry, theirs: todo.entry,
            state: todo.progress.status.rawValue, number: todo.entry?.completion, changedAt: todo.changedAt,
            sent: todo.fingerprint)
    }
}
