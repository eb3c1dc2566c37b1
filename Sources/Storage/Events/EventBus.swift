import Synchronization

/// Announces changed topics to readers in this process and to every other listening process.
///
/// Events themselves go through the outbox; the bus only says "read again". It holds no event and never waits.
package final class EventBus: Sendable {
    private let live = LiveTopics()
    private let directory: EventSocketDirectory?
    private let listener = Mutex<EventListener?>(nil)
    private let told = Atomic(0)
    private let announced = Mutex<Set<Topic>>([])

    /// A bus whose processes meet in the folder `directory`; with nil it stays within this process.
    package init(directory: String? = nil) {
        self.directory = directory.map(EventSocketDirectory.init(path:))
    }

    /// Follows the topics that match. The sequence is bounded, and what comes while its one reader is busy is merged.
    package func changes(of patterns: [TopicPattern] = [.everything]) -> ChangeNotifier {
        live.changes(of: patterns)
    }

    /// Says that topics have news: to this process at once, to others by a datagram each. Called after each commit
    /// with what it changed, and directly for live topics that nothing is stored for.
    package func announce(_ changed: ChangeSet) {
        if case .some(let topics) = changed, topics.isEmpty { return }
        if case .some(let topics) = changed { announced.withLock { $0.formUnion(topics) } }
        tellHere(changed)
        directory?.send(changed, except: listener.withLock(\.?.name))
    }

    /// Announces changes only to readers in this process: the database was changed by an unknown process.
    package func announceLocally(_ changed: ChangeSet) { live.tell(changed) }

    /// The topics that this process has announced so far.
    package var announcedTopics: Set<Topic> { announced.withLock(\.self) }

    /// The number of announcements, from this process or others.
    var newsCount: Int { told.load(ordering: .relaxed) }

    private func tellHere(_ changed: ChangeSet) {
        told.add(1, ordering: .relaxed)
        live.tell(changed)
    }

    /// Starts listening to other processes. A second call does nothing; a bus without a folder hears nothing.
    package func listen() throws(SystemError) {
        guard let directory else { return }
        try listener.withLock { (listener) throws(SystemError) in
            if listener == nil { listener = try EventListener(in: directory) { [weak self] in self?.tellHere($0) } }
        }
    }

    /// Ends hearing other processes and removes this process's socket.
    package func close() {
        listener.withLock { listener in
            listener?.close()
            listener = nil
        }
    }
}
