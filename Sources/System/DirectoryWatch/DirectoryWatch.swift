/// The watch of one folder and everything below it: does what its state asks for.
struct DirectoryWatch {
    /// The path of the folder.
    let path: String
    private let report: @Sendable (DirectoryChange) -> Void
    private let notice: @Sendable (String) -> Void
    private var state: DirectoryWatchState
    private var inotify: Inotify?
    private let limits: DirectoryWatchState.Limits
    private let timing: DirectoryWatchState.Timing

    /// Creates a watch that begins with the first `advance`.
    init(
        _ path: String, at now: Duration, limits: DirectoryWatchState.Limits = .init(),
        timing: DirectoryWatchState.Timing = .init(), report: @escaping @Sendable (DirectoryChange) -> Void,
        notice: @escaping @Sendable (String) -> Void
    ) {
        self.path = path
        self.limits = limits
        self.timing = timing
        self.report = report
        self.notice = notice
        state = DirectoryWatchState(at: now, limits: limits, timing: timing)
    }

    /// Readable when there are events; nil while there cannot be any.
    var descriptor: Int32? { inotify?.descriptor }

    /// The time of the next call of `advance` if nothing happens before.
    var deadline: Duration { state.deadline }

    /// The number of watched folders.
    var count: Int { state.count }

    /// Does what is due.
    mutating func advance(to now: Duration) { perform(state.advance(to: now), now) }

    /// Takes the events that have arrived; false if there were none.
    @discardableResult
    mutating func takeEvents(at now: Duration) -> Bool {
        guard let inotify else { return false }
        let events = inotify.events()
        for var event in events {
            // After a restart the old numbers of watches mean nothing, or other folders.
            guard self.inotify === inotify else { return true }
            if !event.isFolder, event.kind == .created || event.kind == .written, let path = state.path(of: event) {
                event.isFolder = inotify.isFolder(path)
            }
            perform(state.handle(event, at: now), now)
        }
        return !events.isEmpty
    }

    private mutating func perform(_ actions: [DirectoryWatchState.Action], _ now: Duration) {
        var rest = Array(actions.reversed())
        while let action = rest.popLast() {
            switch action {
            case .watch(let path, let parent): rest += watch(path, parent, now).reversed()
            case .end(let watch): inotify?.end(watch)
            case .restart: inotify = nil
            case .report(let change): report(change)
            case .fallBack(let limit):
                inotify = nil
                notice(message(limit))
            }
        }
    }

    private mutating func watch(
        _ folder: RelativePath, _ parent: Int32?, _ now: Duration
    ) -> [DirectoryWatchState.Action] {
        do throws(SystemError) {
            if inotify == nil { inotify = try Inotify(root: path) }
            guard let inotify else { return [] }
            let (watch, isLink) = try inotify.watch(folder)
            if folder.isEmpty, watch == state.root { return [] }
            // After the watch, so that a folder made in between is in the list or in the events.
            let folders = try inotify.folders(in: folder, limit: limits.folders)
            return state.watched(
                folder, parent: parent, as: watch, isLink: isLink, folders: folders, at: now)
        } catch {
            return state.failed(folder, code: error.code, at: now)
        }
    }

    private func message(_ limit: DirectoryWatchState.Limit) -> String {
        let reason =
            switch limit {
            case .watches: "the limit of inotify watches or open files is reached (sysctl fs.inotify)"
            case .folders: "it has more than \(limits.folders) folders"
            }
        let seconds = timing.pollInterval.components.seconds
        return "cannot watch \(TerminalSanitizer.line(path)): \(reason); it is checked every \(seconds) s instead"
    }
}
