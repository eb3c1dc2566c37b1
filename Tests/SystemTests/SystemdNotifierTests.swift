import Glibc
import System
import Testing

struct SystemdNotifierTests {
    @Test(arguments: [true, false])
    func `the manager gets one datagram, at a path or an abstract address`(isAbstract: Bool) throws {
        let path = "/tmp/hub-notify-\(getpid())-\(isAbstract)"
        let manager = try Manager(path: path, isAbstract: isAbstract)
        let notifier = try #require(
            SystemdNotifier(environment: ["NOTIFY_SOCKET": isAbstract ? "@" + path.dropFirst() : path]))
        notifier.notify(.ready, .status("two\nlines"))
        #expect(manager.next() == "READY=1\nSTATUS=two lines")
        notifier.notify(.watchdog)
        #expect(manager.next() == "WATCHDOG=1")
        notifier.notify(.stopping)
        #expect(manager.next() == "STOPPING=1")
    }

    @Test func `a manager that is gone is no reason to fail`() throws {
        let notifier = try #require(SystemdNotifier(environment: ["NOTIFY_SOCKET": "/tmp/hub-there-is-none"]))
        notifier.notify(.ready)
        let tooLong = "/" + String(repeating: "x", count: 200)
        try #require(SystemdNotifier(environment: ["NOTIFY_SOCKET": tooLong])).notify(.ready)
    }

    @Test func `without a manager there is no notifier`() {
        #expect(SystemdNotifier(environment: [:]) == nil)
        #expect(SystemdNotifier(environment: ["NOTIFY_SOCKET": "vsock:2:1"]) == nil)
    }

    @Test(
        arguments: [
            (["WATCHDOG_USEC": "30000000"], 15), (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], 15),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "x"], nil), ([:], nil),
        ] as [([String: String], Int?)])
    func `the watchdog is fed at half its time, when it watches this process`(
        variables: [String: String], seconds: Int?
    ) throws {
        let environment = variables.merging(["NOTIFY_SOCKET": "@x"]) { $1 }
        let notifier = try #require(SystemdNotifier(environment: environment, process: 7))
        #expect(notifier.watchdogInterval == seconds.map { .seconds($0) })
    }
}

/// Stands for the service manager.
private final class Manager: Sendable {
    private let descriptor: Int32
    private let path: String

    init(path: String, isAbstract: Bool) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        if isAbstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(2 + bytes.count + (isAbstract ? 0 : 1))
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(status == 0)
    }

    func next() -> String {
        var buffer = [UInt8](repeating: 0, count: 500)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    }

    deinit {
        close(descriptor)
        unlink(path)
    }
}
