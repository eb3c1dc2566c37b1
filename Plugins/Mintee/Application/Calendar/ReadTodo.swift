import Links
import MinteeDomain

/// A to-do on its way in, with all that is computed from it alone.
struct ReadTodo: Sendable {
    let entry: RemoteEntry
    let text: [UInt8]
    /// What it says; nil when it is no to-do, or cannot be read.
    let todo: IncomingTodo?

    init(_ item: RemoteItem) {
        entry = RemoteEntry(href: item.href, tag: item.tag)
        text = item.bytes
        todo = item.bytes.count > ReadTodo.maximumSize ? nil : (try? IncomingTodo.read(item.bytes)) ?? nil
    }

    /// The largest to-do that is looked at, in bytes; hub's own are a thousandth of it.
    private static let maximumSize = 256 << 10

    /// The day that it stands for; nil when hub did not make it.
    var day: TaskDay? { todo?.own.map { TaskDay($0.taskID, $0.date) } }
}

/// A to-do on its way out.
struct OutgoingTodo: Sendable {
    let todo: DayTodo
    let href: String
    /// The tag of what it replaces; empty for a new one.
    let tag: String
    let text: [UInt8]

    /// The day that it stands for.
    var day: TaskDay { TaskDay(todo.taskID, todo.date) }

    /// What is known once it stands at `href`: that both sides say the same.
    func link(at href: String) -> TodoLink {
        TodoLink(
            day, href: href, ours: todo.entry, theirs: todo.entry,
            state: todo.progress.status.rawValue, number: todo.entry?.completion, changedAt: todo.changedAt,
            sent: todo.fingerprint)
    }
}
