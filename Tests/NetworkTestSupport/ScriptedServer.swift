import Glibc
import Synchronization

/// A server on a free port of the loopback interface that does with each connection what a test says, on a thread of
/// the connection's own. It stops when the test lets go of it.
package final class ScriptedServer: Sendable {
    package let port: UInt16
    /// The listener under a number of this object's own, for `shutdown`: the thread closes the other one.
    private let listener: Int32
    private let accepted = Mutex<(count: Int, open: Set<Int32>, isStopped: Bool)>((0, [], false))

    /// Listens; `script` is called with each connection, which is closed when it returns.
    package init(_ script: @escaping @Sendable (ScriptedConnection) -> Void) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.listener = fcntl(listener, F_DUPFD_CLOEXEC, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) | listen(listener, 1024) | getsockname(listener, address, &length)
            }
        }
        guard status == 0 else { throw TestProcessError.notStarted("a server", errno) }
        port = UInt16(bigEndian: address.sin_port)
        TestThread.start { [weak self] in
            // This thread alone closes the listener: under its number another server may listen a moment later.
            defer { Glibc.close(listener) }
            while true {
                let connection = acceptOne(listener)
                guard connection >= 0, let server = self, server.enter(connection) else {
                    if connection >= 0 { Glibc.close(connection) }
                    return
                }
                TestThread.start {
                    script(ScriptedConnection(connection))
                    server.leave(connection)
                }
            }
        }
    }

    deinit {
        stop()
        close(listener)
    }

    /// The number of connections so far.
    package var connectionCount: Int { accepted.withLock { $0.count } }

    /// Takes no more connections and breaks those that are open.
    package func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        accepted.withLock { state in
            state.isStopped = true
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    private func enter(_ connection: Int32) -> Bool {
        accepted.withLock { state in
            guard !state.isStopped else { return false }
            state.count += 1
            state.open.insert(connection)
            return true
        }
    }

    private func leave(_ connection: Int32) {
        accepted.withLock { state in
            state.open.remove(connection)
            Glibc.close(connection)
        }
    }
}

/// The next connection; negative once the listener was shut down. A client that went at once, a signal, and a process
/// that has no descriptor left for the moment end nothing.
private func acceptOne(_ listener: Int32) -> Int32 {
    while true {
        let connection = accept(listener, nil, nil)
        if connection >= 0 {
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            return connection
        }
        switch errno {
        case EINTR, ECONNABORTED: continue
        case EMFILE, ENFILE: usleep(1000)
        default: return connection
        }
    }
}
