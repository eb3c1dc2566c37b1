import JSON
import Testing

/// What `make bench` measures.
@Suite(.timeLimit(.minutes(20)))
struct BenchmarkTests {
    private static let folder = #filePath.replacing("EndToEndTests/BenchmarkTests.swift", with: "Benchmarks")

    @Test func `each part of the benchmark compares hub with its peers`() async throws {
        let sandbox = try Sandbox(extra: ["HUB_BENCH_BUILD": String(Sandbox.hub.dropLast("/hub".count))])
        let parts = try await sandbox.shell("\(Self.folder)/run --list")
        #expect(parts.code == 0 && parts.output.contains("contacts\n"), "\(parts.all)")
        let finished = try await sandbox.shell("\(Self.folder)/run --smallest --json results.json")
        #expect(finished.code == 0, "\(finished.all)")
        let results = try JSONReader.read(Array(try #require(sandbox.read("results.json")).utf8))
        let rows = try #require(results["rows"]).rows
        for row in rows { #expect(row["has_failed"]?.bool == false && row["peer"]?.string != "", "\(row)") }
        let measured = Set(rows.compactMap { $0["part"]?.string })
        #expect(parts.output.split(separator: "\n").allSatisfy { measured.contains(String($0)) }, "\(measured)")
    }

    @Test func `an unknown part of the benchmark is refused with the names of those that exist`() async throws {
        let refused = try await Sandbox().shell("\(Self.folder)/run --smallest sleep")
        #expect(
            refused.code == 2 && refused.errors.contains("unknown part sleep; there are startup, contacts"),
            "\(refused.all)")
    }

    @Test func `the habits with ten years of history are tasks like others`() async throws {
        let sandbox = try Sandbox()
        try await sandbox.run("mintee", "list")
        try sandbox.write(
            """
            import sys
            sys.path.insert(0, "\(Self.folder)")
            import habits
            habits.fill("data/hub/hub.db", 2)
            """, to: "fill.py")
        let filled = try await sandbox.shell(
            "/usr/bin/python3 -B fill.py && hub doctor && hub mintee list --plain=name")
        #expect(filled.code == 0 && filled.output.hasSuffix("Habit 0\nHabit 1\n"), "\(filled.all)")
    }
}
