import Glibc
import TestSupport

/// Runs scripts in real shells, with a substitute for hub first in the path.
enum Shell {
    /// The lines that `script` prints in `shell`, which is called with `option` and `-c`.
    static func run(_ shell: String, _ option: String, _ script: String) -> [String] {
        // Shells keep their history at home.
        guard let home = try? TemporaryFolder() else { return ["no temporary folder"] }
        defer { withExtendedLifetime(home) {} }
        let path =
            Golden.folder() + "/../Fixtures/bin:" + (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin")
        let quoted = script.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        let line = "PATH='\(path)' HOME='\(home.path)' LC_ALL=C.UTF-8 TERM=xterm \(shell) \(option) -c '\(quoted)' 2>&1"
        guard let pipe = popen(line, "r") else { return [] }
        defer { pclose(pipe) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
