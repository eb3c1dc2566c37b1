package import DictofunDomain
import System

extension DictofunPlugin {
    /// The time between two looks at the position.
    private static let tick = Duration.milliseconds(250)

    private enum PlaybackInput: Sendable {
        case event(Playback.Event)
        /// The player that was started as the one with this number has ended.
        case ended(Int, (any Error)?)
    }

    /// Plays a record while keys of the terminal pause it, move in it and change its speed. `show` gets the state when it changes.
    ///
    /// Without a terminal it is played as ``play(_:from:speed:)`` does.
    package func playWithKeys(
        _ record: StoredRecord, from start: Duration, speed: Double, show: @escaping @Sendable (Playback) -> Void
    ) async throws {
        guard let terminal = TerminalKeys() else { return try await play(record, from: start, speed: speed) }
        var playback = Playback(length: record.record.length, from: start, speed: speed)
        let (inputs, continuation) = AsyncStream.makeStream(of: PlaybackInput.self)
        let reading = Task { for await key in terminal.keys { continuation.yield(.event(.key(key))) } }
        let ticking = Task { [clock] in
            while (try? await clock.sleep(for: Self.tick)) != nil { continuation.yield(.event(.elapsed(Self.tick))) }
        }
        var (playing, number): (Task<Void, Never>?, Int) = (nil, 0)
        defer { for task in [reading, ticking, playing].compactMap(\.self) { task.cancel() } }
        var actions = playback.start()
        var iterator = inputs.makeAsyncIterator()
        while true {
            for action in actions {
                switch action {
                case .play(let place, let speed):
                    playing?.cancel()
                    await playing?.value
                    number += 1
                    playing = Task { [number] in
                        do {
                            try await play(record, from: place, speed: speed)
                            continuation.yield(.ended(number, nil))
                        } catch {
                            continuation.yield(.ended(number, error))
                        }
                    }
                case .stop:
                    playing?.cancel()
                    await playing?.value
                    number += 1
                case .show: show(playback)
                case .finish:
                    withExtendedLifetime(terminal) {}
                    return
                }
            }
            switch await iterator.next() {
            case .event(let event)?: actions = playback.handle(event)
            // What ended because it was replaced says nothing.
            case .ended(let ended, _)? where ended != number: actions = []
            case .ended(_, let error?)?: throw error
            case .ended?: actions = playback.handle(.ended)
            case nil: return
            }
        }
    }
}
