import FoundationEssentials
import Glibc
import System
import TestSupport

/// A home of its own for one test: nothing of the real one is read or written, and all is gone afterwards.
final class Sandbox: Sendable {
    private let home: TemporaryFolder
    /// The folder of the sandbox.
    var folder: String { home.path }
    /// The address of the daemon's page, a loopback address of its own.
    let address: String
    /// The environment of every process in it.
    let environment: [String: String]
    /// The time of what runs in the process of the test.
    let clock: any Clock

    /// The built program, beside the test bundle.
    static let hub: String = {
        func parent(_ path: String) -> String { path.split(separator: "/").dropLast().map { "/\($0)" }.joined() }
        let root = (0..<4).reduce(#filePath) { path, _ in parent(path) }
        let candidates = [parent(CommandLine.arguments[0]) + "/hub", root + "/.build/debug/hub"]
        return candidates.first { access($0, X_OK) == 0 } ?? candidates[1]
    }()

    /// `config` is the config file, if there is to be one; `extra` are variables on top of the usual ones. A fixed `clock` is for
    /// tests that start no process, which would have the time of the machine.
    init(config: String? = nil, extra: [String: String] = [:], clock: any Clock = UTCClock()) throws {
        self.clock = clock
        home = try TemporaryFolder()
        let folder = home.path
        address = "127.0.0.1:\(try FreePort.next())"
        environment = [
            "HOME": folder, "XDG_DATA_HOME": folder + "/data", "XDG_CONFIG_HOME": folder + "/config",
            "XDG_STATE_HOME": folder + "/state", "XDG_CACHE_HOME": folder + "/cache",
            "XDG_RUNTIME_DIR": folder + "/run", "PATH": folder + "/bin:/usr/local/bin:/usr/bin:/bin",
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "xterm", "HUB_WEB_LISTEN": address,
        ].merging(extra) { $1 }
        for name in ["run", "config", "data", "bin"] { mkdir(folder + "/" + name, 0o700) }
        if let config {
            mkdir(folder + "/config/hub", 0o700)
            try write(config, to: "config/hub/config.toml")
        }
    }

    /// The result of a finished process.
    struct Finished: Sendable {
        let output: String
        let errors: String
        /// The exit code; 128 and the signal when one ended it.
        let code: Int32
        /// Both streams, for messages of failed expectations.
        var all: String { output + errors }
    }

    /// Runs `hub` with these words and waits for it.
    @discardableResult
    func run(_ arguments: String..., input: String = "", timeout: Duration = .seconds(3600)) async throws -> Finished {
        try await run(arguments, input: Array(input.utf8), timeout: timeout)
    }

    /// Runs `hub` with these words and waits for it.
    @discardableResult
    func run(
        _ arguments: [String], input: [UInt8] = [], extra: [String: String] = [:], timeout: Duration = .seconds(3600)
    ) async throws -> Finished {
        let environment = environment.merging(extra) { $1 }
        return try await finish(
            Subprocess(Sandbox.hub, arguments, environment: environment, directory: folder), input, timeout)
    }

    /// Runs a command line of bash, in which `hub` is the built program.
    @discardableResult
    func shell(_ line: String, input: [UInt8] = [], timeout: Duration = .seconds(3600)) async throws -> Finished {
        symlink(Sandbox.hub, folder + "/bin/hub")
        let shell = Subprocess("/bin/bash", ["-c", line], environment: environment, directory: folder)
        return try await finish(shell, input, timeout)
    }

    private func finish(_ subprocess: Subprocess, _ input: [UInt8], _ timeout: Duration) async throws -> Finished {
        let finished = try await subprocess.run(input: input, outputLimit: 64 << 20, timeout: timeout)
        let code: Int32 =
            switch finished.status {
            case .exited(let code): code
            case .signalled(let signal): 128 + signal
            }
        return Finished(
            output: String(decoding: finished.output, as: UTF8.self),
            errors: String(decoding: finished.errorOutput, as: UTF8.self), code: code)
    }

    /// The path of a file in the sandbox, after writing `text` to it.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    /// The path of a file in the sandbox, after writing `bytes` to it.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        let path = folder + "/" + name
        guard let file = fopen(path, "w") else { throw SystemError("fopen \(path)") }
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count else { throw SystemError("write \(path)") }
        return path
    }

    /// The path of an executable shell script in the sandbox's `PATH`.
    @discardableResult
    func script(_ name: String, _ body: String) throws -> String {
        let path = try write("#!/bin/sh\n" + body + "\n", to: "bin/" + name)
        chmod(path, 0o700)
        return path
    }

    /// Returns the content of a file of the sandbox; nil when it does not exist.
    func read(_ name: String) -> String? {
        guard let file = fopen(folder + "/" + name, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
