package import Sync

extension SyncLogEntry {
    /// `received 12 new, 3 changed, 1 removed; sent 2 changed`, or `up to date`.
    package func words(isPlan: Bool = false) -> String {
        var parts: [String] = []
        if received.total > 0 { parts.append((isPlan ? "would receive " : "received ") + received.words) }
        if sent.total > 0 { parts.append((isPlan ? "would send " : "sent ") + sent.words) }
        if merged > 0 { parts.append((isPlan ? "would merge " : "merged ") + "\(merged)") }
        return parts.isEmpty ? "up to date" : parts.joined(separator: "; ")
    }
}

extension SyncLogEntry.Counts {
    /// The total number of items.
    package var total: Int { new + changed + removed }

    /// `12 new, 3 changed, 1 removed`.
    fileprivate var words: String {
        [(new, "new"), (changed, "changed"), (removed, "removed")].filter { $0.0 > 0 }
            .map { "\(NumberFormat.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
    }
}
