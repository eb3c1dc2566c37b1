import Storage

/// Waits until a client that has access loses it, by whichever process, or by the time.
struct AccessWatch: Sendable {
    /// The longest time without a look at the clock, which may have been set, or have passed while the machine slept.
    private static let lookTime = Duration.seconds(60)

    let bus: EventBus
    let clock: any Clock
    /// The topic that says that a client has lost it.
    let topic: Topic

    /// Returns when `isOpen` is false after such a change, or at `end`.
    func waitForEnd(at end: Instant?, isOpen: @escaping @Sendable () async -> Bool) async {
        // What ends from here on is announced to this reader.
        let changes = bus.changes(of: [TopicPattern(topic)])
        await withTaskGroup { group in
            group.addTask {
                guard await isOpen() else { return }
                for await _ in changes { guard await isOpen() else { return } }
            }
            if let end {
                group.addTask { [clock] in
                    while end > clock.now {
                        guard (try? await clock.sleep(for: min(end - clock.now, Self.lookTime))) != nil else { return }
                    }
                }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
