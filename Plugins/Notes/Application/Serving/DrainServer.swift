package import HubKit
import Synchronization

/// Whether this process sends its clients away.
final class Draining: Sendable {
    private let isOn = Mutex(false)

    /// Whether it does.
    var isDraining: Bool { isOn.withLock(\.self) }

    /// Begins; false if it had begun.
    func begin() -> Bool {
        isOn.withLock { isOn in
            defer { isOn = true }
            return !isOn
        }
    }
}

extension NotesPlugin {
    /// How often it is looked whether all clients have gone, and how long.
    private static let (step, patience) = (Duration.milliseconds(20), 250)

    /// Sends the clients of this server away: `/readyz` says so at once and new WebSockets are refused; where a proxy looks, it gets some seconds to
    /// see it; then all WebSockets are closed, so that their clients connect elsewhere. Requests are answered until the process ends.
    package func drainServer() async {
        guard draining.begin() else { return }
        log.notice("draining: \(live.count + noteAppClients.count) connections are sent away")
        if serverSettings.monitor != nil { try? await Task.sleep(for: .seconds(serverSettings.drainSeconds)) }
        var rest = Self.patience
        repeat {
            live.closeAll()
            await noteAppClients.closeAll()
            if live.count + noteAppClients.count == 0 || Task.isCancelled { break }
            rest -= 1
            try? await Task.sleep(for: Self.step)
        } while rest > 0
    }

    /// Throws where no new WebSocket is taken.
    package func checkAcceptance() throws(HubError) {
        guard draining.isDraining else { return }
        throw HubError(.busy, code: "draining", "this server is about to stop", hint: "connect again")
    }
}
