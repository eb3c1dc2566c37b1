/// Which topics have news: it says what to read again, and carries no data.
package enum ChangeSet: Sendable, Equatable {
    /// These and no others.
    case some(Set<Topic>)
    /// Possibly all topics: there were too many to list, or single ones may have been lost.
    case everything

    /// Past this many the answer is `everything`, so that a slow reader's buffer stays small.
    package static let limit = 256

    /// Adds the news of `other`.
    package mutating func formUnion(_ other: ChangeSet) {
        guard case .some(let mine) = self, case .some(let theirs) = other else {
            self = .everything
            return
        }
        let all = mine.union(theirs)
        self = all.count > ChangeSet.limit ? .everything : .some(all)
    }

    /// The part that is of interest to `patterns`, or nil when there is none.
    package func restricted(to patterns: [TopicPattern]) -> ChangeSet? {
        guard case .some(let topics) = self else { return patterns.isEmpty ? nil : .everything }
        let wanted = topics.filter(patterns.matches)
        return wanted.isEmpty ? nil : .some(wanted)
    }
}

extension ChangeSet {
    /// The longest datagram. Small ones let one committer reach hundreds of listeners that do not read: unread bytes
    /// count against the sender's buffer.
    static let maximumDatagram = 512

    /// One topic a line; `*` for everything, which also stands for more topics than fit.
    var datagram: [UInt8] {
        guard case .some(let topics) = self else { return [UInt8(ascii: "*")] }
        let lines = Array(topics.sorted().map(\.text).joined(separator: "\n").utf8)
        return lines.count <= ChangeSet.maximumDatagram ? lines : [UInt8(ascii: "*")]
    }

    /// Reads a datagram. A line that is not a topic, perhaps of a newer hub, counts as everything.
    init(datagram: some Sequence<UInt8>) {
        let lines = String(decoding: Array(datagram), as: UTF8.self).split(separator: "\n")
        let topics = lines.compactMap { Topic($0) }
        self = topics.count == lines.count ? .some(Set(topics)) : .everything
    }
}
