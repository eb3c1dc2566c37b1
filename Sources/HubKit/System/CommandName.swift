import Synchronization

/// The words of the command that this process runs, such as `hub contacts import`.
///
/// It can be shown to other processes. The arguments are left out, because they may contain a password or private
/// text.
package enum CommandName {
    private static let words = Mutex("hub")

    /// The words; `hub` until a command is known.
    package static var current: String { words.withLock { $0 } }

    /// Notes what the process runs from now on.
    package static func set(_ path: [String]) { words.withLock { $0 = path.joined(separator: " ") } }
}
