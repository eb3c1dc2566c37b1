import TestSupport
import Testing

struct MarketBackendTests {
    /// The fake backend speaks what the decoders read; its own checks run over sockets of loopback.
    @Test func `the fake backend passes its self-test`() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let program = PythonProgram(
            interpreter: "\(root)/.build/peers/bin/python", script: "\(root)/Tests/MarketBackend/backend.py",
            arguments: ["--self-test"])
        let lines = try program.lines([])
        #expect(lines.count == 8)
        for line in lines { #expect(line.hasPrefix("ok "), "\(line)") }
    }
}
