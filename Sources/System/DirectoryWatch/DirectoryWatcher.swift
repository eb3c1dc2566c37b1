import Synchronization
import Threading

/// Watches folders for changes by any program, on one thread for all of them.
///
/// A program that saves by renaming, folders that come and go, and a folder that is absent for a while are all seen.
/// Changes by other machines on a network file system, and changes of a file by another path, as behind a link, are not:
/// look at such a folder at intervals too.
package final class DirectoryWatcher: Sendable {
    private struct State {
        var commands: CommandQueue<DirectoryWatchLoop.Command>?
        var nextID: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Creates a watcher; its thread starts with the first watch and ends with the watcher.
    package init() {}

    deinit { state.withLock { $0.commands?.send(.close) } }

    /// Returns the changes of the folder at the absolute `path` and below it, until the sequence is released.
    ///
    /// The first change is everything, as soon as the folder is there and watched, so that no change between a first
    /// look and the watch is missed. A file is reported when it is closed; changes that follow each other within
    /// `settling` are reported as one. What cannot be watched is reported at intervals, after one `notice`, which is
    /// called on the watcher's thread.
    package func changes(
        below path: String, settling: Duration = .seconds(1), notice: @escaping @Sendable (String) -> Void
    ) -> DirectoryChanges {
        let buffer = ChangeBuffer(notice: notice)
        let timing = DirectoryWatchState.Timing(settling: settling)
        let id = state.withLock { state -> UInt64? in
            if state.commands == nil { state.commands = DirectoryWatchLoop.run() }
            guard let commands = state.commands else { return nil }
            state.nextID += 1
            commands.send(.watch(state.nextID, path: path, timing, buffer))
            return state.nextID
        }
        if id == nil {
            notice("cannot watch \(TerminalSanitizer.line(path)): no thread could be started; it is read only once")
            buffer.put(.everything)
        }
        return DirectoryChanges(buffer: buffer, registration: DirectoryChanges.Registration(self, id: id))
    }

    fileprivate func end(_ id: UInt64) { state.withLock { $0.commands?.send(.end(id)) } }
}

/// The changes of a watched folder. Those that arrive before they are asked for become one.
package struct DirectoryChanges: AsyncSequence, Sendable {
    /// A part of the folder that is to be read again.
    package typealias Element = DirectoryChange

    /// Ends the watch when it is released.
    fileprivate final class Registration: Sendable {
        private let watcher: DirectoryWatcher
        private let id: UInt64?

        init(_ watcher: DirectoryWatcher, id: UInt64?) {
            self.watcher = watcher
            self.id = id
        }

        deinit { if let id { watcher.end(id) } }
    }

    fileprivate let buffer: ChangeBuffer
    fileprivate let registration: Registration

    /// Returns the one iterator that may be in use at a time.
    package func makeAsyncIterator() -> Iterator {
        Iterator(changes: self, signals: buffer.signals.makeAsyncIterator())
    }

    /// Waits for one change after another.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let changes: DirectoryChanges
        fileprivate var signals: AsyncStream<Void>.Iterator

        /// Returns the next change; nil when the task is cancelled.
        package mutating func next() async -> DirectoryChange? {
            while await signals.next(isolation: #isolation) != nil {
                if let change = changes.buffer.take() { return change }
            }
            return nil
        }
    }
}

/// The changes between the thread that finds them and the task that takes them.
final class ChangeBuffer: Sendable {
    /// Yields when there is a change to take.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let held = Mutex<DirectoryChange?>(nil)
    /// Called with a message for the log.
    let notice: @Sendable (String) -> Void

    init(notice: @escaping @Sendable (String) -> Void) {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.notice = notice
    }

    /// Adds a change.
    func put(_ change: DirectoryChange) {
        held.withLock { held in
            if held == nil { held = change } else { held?.formUnion(change) }
        }
        signal.yield()
    }

    /// Takes all changes; nil when there are none.
    func take() -> DirectoryChange? {
        held.withLock { held in
            defer { held = nil }
            return held
        }
    }
}
