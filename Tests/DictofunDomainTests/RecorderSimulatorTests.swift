import NetworkTestSupport
import Testing

/// The simulated recorder tests itself, since other tests rely on it.
struct RecorderSimulatorTests {
    @Test func `the simulated recorder passes its own tests`() throws {
        let folder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/DictofunSimulator"
        let process = try TestProcess(
            "/bin/sh", ["-c", "/usr/bin/python3 -B \"$1/selftest.py\" 2>&1; echo \"status $?\"", "sh", folder],
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"])
        var lines: [String] = []
        while !(lines.last?.hasPrefix("status ") ?? false) { lines.append(try process.line()) }
        #expect(lines.last == "status 0", "\(lines.joined(separator: "\n"))")
        #expect(lines.contains { $0.hasPrefix("Ran ") && !$0.hasPrefix("Ran 0 ") })
    }
}
