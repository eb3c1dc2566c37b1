import Glibc
import System

/// The process that listens on a port, as far as the user may see it (proc(5)).
enum PortHolder {
    /// The most processes and descriptors that are looked at.
    private static let mostProcesses = 10_000
    private static let mostDescriptors = 10_000

    /// Returns `process 4711: python3 -m http.server`; nil when it is another user's, or gone.
    static func description(of port: UInt16) -> String? {
        let inodes = inodes(listeningOn: port)
        guard !inodes.isEmpty, let root = try? DirectoryHandle("/proc") else { return nil }
        let names = (try? root.names(limit: 1_000_000)) ?? []
        for name in names.lazy.compactMap({ Int32("\($0)") }).prefix(mostProcesses) where holds(name, inodes) {
            return "process \(name): \(TerminalSanitizer.line(command(of: name)))"
        }
        return nil
    }

    /// The inodes of the sockets that listen on `port`, of both families.
    private static func inodes(listeningOn port: UInt16) -> Set<String> {
        let digits = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        var inodes: Set<String> = []
        for path in ["/proc/net/tcp", "/proc/net/tcp6"] {
            for line in text(of: path).split(separator: "\n").dropFirst() {
                let fields = line.split(separator: " ", maxSplits: 10)
                // 0A is LISTEN.
                if fields.count > 9, fields[1].hasSuffix(suffix), fields[3] == "0A" { inodes.insert(String(fields[9])) }
            }
        }
        return inodes
    }

    private static func holds(_ process: Int32, _ inodes: Set<String>) -> Bool {
        let path = "/proc/\(process)/fd"
        guard let folder = try? DirectoryHandle(path), let names = try? folder.names(limit: mostDescriptors) else {
            return false
        }
        return names.contains { name in
            var target = [UInt8](repeating: 0, count: 64)
            let count = readlink("\(path)/\(name)", &target, target.count)
            let text = String(decoding: target.prefix(max(0, count)), as: UTF8.self)
            return text.hasPrefix("socket:[") && inodes.contains(String(text.dropFirst(8).dropLast()))
        }
    }

    private static func command(of process: Int32) -> String {
        text(of: "/proc/\(process)/cmdline").split(separator: "\0").joined(separator: " ")
    }

    /// At most a megabyte of a file; empty when it cannot be read.
    private static func text(of path: String) -> String {
        guard let reader = try? ChunkedFileReader(path: path, isRegular: true) else { return "" }
        var bytes: [UInt8] = []
        while bytes.count < 1 << 20, let piece = (try? reader.next()) ?? nil { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }
}
