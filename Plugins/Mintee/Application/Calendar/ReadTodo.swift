import MinteeDomain
import Sync

/// A fetched to-do with the values computed from it.
struct ReadTodo: IncomingItem {
    let entry: RemoteEntry
    let text: [UInt8]
    /// The parsed to-do; nil if the item is not a to-do, or cannot be read.
    let todo: IncomingTodo?
    /// Whether it was fetched, and is valid.
    let isReadable: Bool
    /// The error of the request; nil if it was fetched.
    let failure: String?

    init(_ item: RemoteItem) {
        entry = RemoteEntry(href: item.href, etag: item.etag)
        text = item.bytes
        failure = item.failure
        let isFetched = item.failure == nil && item.bytes.count <= ReadTodo.maximumSize
        do {
            todo = isFetched ? try IncomingTodo.read(item.bytes) : nil
            isReadable = isFetched
        } catch {
            todo = nil
            isReadable = false
        }
    }

    /// The maximum size of a to-do, in bytes. Its text is processed inside a transaction that blocks others; hub's own
    /// to-dos are a thousandth of it.
    private static let maximumSize = 256 << 10

    /// The day of the to-do; nil if hub did not create it.
    var day: TaskDay? { todo?.own.map { TaskDay($0.taskID, $0.date) } }

    var href: String { entry.href }
    var identity: Int? { nil }
}

/// A to-do to send.
struct OutgoingTodo: OutgoingItem {
    let todo: DayTodo
    let href: String
    /// The etag of the item that it replaces; empty for a new one.
    let etag: String
    let bytes: [UInt8]

    /// The day that it stands for.
    var day: TaskDay { TaskDay(todo.taskID, todo.date) }
    var name: String { todo.uid }

    /// Returns the link after storing at `href`, with the same state on both sides.
    func link(at href: String) -> TodoLink {
        TodoLink(
            day, href: href, ours: todo.entry, theirs: todo.entry,
            state: todo.progress.status.rawValue, number: todo.entry?.completion, changedAt: todo.changedAt,
            sent: todo.fingerprint)
    }
}
