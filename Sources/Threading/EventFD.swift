import CSystem
import Glibc

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
