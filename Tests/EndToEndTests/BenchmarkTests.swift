import Testing

/// The data that `make bench` makes without hub.
@Suite(.timeLimit(.minutes(20)))
struct BenchmarkTests {
    @Test func `the habits with ten years of history are tasks like others`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.run("mintee", "list")
        let folder = #filePath.replacing("EndToEndTests/BenchmarkTests.swift", with: "Benchmarks")
        try sandbox.write(
            """
            import sys
            sys.path.insert(0, "\(folder)")
            import habits
            habits.fill("data/hub/hub.db", 2)
            """, to: "fill.py")
        let filled = try await sandbox.shell(
            "/usr/bin/python3 -B fill.py && hub doctor && hub mintee list --plain=name")
        #expect(filled.code == 0 && filled.output.hasSuffix("Habit 0\nHabit 1\n"), "\(filled.all)")
    }
}
