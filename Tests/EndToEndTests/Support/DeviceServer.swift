import Testing

/// A sandbox whose hub serves devices, and the programs of others that use it.
struct DeviceServer {
    /// Programs of others, installed by the set-up script.
    static let peers: String = root + "/.build/peers/bin"
    /// The folder of the package.
    static let root: String = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()

    let sandbox: Sandbox
    /// The address and port at which devices are served.
    let address: String

    init() throws {
        address = "127.0.0.1:\(try FreePort.next())"
        sandbox = try Sandbox(config: "[hub]\ndav.listen = \"\(address)\"\n")
    }

    /// Runs a command line, which ends with `code` unless that is nil, and returns what it has written.
    @discardableResult
    func run(_ line: String, code: Int32? = 0, location: SourceLocation = #_sourceLocation) async throws -> String {
        let finished = try await sandbox.shell(line)
        if let code { #expect(finished.code == code, "\(line): \(finished.all)", sourceLocation: location) }
        return finished.output + finished.errors
    }

    /// Adds a device and returns its password.
    func add(_ words: String) async throws -> String {
        let output = try await run("hub devices add \(words)")
        let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("  password ") })
        return String(line.split(separator: " ")[1])
    }
}
