/// A lock on a file or folder (RFC 4918 §6).
package struct DAVLock: Hashable, Sendable {
    /// The token, a URI.
    package var token: String
    /// The path of what was locked.
    package var path: DAVPath
    /// Whether others cannot have a lock of it.
    package var isExclusive: Bool
    /// Whether all that is in the folder is locked, too.
    package var isDeep: Bool
    /// What the program says of its owner, as XML.
    package var owner: String
    /// The device.
    package var device: String
    /// Whether nothing was at the path: an empty file is shown there until one is written or the lock ends.
    package var isPlaceholder: Bool
    /// The time that it was given, in seconds.
    package var timeout: Int
    /// The time at which it ends, in milliseconds since 1970 UTC.
    package var endsAt: Int64
}

/// Where the locks of a server are kept.
package protocol DAVLocks: Sendable {
    /// Calls `body` with all locks, alone.
    func withTable<T: Sendable>(_ body: @Sendable (inout DAVLockTable) throws -> T) async throws -> T
}

/// The locks of a server. Those that have ended are as if they had never been.
package struct DAVLockTable: Sendable {
    /// The largest number of locks; a program needs few at a time.
    static let maximum = 1000
    /// The longest time of a lock, in seconds, and that of a lock for which none is asked.
    static let (longest, usual) = (3600, 1800)

    /// The locks.
    package private(set) var locks: [DAVLock]

    package init(_ locks: [DAVLock] = []) { self.locks = locks }

    /// Removes what has ended.
    mutating func expire(at now: Int64) { locks.removeAll { $0.endsAt <= now } }

    /// The locks that cover a path: those of it, and deep ones of a folder around it.
    func covering(_ path: DAVPath) -> [DAVLock] {
        locks.filter { lock in lock.path == path || (lock.isDeep && path.isInside(lock.path)) }
    }

    /// The locks below a path.
    func inside(_ path: DAVPath) -> [DAVLock] { locks.filter { $0.path.isInside(path) } }

    /// The lock with a token that covers `path`; nil if there is none.
    func lock(_ token: String, covering path: DAVPath) -> DAVLock? { covering(path).first { $0.token == token } }

    /// The placeholder at a path; nil if there is none.
    func placeholder(at path: DAVPath) -> DAVLock? { locks.first { $0.isPlaceholder && $0.path == path } }

    /// The locks that a new one would get into the way of.
    func conflicts(of new: DAVLock) -> [DAVLock] {
        (covering(new.path) + (new.isDeep ? inside(new.path) : [])).filter { $0.isExclusive || new.isExclusive }
    }

    /// Adds a lock; whether there was room for it.
    mutating func add(_ lock: DAVLock) -> Bool {
        guard locks.count < Self.maximum else { return false }
        locks.append(lock)
        return true
    }

    /// Gives a lock more time.
    mutating func refresh(_ token: String, timeout: Int, at now: Int64) {
        for index in locks.indices where locks[index].token == token {
            locks[index].timeout = timeout
            locks[index].endsAt = now + Int64(timeout) * 1000
        }
    }

    /// Removes a lock.
    mutating func remove(_ token: String) { locks.removeAll { $0.token == token } }

    /// Removes the locks of a path and of all below it, which is gone.
    mutating func removeAll(at path: DAVPath) { locks.removeAll { $0.path == path || $0.path.isInside(path) } }

    /// A file was written at a path: what is there is no placeholder any more.
    mutating func filled(_ path: DAVPath) {
        for index in locks.indices where locks[index].path == path { locks[index].isPlaceholder = false }
    }
}

extension DAVPath {
    /// Whether it is below `other`.
    func isInside(_ other: DAVPath) -> Bool {
        segments.count > other.segments.count && segments.prefix(other.segments.count).elementsEqual(other.segments)
    }

    /// The path of the folder around it.
    var parent: DAVPath { DAVPath(Array(segments.dropLast())) }
}
