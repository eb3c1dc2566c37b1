import Synchronization

/// The texts of frames that many clients get at the same time: each is encoded once for all of them.
package final class SharedFrames: Sendable {
    /// The frames that are kept; at twice this number the older half is forgotten.
    private static let kept = 64

    private struct State {
        var newer: [ServerFrame: String] = [:]
        var older: [ServerFrame: String] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns the text of a frame.
    package func text(of frame: ServerFrame) -> String {
        if let known = state.withLock({ $0.newer[frame] ?? $0.older[frame] }) { return known }
        let text = frame.text
        // What is large goes to one client, such as a text that is opened.
        guard text.utf8.count <= 1 << 16 else { return text }
        state.withLock { state in
            if state.newer.count == Self.kept { (state.older, state.newer) = (state.newer, [:]) }
            state.newer[frame] = text
        }
        return text
    }
}
