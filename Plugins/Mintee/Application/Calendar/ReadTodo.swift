import Links
import MinteeDomain

/// A to-do on its way in, with all that is computed from it alone.
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

    /// The largest to-do that is looked at, in bytes. Its text is read and written inside a transaction, for which others
    /// wait; hub's own are a thousandth of it.
    private static let maximumSize = 256 << 10

    /// The day of the to-do; nil if hub did not create it.
    var day: TaskDay? { todo?.own.map { TaskDay($0.taskID, $0.date) } }
}

/// A to-do on its way out.
struct OutgoingTodo: Sendable {
    let todo: DayTodo
    let href: String
    /// The tag of what it replaces; empty for a new one.
    let tag: String
    let text: [UInt8]

    /// Returns the link after storing at `href`, with the same state on both sides.
    func link(at href: String) -> TodoLink {
        TodoLink(
            TaskDay(todo.taskID, todo.date), href: href, ours: todo.entry, theirs: todo.entry,
            state: todo.progress.status.rawValue, number: todo.entry?.completion, changedAt: todo.changedAt,
            sent: todo.fingerprint)
    }
}
