import CSystem
import Dispatch

/// The threads on which Swift runs tasks and actors that have no executor of their own. There is one for each core, so a call that
/// blocks on one of them keeps everything waiting that the process serves.
package enum CooperativePool {
    /// Whether the current thread is one of the pool, or serves others as those do: a thread that began a task with `Task.immediate`.
    /// The main thread, those of dispatch queues, and those that were started by ``DetachedThread`` are not.
    package static var isCurrent: Bool {
        system_is_on_queue(pool) || system_is_on_queue(none) && withUnsafeCurrentTask { $0 != nil }
    }

    /// The label that Swift's runtime gives the queue of its global executor. A test checks it, since no function returns it.
    private static let pool = "Swift global concurrent queue"
    /// The label on a thread that libdispatch did not start.
    private static let none = "com.apple.root.default-qos.overcommit"

    /// Traps in debug builds if the current thread is one of the pool. What may wait for the disk or for another program begins with it.
    /// `function` is named in the message.
    package static func assertNotCurrent(_ function: StaticString = #function) {
        assert(
            !isCurrent, "\(function) may block, and was called on a thread of the task pool; use BackgroundThread.run")
    }
}
