import Glibc
import Synchronization
import System

/// A running `hub serve` that has said that it is ready.
final class Daemon: Sendable {
    private let child: Child
    private let isEnded = Mutex(false)

    /// Starts `hub serve` and waits until it says READY=1 to the service manager, which is this test.
    init(in sandbox: Sandbox, _ arguments: [String] = [], timeout: Duration = .seconds(3600)) async throws {
        let socket = try NotifySocket(path: sandbox.folder + "/run/notify")
        child = try Child(
            ["serve"] + arguments, in: sandbox, log: "serve.log", extra: ["NOTIFY_SOCKET": socket.path])
        guard try await socket.awaits("READY=1", timeout) else {
            throw SystemError("hub serve did not get ready:\n\(sandbox.read("serve.log") ?? "")", code: ETIMEDOUT)
        }
    }

    deinit { if !isEnded.withLock({ $0 }) { child.signal(SIGKILL) } }

    /// Its process id.
    var pid: pid_t { child.pid }

    /// Ends it by a signal and returns the exit code, or 128 and the signal.
    @discardableResult
    func end(_ signal: Int32 = SIGTERM) async -> Int32 {
        child.signal(signal)
        let code = await child.wait()
        isEnded.withLock { $0 = true }
        return code
    }
}

/// The socket on which a service manager hears of its services (sd_notify(3)).
private final class NotifySocket: Sendable {
    let path: String
    private let descriptor: Int32

    init(path: String) throws(SystemError) {
        self.path = path
        unlink(path)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard descriptor >= 0, status == 0 else { throw SystemError("bind \(path)") }
    }

    deinit { close(descriptor) }

    /// Whether a message with the line `line` comes in time.
    func awaits(_ line: String, _ timeout: Duration) async throws(SystemError) -> Bool {
        let (descriptor, deadline) = (descriptor, ContinuousClock.now + timeout)
        return try await BackgroundThread.run { () throws(SystemError) in
            var bytes = [UInt8](repeating: 0, count: 4096)
            while true {
                var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                let left = (deadline - .now).components
                guard left.seconds >= 0, poll(&ready, 1, Int32(left.seconds * 1000 + 1)) > 0 else { return false }
                let count = recv(descriptor, &bytes, bytes.count, 0)
                guard count >= 0 else { throw SystemError("recv") }
                let text = String(decoding: bytes[..<count], as: UTF8.self)
                if text.split(separator: "\n").contains(Substring(line)) { return true }
            }
        } whenRefused: {
            $0
        }
    }
}
