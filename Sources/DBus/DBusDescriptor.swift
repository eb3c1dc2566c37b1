import Glibc

/// An open file descriptor that travelled over the bus; it is closed when the last reference goes.
package final class DBusDescriptor: Sendable {
    /// The descriptor's number in this process; close-on-exec.
    package let number: Int32

    /// Takes ownership of `number`; the caller must not close it.
    package init(adopting number: Int32) { self.number = number }

    deinit { close(number) }
}

extension DBusDescriptor: Hashable {
    /// Whether both refer to the same open descriptor.
    package static func == (left: DBusDescriptor, right: DBusDescriptor) -> Bool { left.number == right.number }

    /// Hashes the number of the descriptor.
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
