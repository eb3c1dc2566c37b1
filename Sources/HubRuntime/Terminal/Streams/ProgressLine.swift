package import Commands
import Synchronization

/// A line on the terminal that shows the progress, drawn at most ten times a second and removed at the end.
package final class ProgressLine: Sendable {
    private struct State {
        var started: (label: String, at: Duration, from: Int)?
        var drawnAt: Duration?
        var isVisible = false
        /// What is waited for, since when, and what was drawn last; nil while nothing is.
        var awaited: (name: String, since: Duration)?
        /// The number of times that something was waited for: an earlier one ends.
        var waits = 0
    }

    private let sink: any ByteSink
    private let width: Int
    private let glyphs: Glyphs
    private let clock: any Clock
    private let state = Mutex(State())

    /// Between two drawings.
    private static let interval = Duration.milliseconds(100)
    /// The time without progress after which the line says what is waited for.
    static let silence = Duration.milliseconds(2500)
    /// Between two looks at it.
    private static let tick = Duration.milliseconds(500)

    /// A line on `sink`, which is a terminal of `width` columns.
    package init(sink: any ByteSink, width: Int, glyphs: Glyphs, clock: any Clock) {
        self.sink = sink
        self.width = width
        self.glyphs = glyphs
        self.clock = clock
    }

    /// Draws `progress` unless the last drawing was a moment ago; nil takes the line away.
    package func show(_ progress: Progress?) {
        guard let progress else { return clear() }
        let now = clock.monotonicNow
        let line: String? = state.withLock { state in
            state.awaited?.since = now
            if state.started?.label != progress.label {
                state.started = (progress.label, now, progress.completed)
            }
            if let last = state.drawnAt, now - last < ProgressLine.interval { return nil }
            guard let started = state.started else { return nil }
            state.drawnAt = now
            state.isVisible = true
            let measure = ProgressMeasure(progress, since: started.from, elapsed: now - started.at)
            return measure.line(width: width - 1, glyphs: glyphs)
        }
        if let line { draw("\r\u{1B}[2K" + line) }
    }

    /// Takes the line away, so that other text can be written.
    package func clear() {
        let wasVisible = state.withLock { state in
            let wasVisible = state.isVisible
            state.isVisible = false
            state.drawnAt = nil
            state.started = nil
            state.awaited = nil
            return wasVisible
        }
        if wasVisible { draw("\r\u{1B}[2K") }
    }

    /// Shows that `name` is waited for when there is no progress for some seconds, until the line is taken away.
    package func wait(for name: String) {
        let now = clock.monotonicNow
        let wait = state.withLock { state in
            state.waits += 1
            state.awaited = (name, now)
            return state.waits
        }
        Task { [self] in
            while (try? await clock.sleep(for: ProgressLine.tick)) != nil, drawSilence(of: wait) {}
        }
    }

    /// Draws what is waited for; false if that has ended.
    package func drawSilence(of wait: Int) -> Bool {
        let now = clock.monotonicNow
        let (isOpen, line) = state.withLock { state -> (Bool, String?) in
            guard state.waits == wait, let awaited = state.awaited else { return (false, nil) }
            let silence = now - awaited.since
            guard silence >= ProgressLine.silence else { return (true, nil) }
            state.isVisible = true
            return (true, "waiting for \(awaited.name)\(glyphs.adapt("…")) \(silence.components.seconds) s")
        }
        if let line { draw("\r\u{1B}[2K" + line.prefix(max(width - 1, 0))) }
        return isOpen
    }

    /// A terminal that is gone needs no progress.
    private func draw(_ text: String) { try? sink.write(Array(text.utf8)) }
}

/// Takes the progress line away before anything is written, for results that come while the work goes on.
struct ClearingSink: ByteSink {
    let sink: any ByteSink
    let progressLine: ProgressLine?

    func write(_ bytes: [UInt8]) throws(SinkError) {
        progressLine?.clear()
        try sink.write(bytes)
    }
}
