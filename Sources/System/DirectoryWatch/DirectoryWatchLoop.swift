import Glibc
import Threading

/// The thread of a ``DirectoryWatcher``, which waits for the events of all its watches.
final class DirectoryWatchLoop {
    /// A command to the thread.
    enum Command: Sendable {
        /// Watch the folder at a path.
        case watch(UInt64, path: String, DirectoryWatchState.Timing, ChangeBuffer)
        /// End a watch.
        case end(UInt64)
        /// End the thread.
        case close
    }

    private let commands: CommandQueue<Command>
    private let wakeup: EventFD
    private var watches: [UInt64: DirectoryWatch] = [:]
    private let start = ContinuousClock.now

    private init(_ commands: CommandQueue<Command>, _ wakeup: EventFD) {
        self.commands = commands
        self.wakeup = wakeup
    }

    /// Starts a thread that serves the returned queue until it gets the command to close; nil when the system refuses one.
    static func run() -> CommandQueue<Command>? {
        guard let wakeup = EventFD() else { return nil }
        let commands = CommandQueue<Command>(wake: { wakeup.signal() }, abandon: { _ in })
        let status = DetachedThread.start { DirectoryWatchLoop(commands, wakeup).serve() }
        return status == 0 ? commands : nil
    }

    private var now: Duration { .now - start }

    private func serve() {
        while true {
            for command in commands.takeAll() {
                switch command {
                case .watch(let id, let path, let timing, let buffer):
                    watches[id] = DirectoryWatch(path, at: now, timing: timing) {
                        buffer.put($0)
                    } notice: {
                        buffer.notice($0)
                    }
                case .end(let id): watches[id] = nil
                case .close: return commands.close()
                }
            }
            for id in Array(watches.keys) where watches[id].map({ $0.deadline <= now }) == true {
                watches[id]?.advance(to: now)
            }
            wait()
        }
    }

    /// Waits for events, a command or the next deadline, and takes the events.
    private func wait() {
        let sources = watches.compactMap { id, watch in watch.descriptor.map { (id: id, descriptor: $0) } }
        var ready = [wakeup.descriptor] + sources.map(\.descriptor)
        var descriptors = ready.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let next = watches.values.map(\.deadline).min()
        guard poll(&descriptors, nfds_t(descriptors.count), next.map { ($0 - now).pollTimeout } ?? -1) > 0 else {
            return
        }
        ready = descriptors.filter { $0.revents != 0 }.map(\.fd)
        if ready.contains(wakeup.descriptor) { wakeup.drain() }
        for source in sources where ready.contains(source.descriptor) { watches[source.id]?.takeEvents(at: now) }
    }
}
