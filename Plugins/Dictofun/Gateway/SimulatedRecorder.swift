import Glibc
import System

/// The program that acts as BlueZ with a recorder nearby: it is installed beside hub, or lies in the source tree that hub was built in.
package struct SimulatedRecorder: Sendable {
    private let program: String

    /// How far above the program of hub the source tree is looked for.
    private static let levels = 6

    /// Finds the program; nil if it is not installed.
    package init?() {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        var folder = Substring(decoding: buffer[..<count], as: UTF8.self)
        for _ in 0..<Self.levels {
            folder = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
            for place in ["share/hub-personal/simulator", "Tests/DictofunSimulator"] {
                let path = "\(folder)/\(place)/recorder.py"
                guard access(path, R_OK) == 0 else { continue }
                program = path
                return
            }
        }
        return nil
    }

    /// Runs it on this terminal until it is interrupted, or its input ends.
    package func run(_ arguments: [String]) async throws {
        // The modules that it needs are Debian's, which another Python on the PATH does not have.
        let python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3"
        let status = try? await Subprocess(python, ["-B", program] + arguments).runOnTerminal()
        if status?.isSuccess == true || status == .signalled(SIGINT) { return }
        throw HubError(
            .unavailable, code: "simulator-failed", "the simulated recorder could not be started",
            hint: "apt install python3-dbus python3-gi espeak-ng dbus-daemon")
    }
}
