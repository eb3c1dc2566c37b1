import CSQLite
import Synchronization

/// The right to stop whatever statement a connection is running, from any thread.
package final class Interruption: Sendable {
    /// The connection as a number, because a pointer is not sendable; nil once it is closed.
    private let connection: Mutex<UInt?>

    init(_ handle: OpaquePointer) { connection = Mutex(UInt(bitPattern: handle)) }

    /// Makes running statements fail with an interrupt; does nothing when none runs or the connection is closed.
    package func interrupt() {
        connection.withLock { address in
            guard let address else { return }
            sqlite3_interrupt(OpaquePointer(bitPattern: address))
        }
    }

    func close() { connection.withLock { $0 = nil } }
}
