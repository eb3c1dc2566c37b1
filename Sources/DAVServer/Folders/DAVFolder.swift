package import Sync

/// A tree of files at its address: the home of its kind.
package struct DAVFolder: Sendable {
    /// The home, which is also the top of the tree.
    package let home: DAVCollection.Home
    /// The files.
    package let files: any ServedFolder

    package init(_ home: DAVCollection.Home, files: any ServedFolder) {
        self.home = home
        self.files = files
    }

    /// The address of a path in it.
    func href(_ path: [String], isFolder: Bool) -> String {
        DAVPath([home.rawValue] + path).href(isCollection: isFolder)
    }
}

/// The trees of files of a server, and the locks on them.
package struct DAVFolders: Sendable {
    /// The trees.
    package let folders: [DAVFolder]
    /// The locks.
    package let locks: any DAVLocks
    /// The current time, in milliseconds since 1970 UTC.
    package let now: Int64

    package init(_ folders: [DAVFolder], locks: any DAVLocks, now: Int64) {
        self.folders = folders
        self.locks = locks
        self.now = now
    }
}
