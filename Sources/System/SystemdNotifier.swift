import Glibc

/// Tells the service manager how this process fares, by the protocol of sd_notify(3); one datagram, no library.
package struct SystemdNotifier: Sendable {
    /// A state to report.
    package enum State: Sendable {
        /// Start-up is finished.
        case ready
        /// The process is about to stop.
        case stopping
        /// One line for the unit's status.
        case status(String)
        /// The process is alive.
        case watchdog

        /// The assignment as it is sent, one line.
        var line: String {
            switch self {
            case .ready: "READY=1"
            case .stopping: "STOPPING=1"
            case .status(let text): "STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " ")
            case .watchdog: "WATCHDOG=1"
            }
        }
    }

    /// The interval for `watchdog`: half the time after which the manager kills the process; nil for never.
    package let watchdogInterval: Duration?
    private let path: String

    /// Reads where the manager listens from the variables that it sets; nil when no manager started this process.
    package init?(environment: [String: String], process: Int32 = getpid()) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@") else { return nil }
        self.path = path
        let isForUs = environment["WATCHDOG_PID"].map { Int32($0) == process } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdogInterval = isForUs && microseconds > 0 ? .microseconds(microseconds / 2) : nil
    }

    /// Reports `states`. A missing or slow manager is not an error.
    package func notify(_ states: State...) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0, var address = SystemdNotifier.address(path) else { return }
        defer { close(descriptor) }
        let message = states.map(\.line).joined(separator: "\n")
        // An abstract address ends with its last byte, a path with NUL.
        let length = MemoryLayout<sa_family_t>.size + path.utf8.count + (path.hasPrefix("@") ? 0 : 1)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(
                    descriptor, message, message.utf8.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT),
                    address, socklen_t(length))
            }
        }
    }

    private static func address(_ path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else { return nil }
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return address
    }
}
