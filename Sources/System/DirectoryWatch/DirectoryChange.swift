/// A part of a watched folder that is to be read again.
package enum DirectoryChange: Equatable, Sendable {
    /// Each of these files and folders; of a folder, everything below it.
    case paths(Set<RelativePath>)
    /// Everything.
    case everything

    /// The maximum number of paths that are reported one by one.
    static let maximumPaths = 1_000

    /// Adds what `other` names.
    package mutating func formUnion(_ other: DirectoryChange) {
        guard case .paths(let mine) = self, case .paths(let more) = other else { return self = .everything }
        let all = mine.union(more)
        self = all.count > Self.maximumPaths ? .everything : .paths(all)
    }
}
