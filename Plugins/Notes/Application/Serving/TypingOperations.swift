import HubKit
import Synchronization

/// What people type over the server, by their names: all edits without a pause are one operation, which is undone as one. Each note in
/// which they typed is published at the beginning, which the edit does, and at the pause.
final class TypingOperations: Sendable {
    /// The pause after which edits that follow are another operation and another event.
    static let pause = Duration.seconds(10)
    /// The page's own pause, which also holds for edits over HTTP.
    static let localPause = Duration.seconds(60)

    private struct Typist {
        let operation: Operation
        var usedAt: Instant
        /// The notes that are to be published, and whether a task waits for the pause.
        var notes: Set<String> = []
        var isWaiting = false
    }

    private let typists = Mutex<[String: Typist]>([:])
    private let clock: any Clock
    private let operationPause: Duration
    private let publish: @Sendable (Set<String>) async -> Void

    /// `publish` is called with the notes in which a person has typed, at the pause.
    init(
        clock: any Clock, operationPause: Duration = pause, publish: @escaping @Sendable (Set<String>) async -> Void
    ) {
        self.clock = clock
        self.operationPause = operationPause
        self.publish = publish
    }

    /// Returns the operation of the next edit of a person; `make` begins one.
    func operation(of person: String, _ make: () -> Operation) -> Operation {
        let now = clock.now
        return typists.withLock { typists in
            if let typist = typists[person], now - typist.usedAt < operationPause {
                typists[person]?.usedAt = now
                return typist.operation
            }
            typists = typists.filter { now - $0.value.usedAt < operationPause || $0.value.isWaiting }
            let old = typists[person]
            let made = make()
            typists[person] = Typist(
                operation: made, usedAt: now, notes: old?.notes ?? [], isWaiting: old?.isWaiting ?? false)
            return made
        }
    }

    /// Records that a person has typed in a note.
    func hasTyped(_ person: String, in note: String) {
        let begins = typists.withLock { typists in
            typists[person]?.notes.insert(note)
            guard let typist = typists[person], !typist.isWaiting else { return false }
            typists[person]?.isWaiting = true
            return true
        }
        guard begins else { return }
        Task { [weak self, clock] in
            var left = Self.pause
            while left > .zero {
                guard (try? await clock.sleep(for: left)) != nil, let rest = self?.rest(of: person) else { return }
                left = rest
            }
            await self?.end(person)
        }
    }

    /// Returns how long the pause of a person still has to last.
    private func rest(of person: String) -> Duration {
        typists.withLock { $0[person].map { Self.pause - (clock.now - $0.usedAt) } ?? .zero }
    }

    private func end(_ person: String) async {
        await publish(
            typists.withLock { typists in
                defer {
                    typists[person]?.notes = []
                    typists[person]?.isWaiting = false
                }
                return typists[person]?.notes ?? []
            })
    }

    /// Publishes what all have typed so far.
    func end() async { for person in typists.withLock({ Array($0.keys) }) { await end(person) } }
}
