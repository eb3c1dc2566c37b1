package import Sync

/// Computes the actions of a calendar sync from the state of both sides. It does no I/O and stores nothing.
///
/// A to-do that was deleted on the server is created again; a deletion there never changes anything here. Only to-dos
/// with a known link, or for a day that is due here, belong to hub; all others are left alone.
package struct TodoEngine: Sendable {
    /// The outcome for a fetched to-do.
    package enum Outcome: Hashable, Sendable {
        /// It belongs to this day.
        case stands(TaskDay)
        /// Its day is no longer due.
        case stray(TaskDay)
        /// It was not created by hub, or cannot be read.
        case foreign
    }

    /// A to-do to remove, unless its etag has changed.
    package struct Removal: Hashable, Sendable {
        /// The path and etag on the server.
        package let entry: RemoteEntry
        /// The day whose to-do is removed.
        package let day: TaskDay
    }

    /// The paths of the to-dos to fetch, in the order found.
    package private(set) var fetches: [String] = []
    /// The paths of links that are obsolete.
    package private(set) var forgotten: [String] = []
    /// To-dos whose day is no longer due.
    package private(set) var removals: [Removal] = []
    /// The days that have no to-do.
    private var missing: Set<TaskDay> = []
    /// The links by path.
    private var links: [String: TodoLink] = [:]
    private let wanted: Set<TaskDay>

    /// `days` are those to show, `strays` the links of all others, `held` items not created by hub, with their etags
    /// when they were read.
    package init(days: [SyncDay], orphans: [TodoLink], held: [RemoteEntry], changes: RemoteChanges) {
        let listed = Dictionary(changes.entries.map { ($0.href, $0.tag) }) { $1 }
        let removed = Set(changes.removed)
        func isGone(_ href: String) -> Bool {
            listed[href] == nil && (changes.isComplete || removed.contains(href))
        }
        wanted = Set(days.map(\.day))
        for day in days {
            guard let link = day.link else {
                missing.insert(day.day)
                continue
            }
            links[link.href] = link
            if !link.isSeen {
                fetches.append(link.href)
            } else if isGone(link.href) {
                missing.insert(day.day)
            } else if day.isWaiting || listed[link.href].map({ $0 != link.tag }) ?? false {
                fetches.append(link.href)
            }
        }
        for link in orphans {
            links[link.href] = link
            if link.isSeen, isGone(link.href) {
                forgotten.append(link.href)
            } else if !link.isSeen || listed[link.href].map({ $0 != link.tag }) ?? false {
                // Fetched before it is removed, since it may contain a recent tick.
                fetches.append(link.href)
            } else {
                removals.append(Removal(entry: RemoteEntry(href: link.href, tag: link.tag), day: link.day))
            }
        }
        let known = Dictionary(held.map { ($0.href, $0.tag) }) { $1 }
        for entry in changes.entries where links[entry.href] == nil && known[entry.href] != entry.tag {
            fetches.append(entry.href)
        }
        // Items that could not be fetched are tried again.
        for href in known.keys.sorted() where known[href]?.isEmpty == true && listed[href] == nil && !isGone(href) {
            fetches.append(href)
        }
        forgotten += held.map(\.href).filter(isGone)
    }

    /// Whether there is nothing to do at all.
    package var isIdle: Bool { fetches.isEmpty && forgotten.isEmpty && removals.isEmpty && missing.isEmpty }

    /// The days without a to-do, in order; valid after all fetched items were processed.
    package var creations: [TaskDay] { missing.sorted() }

    /// Records the outcome for the to-do at `entry`.
    package mutating func settle(_ entry: RemoteEntry, _ outcome: Outcome) {
        switch outcome {
        case .stands(let day): missing.remove(day)
        case .stray(let day): removals.append(Removal(entry: entry, day: day))
        case .foreign: break
        }
    }

    /// Records that the item at `href` exists, so that its day is not created a second time.
    /// - Returns: the day whose to-do it was.
    @discardableResult
    package mutating func keep(_ href: String) -> TaskDay? {
        guard let day = links[href]?.day else { return nil }
        missing.remove(day)
        return day
    }

    /// Records that no item is at `href`.
    package mutating func lose(_ href: String) {
        guard let link = links[href] else { return }
        if wanted.contains(link.day) { missing.insert(link.day) } else { forgotten.append(href) }
    }
}
