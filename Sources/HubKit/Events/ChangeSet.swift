/// Which topics have news: it says what to read again, and carries no data.
package enum ChangeSet: Sendable, Equatable {
    /// These and no others.
    case some(Set<Topic>)
    /// Possibly all topics: there were too many to list, or single ones may have been lost.
    case everything

    /// Past this many the answer is `everything`, so that a slow reader's mailbox stays small.
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
