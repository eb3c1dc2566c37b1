import CSystem
import Glibc

/// A descriptor that wakes a thread out of poll(2).
final class EventFD: Sendable {
    /// Readable once `signal` was called.
    let descriptor: Int32

    init() throws(SystemError) {
        descriptor = system_wakeup_open()
        if descriptor < 0 { throw SystemError("eventfd") }
    }

    deinit { close(descriptor) }

    func signal() { system_wakeup_signal(descriptor) }
}
