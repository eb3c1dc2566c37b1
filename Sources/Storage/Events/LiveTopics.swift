import Synchronization

/// The readers in this process that follow live topics.
final class LiveTopics: Sendable {
    private struct Readers {
        var next = 0
        var open: [Int: ChangeNotifier.Buffer] = [:]
    }

    private let readers = Mutex(Readers())

    /// A new reader's sequence; it is forgotten when its reader is cancelled or lets it go.
    func changes(of patterns: [TopicPattern]) -> ChangeNotifier {
        let changes = ChangeNotifier(of: patterns)
        let key = readers.withLock { readers in
            readers.next += 1
            readers.open[readers.next] = changes.buffer
            return readers.next
        }
        changes.buffer.onEnd { [weak self] in self?.readers.withLock { $0.open[key] = nil } }
        return changes
    }

    /// Puts the news into the buffer of each reader that wants it. It never waits.
    func tell(_ changed: ChangeSet) {
        for buffer in readers.withLock({ Array($0.open.values) }) { buffer.put(changed) }
    }

    /// The number of readers.
    var count: Int { readers.withLock(\.open.count) }
}
