import CivilDate
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

    /// The day or period of the to-do; nil if hub did not create it.
    var day: TaskDay? { todo?.own }

    /// The name and the day of a single completed to-do that hub did not create: programs that move a to-do on when it is
    /// completed leave such a copy of it. Nil for any other one.
    var copy: (name: String, date: CivilDate)? {
        guard let todo, todo.own == nil, todo.progress.status == .completed, !todo.isSeries,
            let date = todo.due ?? todo.date
        else { return nil }
        return (todo.name, date)
    }

    var href: String { entry.href }
    var identity: Int? { nil }
}

/// A to-do to send.
struct OutgoingTodo: OutgoingItem {
    let href: String
    /// The etag of the item that it replaces; empty for a new one.
    let etag: String
    let bytes: [UInt8]
    /// The link after storing it, with the same state on both sides.
    private let link: TodoLink

    /// The to-do of a day.
    init(_ todo: DayTodo, at href: String, etag: String = "", bytes: [UInt8]? = nil) {
        (self.href, self.etag, self.bytes) = (href, etag, bytes ?? todo.text)
        link = TodoLink(
            TaskDay(todo.taskID, todo.date), href: href, ours: todo.entry, theirs: todo.entry,
            state: todo.progress.status.rawValue, number: todo.entry?.completion, changedAt: todo.changedAt,
            sent: todo.fingerprint)
    }

    /// The to-do of a period.
    init(_ todo: PeriodTodo, at href: String, etag: String = "", bytes: [UInt8]? = nil) {
        (self.href, self.etag, self.bytes) = (href, etag, bytes ?? todo.text)
        // What other programs wrote stays: the description, and the time of a completion.
        let sent = (try? IncomingTodo.read(self.bytes)) ?? nil
        link = TodoLink(
            todo.key, href: href, theirs: Entry(completion: Double(todo.state.percent), note: sent?.note),
            state: todo.state.status.rawValue, number: todo.progress.amount, changedAt: todo.changedAt,
            sent: todo.fingerprint,
            completedAt: sent?.completedAt)
    }

    /// The day or period that it stands for.
    var day: TaskDay { link.day }
    var name: String { day.uid }
    /// The entry that is sent.
    var sending: TodoLink.Sending { TodoLink.Sending(link.ours, changedAt: link.changedAt ?? 0) }

    /// Returns the link after storing at `href`.
    func link(at href: String) -> TodoLink {
        var link = link
        link.href = href
        return link
    }
}
