import HubKit
import Storage

/// Syncs the mirrored folder of the config while `hub serve` runs: when files or notes have changed.
struct MirrorService: Service {
    /// The time between two looks while nothing is heard: changes by other machines on a network file system are not seen.
    private static let longPause = Duration.seconds(600)
    /// The time after which a change is looked at again where another process syncs.
    private static let shortPause = Duration.seconds(1)
    /// The longest rest after a sync.
    private static let longestRest = Duration.seconds(5)

    let notes: NotesPlugin

    /// Returns the time before the next sync, so that syncs take a tenth of a processor at most while someone types.
    static func rest(after sync: Duration) -> Duration { min(sync * 9, longestRest) }

    func run() async throws {
        guard let path = notes.mirrorPath else { return try await notes.clock.sleep(for: .seconds(86_400)) }
        let (notes, changes) = (notes, AsyncSignal())
        // Other processes tell this one of their changes.
        try? notes.accounts.registry.bus.listen()
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                for await _ in notes.watcher.changes(below: path, notice: { notes.log.warning($0) }) { changes.wake() }
            }
            let events = notes.accounts.registry.bus.changes(of: ["domain.notes/*"])
            group.addTask { for await _ in events { changes.wake() } }
            var named: Set<String> = []
            while true {
                let start = notes.clock.monotonicNow
                let report = try await notes.syncMirror(path)
                let rest = Self.rest(after: notes.clock.monotonicNow - start)
                for problem in report?.problems ?? [] { notes.log.warning(problem) }
                for skipped in report?.skipped ?? [] where named.insert(skipped).inserted { notes.log.warning(skipped) }
                if let held = report?.held {
                    notes.log.warning("\(held.missing) of \(held.known) files are missing; no note was removed")
                }
                if rest > .zero { try await notes.clock.sleep(for: rest) }
                if let held = report?.attachments.held {
                    notes.log.warning(
                        "\(held.missing) of \(held.known) attachments are missing; they stay in their notes")
                }
                let until = notes.clock.now + (report == nil ? Self.shortPause : Self.longPause)
                guard await changes.wait(until: until, clock: notes.clock) else { throw CancellationError() }
            }
        }
    }
}
