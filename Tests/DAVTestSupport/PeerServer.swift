import Dispatch
import FoundationEssentials
import Glibc
import NetworkTestSupport
import Synchronization
import TestSupport

/// A real CardDAV and CalDAV server that a test runs on the loopback interface, with its data in a temporary folder.
///
/// It lives in `.build/peers`, where `.ci/setup test` installs it.
package final class PeerServer: Sendable {
    package var port: Int { Int(reserved.number) }
    private let reserved: LoopbackPort
    /// The program's folder of data.
    package let data: String
    private let folder: TemporaryFolder
    private let program: String
    private let arguments: [String]
    private let process = Mutex<TestProcess?>(nil)

    private init(
        _ program: String, _ arguments: (_ port: Int, _ folder: TemporaryFolder, _ data: String) throws -> [String]
    ) throws {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let path = "/\(root)/.build/peers/bin/\(program)"
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw PeerError.missing("\(program) is not in .build/peers; .ci/setup test installs it")
        }
        folder = try TemporaryFolder()
        data = "\(folder.path)/data"
        reserved = try LoopbackPort()
        self.program = path
        self.arguments = try arguments(Int(reserved.number), folder, data)
    }

    /// Makes a server and starts it.
    static func start(
        _ program: String, _ arguments: (_ port: Int, _ folder: TemporaryFolder, _ data: String) throws -> [String]
    ) async throws -> PeerServer {
        let server = try PeerServer(program, arguments)
        try await server.start()
        return server
    }

    /// Starts the server, if it does not run, and returns when it answers requests.
    package func start() async throws { try await waiting { try self.startNow() } }

    /// Stops the server; its data stay.
    package func stop() async throws { try await waiting { self.stopNow() } }

    /// Stops the server and starts it again.
    package func restart() async throws {
        try await waiting {
            self.stopNow()
            try self.startNow()
        }
    }

    /// Throws all data away; the server starts again as if it were new.
    package func wipe() async throws {
        try await waiting {
            self.stopNow()
            try FileManager.default.removeItem(atPath: self.data)
            try self.startNow()
        }
    }

    /// Returns when connections are refused: the server may run a while longer than its shell.
    private func stopNow() {
        process.withLock { $0 = nil }
        while reserved.isListening { usleep(20_000) }
    }

    private func startNow() throws {
        try process.withLock { process in
            guard process == nil else { return }
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            unlink("\(folder.path)/ended")
            // The shell ends the server when its own input ends, which it does with this process at the latest.
            let script = """
                log="$1"; ended="$2"; shift 2; exec 3<&0; "$@" </dev/null 3<&- >>"$log" 2>&1 & server=$!
                { read -r _; kill $server; } <&3 2>/dev/null & exec 3<&-; wait $server; : >"$ended"
                """
            process = try TestProcess(
                "/bin/sh", ["-c", script, "sh", "\(folder.path)/log", "\(folder.path)/ended", program] + arguments,
                environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path, "LANG": "C.UTF-8"])
        }
        // However long it takes: only a server that has ended will never answer.
        while !isAnswering {
            guard !FileManager.default.fileExists(atPath: "\(folder.path)/ended") else { throw PeerError.silent(log) }
            usleep(20_000)
        }
    }

    /// Does what waits on a thread of its own: the tasks' threads are few.
    private func waiting(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            DispatchQueue(label: "test.peer").async { continuation.resume(with: Result { try body() }) }
        }
    }

    /// The output of the server.
    package var log: String {
        (try? String(decoding: Data(contentsOf: URL(filePath: "\(folder.path)/log")), as: UTF8.self)) ?? ""
    }

    /// Whether a request gets an answer, whatever it says.
    private var isAnswering: Bool {
        reserved.withConnection { socket in
            let request = Array("OPTIONS / HTTP/1.0\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8)
            guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return false }
            var byte: UInt8 = 0
            return recv(socket, &byte, 1, 0) == 1 && byte == UInt8(ascii: "H")
        } ?? false
    }
}

/// The reason why a server cannot be used for a test.
package enum PeerError: Error {
    case missing(String)
    /// It ended before it answered; what it printed.
    case silent(String)
}
