import DBus
import Glibc
import NetworkTestSupport
import TestSupport

/// A running simulated recorder, with a bus of its own.
final class Simulator: Sendable {
    let address: DBusAddress
    private let process: TestProcess
    private let folder: TemporaryFolder

    /// Starts the simulator with the given options.
    init(_ options: [String]) throws {
        folder = try TemporaryFolder()
        let program =
            "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/DictofunSimulator/recorder.py"
        process = try TestProcess(
            "/usr/bin/python3", ["-B", program, "--copies", folder.path + "/copies"] + options,
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"])
        let line = try process.line()
        address = try DBusAddress(String(line.drop { $0 != "=" }.dropFirst()))
        while try process.line() != "ready" {}
    }

    /// The files of the first recorder, in the order of its list, as the device has them.
    var files: [[UInt8]] {
        let names = folder.names(in: "copies").filter { $0.hasPrefix("0-") }
        let ordered = names.sorted { Simulator.place($0) < Simulator.place($1) }
        return ordered.map { readBytes(folder.path + "/copies/" + $0) }
    }

    private static func place(_ name: String) -> Int {
        let parts = name.split(separator: "-")
        return parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    }

    /// Changes what is simulated; returns the simulator's answer.
    @discardableResult
    func control(_ request: String, over connection: DBusConnection) async throws -> String {
        try await connection.call(
            "hub.Simulator", path: "/hub/simulator", interface: "hub.Simulator1", member: "Do", [.string(request)],
            timeout: .seconds(600)
        ).first?.text ?? ""
    }
}

/// The bytes of a file; empty when there is none.
func readBytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes
}
