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
