import Glibc
import NetworkTestSupport
import Storage
import TestSupport
import Testing

/// Commands for recorders while `hub serve` listens for them, with a simulated recorder.
@Suite(.timeLimit(.minutes(20)))
struct RecorderTests {
    private static let program =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/DictofunSimulator/recorder.py"

    @Test func `a command gets the recorder from the service that listens for it`() async throws {
        // It is on for one sync after each switch.
        let simulator = try TestProcess(
            "/usr/bin/python3", ["-B", Self.program, "--records", "1", "--size", "6400", "--power-on", "-1"],
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"])
        let bus = String(try simulator.line().drop { $0 != "=" }.dropFirst())
        while try simulator.line() != "ready" {}
        let sandbox = try Sandbox(extra: ["DBUS_SYSTEM_BUS_ADDRESS": bus])
        let paired = try await sandbox.run("dictofun", "pair", "01", "--name", "desk", "--no-sync")
        #expect(paired.code == 0, "\(paired.all)")
        func control(_ action: String) async throws {
            let request = "/hub/simulator hub.Simulator1.Do string:'{\"do\": \"\(action)\"}'"
            let sent = try await sandbox.shell("dbus-send --bus=\(bus) --print-reply --dest=hub.Simulator \(request)")
            try #require(sent.code == 0, "\(sent.all)")
        }
        try await control("power-off")
        let locks = FileLocks(directory: sandbox.folder + "/data/hub/locks", clock: SystemClock())
        func holder() throws -> String? { try locks.holder(of: "dictofun/bluetooth")?.command }
        let daemon = try await Daemon(in: sandbox)
        try await eventually("the service listens") { try holder()?.contains("serve") == true }
        let command = try Child(["dictofun", "sync"], in: sandbox, log: "sync.log")
        try await eventually("the command listens") { try holder()?.contains("sync") == true }
        try await control("power-on")
        #expect(await command.wait() == 0, "\(sandbox.read("sync.log") ?? "")")
        #expect(sandbox.read("sync.log")?.contains("1 record, 1 new") == true, "\(sandbox.read("sync.log") ?? "")")
        #expect(await daemon.end() == 0)
        withExtendedLifetime(simulator) {}
    }
}
