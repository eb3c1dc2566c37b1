/// The playback of a record with keys: keys and the passing of time in, starts and stops of the player out. It does no I/O.
package struct Playback: Hashable, Sendable {
    /// What the keys mean.
    package enum Key: Hashable, Sendable {
        /// Pauses, or goes on.
        case pause
        case back, forward
        case slower, faster
        case quit
    }

    /// What happened.
    package enum Event: Hashable, Sendable {
        case key(Key)
        /// So much time has passed since the last event.
        case elapsed(Duration)
        /// The player came to the end.
        case ended
    }

    /// What the owner has to do.
    package enum Action: Hashable, Sendable {
        /// Play from a place on at a speed, in the place of what is playing.
        case play(from: Duration, speed: Double)
        case stop
        /// Show the position.
        case show
        /// The last action.
        case finish
    }

    /// How far a key moves.
    package static let step = Duration.seconds(5)
    /// The speeds that keys choose.
    package static let speeds: [Double] = [0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3, 4]

    /// The length of the record.
    package let length: Duration
    /// The place that is heard.
    package private(set) var position: Duration
    /// The speed.
    package private(set) var speed: Double
    /// Whether it is paused.
    package private(set) var isPaused = false
    private var isFinished = false

    /// Creates the playback of a record of some length.
    package init(length: Duration, from start: Duration = .zero, speed: Double = 1) {
        self.length = length
        self.speed = speed
        position = min(start, length)
    }

    /// Begins.
    package func start() -> [Action] { [.play(from: position, speed: speed), .show] }

    /// Takes an event; after the end nothing happens.
    package mutating func handle(_ event: Event) -> [Action] {
        if isFinished { return [] }
        switch event {
        case .elapsed(let time):
            if isPaused { return [] }
            position = min(position + time * speed, length)
            return [.show]
        case .ended:
            position = length
            return finish()
        case .key(.quit): return [.stop] + finish()
        case .key(.pause):
            isPaused.toggle()
            return [isPaused ? .stop : .play(from: position, speed: speed), .show]
        case .key(.back): return move(to: max(.zero, position - Playback.step))
        case .key(.forward):
            return position + Playback.step >= length ? [.stop] + finish() : move(to: position + Playback.step)
        case .key(.slower): return change(Playback.speeds.last { $0 < speed })
        case .key(.faster): return change(Playback.speeds.first { $0 > speed })
        }
    }

    private mutating func finish() -> [Action] {
        isFinished = true
        return [.show, .finish]
    }

    private mutating func move(to place: Duration) -> [Action] {
        position = place
        return isPaused ? [.show] : [.play(from: position, speed: speed), .show]
    }

    private mutating func change(_ other: Double?) -> [Action] {
        guard let other else { return [] }
        speed = other
        return isPaused ? [.show] : [.play(from: position, speed: speed), .show]
    }
}
