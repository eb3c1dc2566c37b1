import Glibc

/// The state of watching one folder and everything below it: takes events and results, and returns what is to be done.
///
/// Hidden files and folders are left out, as editors and version control use them for their own. A folder that is
/// reached by several links is watched once. Times are durations since any start.
struct DirectoryWatchState {
    /// What is to be done, in this order.
    enum Action: Equatable {
        /// Watch a folder and list the folders in it; answered by `watched` or `failed`.
        case watch(RelativePath, parent: Int32?)
        /// End one watch.
        case end(Int32)
        /// End all watches and forget their events.
        case restart
        /// Pass on a change.
        case report(DirectoryChange)
        /// End all watches for good: from now on everything is reported at intervals.
        case fallBack(Limit)
    }

    /// A limit that prevents watching.
    enum Limit: Equatable {
        /// The system's limit of watches for a user.
        case watches
        /// The limit of folders below one.
        case folders
    }

    /// The limits of one watch; deeper folders are not watched.
    struct Limits {
        var folders = 10_000
        var depth = 16
    }

    /// The times of one watch.
    struct Timing {
        /// The time without another event after which a change is reported.
        var settling = Duration.seconds(1)
        /// The longest time for which a change is held back.
        var longestDelay = Duration.seconds(10)
        /// The time between two looks at whether the path still leads to the watched folder.
        var checkInterval = Duration.seconds(15)
        /// The time between two reports where the folder cannot be watched.
        var pollInterval = Duration.seconds(60)
    }

    private struct Folder {
        let path: RelativePath
        let parent: Int32?
        var folders: [FileName: Int32] = [:]
    }

    /// Changes that are held back until no more follow.
    private struct Pending {
        var isEverything = false
        /// The paths; true while a file is being written.
        var paths: [RelativePath: Bool] = [:]
        var first: Duration
        var last: Duration
    }

    private let limits: Limits
    private let timing: Timing
    private var folders: [Int32: Folder] = [:]
    private var pending: Pending?
    private var mustRestart = false
    private var isPolling = false
    private var nextCheck: Duration
    /// The watch of the folder itself; nil while it is absent.
    private(set) var root: Int32?

    /// Creates the state of a watch that begins at `now`.
    init(at now: Duration, limits: Limits = Limits(), timing: Timing = Timing()) {
        self.limits = limits
        self.timing = timing
        nextCheck = now
    }

    /// The number of watched folders.
    var count: Int { folders.count }

    /// Returns the path of the entry that an event names; nil if its folder is not watched.
    func path(of event: InotifyEvent) -> RelativePath? { folders[event.watch]?.path.appending(event.name) }

    /// The time of the next call of `advance` if nothing happens before.
    var deadline: Duration { min(nextCheck, pendingDeadline ?? nextCheck) }

    private var pendingDeadline: Duration? {
        guard let pending else { return nil }
        let latest = pending.first + timing.longestDelay
        let isSettling = pending.isEverything || pending.paths.values.contains(false)
        return isSettling ? min(pending.last + timing.settling, latest) : latest
    }

    /// Returns what is due at `now`.
    mutating func advance(to now: Duration) -> [Action] {
        var actions: [Action] = []
        if nextCheck <= now {
            nextCheck = now + (isPolling ? timing.pollInterval : timing.checkInterval)
            actions = [isPolling ? .report(.everything) : .watch(RelativePath(), parent: nil)]
        }
        guard let due = pendingDeadline, due <= now else { return actions }
        if mustRestart { actions += restart() }
        if let change = takePending(at: now) { actions.append(.report(change)) }
        return actions
    }

    private mutating func takePending(at now: Duration) -> DirectoryChange? {
        guard let held = pending else { return nil }
        pending = nil
        if held.isEverything { return .everything }
        // A file that is never closed, such as a hard link, is reported in the end.
        let isLate = held.first + timing.longestDelay <= now
        let open = isLate ? [:] : held.paths.filter(\.value)
        if !open.isEmpty { pending = Pending(paths: open, first: held.first, last: held.last) }
        return .paths(Set(held.paths.keys.lazy.filter { open[$0] == nil }))
    }

    private mutating func hold(_ now: Duration, _ change: (inout Pending) -> Void) {
        var held = pending ?? Pending(first: now, last: now)
        change(&held)
        held.last = now
        if held.paths.count > DirectoryChange.maximumPaths { held.isEverything = true }
        if held.isEverything { held.paths = [:] }
        pending = held
    }

    private mutating func holdEverything(_ now: Duration) { hold(now) { $0.isEverything = true } }

    /// Forgets all watches and begins with the folder itself.
    private mutating func restart() -> [Action] {
        mustRestart = false
        root = nil
        folders = [:]
        return [.restart, .watch(RelativePath(), parent: nil)]
    }
}

// MARK: Results

extension DirectoryWatchState {
    /// A folder is watched as `watch`, and these folders are in it.
    mutating func watched(
        _ path: RelativePath, parent: Int32?, as watch: Int32, isLink: Bool = false, folders names: [FileName],
        at now: Duration
    ) -> [Action] {
        guard !isPolling else { return [] }
        guard let name = path.names.last else { return watchedRoot(watch, names, now) }
        guard let parent, folders[parent] != nil else { return folders[watch] == nil ? [.end(watch)] : [] }
        if let known = folders[watch] {
            // By a link it is reached once more; otherwise it was moved here, and the event of that is still to come.
            guard !isLink, known.path != path, !path.names.starts(with: known.path.names) else { return [] }
            return drop(watch) + [.watch(path, parent: parent)]
        }
        guard folders.count < limits.folders else { return fallBack(.folders, now) }
        var actions = folders[parent]?.folders[name].map { drop($0) } ?? []
        folders[parent]?.folders[name] = watch
        folders[watch] = Folder(path: path, parent: parent)
        actions += watches(of: names, in: path, watch)
        return actions
    }

    private mutating func watchedRoot(_ watch: Int32, _ names: [FileName], _ now: Duration) -> [Action] {
        guard root != watch else { return [] }
        holdEverything(now)
        // Another folder has taken its path.
        if root != nil { return restart() }
        root = watch
        folders[watch] = Folder(path: RelativePath(), parent: nil)
        return watches(of: names, in: RelativePath(), watch)
    }

    private func watches(of names: [FileName], in path: RelativePath, _ parent: Int32) -> [Action] {
        guard path.names.count < limits.depth else { return [] }
        return names.filter { !$0.isHidden }.map { .watch(path.appending($0), parent: parent) }
    }

    /// A folder could not be watched or listed.
    mutating func failed(_ path: RelativePath, code: Int32, at now: Duration) -> [Action] {
        guard !isPolling else { return [] }
        switch code {
        case ENOSPC, EMFILE, ENFILE, ENOMEM: return fallBack(.watches, now)
        case EFBIG: return fallBack(.folders, now)
        default: break
        }
        // A folder below that is gone or closed to hub is left out; its parent reports its return.
        guard path.isEmpty, root != nil else { return [] }
        holdEverything(now)
        return Array(restart().prefix(1))
    }

    private mutating func fallBack(_ limit: Limit, _ now: Duration) -> [Action] {
        isPolling = true
        root = nil
        folders = [:]
        pending = nil
        nextCheck = now + timing.pollInterval
        return [.fallBack(limit), .report(.everything)]
    }
}

// MARK: Events

extension DirectoryWatchState {
    /// Takes an event.
    mutating func handle(_ event: InotifyEvent, at now: Duration) -> [Action] {
        guard !isPolling else { return [] }
        if event.kind == .overflow {
            // Not at once: while more is lost than read, the folders would be listed again and again.
            mustRestart = true
            holdEverything(now)
            return []
        }
        guard let folder = folders[event.watch] else { return [] }
        if event.kind == .lost || event.kind == .ended {
            if event.watch == root {
                holdEverything(now)
                return restart()
            }
            // The parent of a folder reports where it went.
            return event.kind == .ended ? drop(event.watch) : []
        }
        guard !event.name.bytes.isEmpty, !event.name.isHidden else { return [] }
        let path = folder.path.appending(event.name)
        var actions: [Action] = []
        if let known = folder.folders[event.name], event.kind == .removed || event.isFolder { actions += drop(known) }
        hold(now) { $0.paths[path] = event.kind == .created && !event.isFolder }
        if event.isFolder, event.kind != .removed { actions += watches(of: [event.name], in: folder.path, event.watch) }
        return actions
    }

    /// Forgets a folder and those below it.
    private mutating func drop(_ watch: Int32) -> [Action] {
        if let folder = folders[watch], let name = folder.path.names.last, let parent = folder.parent {
            folders[parent]?.folders[name] = nil
        }
        var ends: [Action] = []
        var rest = [watch]
        while let next = rest.popLast() {
            guard let folder = folders.removeValue(forKey: next) else { continue }
            ends.append(.end(next))
            rest += folder.folders.values
        }
        return ends
    }
}
