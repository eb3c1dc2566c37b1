import CSystem
import Glibc
import Synchronization

/// Commands for a thread that waits on file descriptors and alone uses what it owns, such as a connection of a library.
///
/// Any thread may send. Every command is either taken by the thread, or abandoned once, when the queue is closed.
package final class CommandQueue<Command: Sendable>: Sendable {
    private struct State {
        var commands: [Command] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let signal: @Sendable () -> Void
    private let abandon: @Sendable (Command) -> Void

    /// Creates a queue. `wake` ends the thread's wait, after which it takes all commands; it is called when there are some
    /// again, and never after `close`. `abandon` is called for each command that the thread will not take.
    package init(wake: @escaping @Sendable () -> Void, abandon: @escaping @Sendable (Command) -> Void) {
        signal = wake
        self.abandon = abandon
    }

    /// Leaves `command` for the thread, or abandons it when the queue is closed.
    package func send(_ command: Command) {
        let isAccepted = state.withLock { state in
            guard !state.isClosed else { return false }
            state.commands.append(command)
            // Under the lock, so that what it wakes is not released at the same time. The thread that was woken for the first
            // command takes the others as well.
            if state.commands.count == 1 { signal() }
            return true
        }
        if !isAccepted { abandon(command) }
    }

    /// Ends the thread's wait without a command, unless the queue is closed.
    package func wake() { state.withLock { if !$0.isClosed { signal() } } }

    /// Takes all commands, in the order in which they were sent. On the thread only.
    package func takeAll() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Abandons all commands that were not taken, and every later one.
    package func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.commands = [] }
            return state.commands
        }
        for command in left { abandon(command) }
    }
}

/// A descriptor that wakes a thread out of poll(2).
package final class EventFD: Sendable {
    /// Readable from a call of `signal` to the next one of `drain`.
    package let descriptor: Int32

    /// Opens a descriptor; nil with `errno` set when there are too many.
    package init?() {
        descriptor = system_wakeup_open()
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Makes the descriptor readable.
    package func signal() { system_wakeup_signal(descriptor) }

    /// Makes the descriptor unreadable; returns at once.
    package func drain() { system_wakeup_drain(descriptor) }
}
