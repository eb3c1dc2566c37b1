import Glibc
import HubKit
import Storage
import WebServer

/// What a running daemon lets other processes know, in a file that it replaces at each change.
struct DaemonState: Sendable, Equatable {
    /// The process of the daemon; the state of another one is outdated.
    var process: Int32
    /// The fingerprint of the settings that it uses.
    var fingerprint: String
    /// The address of the web page; nil while it is not served.
    var page: SocketAddress?

    private static func path(_ hub: Hub) -> String? { hub.directories.runtime.map { $0 + "/daemon" } }

    /// Returns the state of the daemon that runs on this store; nil when there is none, or it is not known.
    static func current(_ hub: Hub) throws -> DaemonState? {
        guard let holder = try Daemon.holder(hub), let path = path(hub),
            let bytes = try? BoundedFile.read(path, limit: 1 << 12, followsLinks: false)
        else { return nil }
        let cells = String(decoding: bytes, as: UTF8.self).split(separator: "\t", omittingEmptySubsequences: false)
        guard cells.count == 3, let process = Int32(cells[0]), process == holder.process else { return nil }
        return DaemonState(process: process, fingerprint: String(cells[1]), page: try? SocketAddress(String(cells[2])))
    }

    /// Whether the daemon uses other settings than the config file has; false when that is not known.
    static func isOutdated(_ hub: Hub) throws -> Bool {
        guard let state = try current(hub) else { return false }
        return try state.fingerprint != hub.configuration().fingerprint
    }

    /// Replaces the file. Write errors are ignored.
    func write(_ hub: Hub) {
        guard let path = Self.path(hub), let file = try? AtomicFile(path: path, newFileMode: 0o600) else { return }
        let text = "\(process)\t\(fingerprint)\t\(page.map { "\($0)" } ?? "")"
        guard (try? file.write(Array(text.utf8))) != nil else { return file.discard() }
        try? file.commit(isLasting: false)
    }

    /// Removes the file when the daemon ends.
    static func remove(_ hub: Hub) { path(hub).map { _ = unlink($0) } }
}
