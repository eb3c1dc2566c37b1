import Glibc

/// Rights to outer resources, as locked files in one folder: the kernel frees what a process that died has held.
package struct FileLocks: Sendable {
    /// The folder of the files.
    package let directory: String
    private let clock: any Clock

    /// The time between two checks of a lock that is held by another process.
    private static let pause = Duration.milliseconds(25)

    package init(directory: String, clock: any Clock) {
        self.directory = directory
        self.clock = clock
    }

    /// Acquires the lock `name` (words of letters, digits, `.`, `-`, `_`, separated by `/`) on a thread that may wait for the disk;
    /// nil when it is held.
    package func tryAcquire(_ name: String, _ mode: FileLock.Mode = .exclusive) async throws -> FileLock? {
        try await BackgroundThread.run { try tryAcquire(name, mode) }
    }

    /// The same on this thread.
    package func tryAcquire(_ name: String, _ mode: FileLock.Mode = .exclusive) throws -> FileLock? {
        let path = try path(of: name)
        try Directory.make(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]))
        return try FileLock.take(path, mode, start: clock.now)
    }

    /// Takes the lock as soon as it is free; throws when the task is cancelled.
    package func acquire(_ name: String, _ mode: FileLock.Mode = .exclusive) async throws -> FileLock {
        while true {
            if let lock = try await tryAcquire(name, mode) { return lock }
            try await clock.sleep(for: Self.pause)
        }
    }

    /// Returns the holder of an exclusive lock; nil when there is none. The check does not prevent others from
    /// acquiring it.
    package func holder(of name: String) throws -> FileLock.Holder? {
        let path = try path(of: name)
        guard FileLockFile.isMarked(path), let text = FileLockFile.text(of: path) else { return nil }
        return FileLock.Holder(text: text)
    }

    /// Deletes the file of a lock that is not needed any more.
    func forget(_ name: String) {
        if let path = try? path(of: name) { unlink(path) }
    }

    /// The file of `name`, in a folder that need not exist yet.
    private func path(of name: String) throws -> String {
        let words = name.split(separator: "/", omittingEmptySubsequences: false)
        let isSound = words.allSatisfy { word in
            !word.isEmpty && word.first != "."
                && word.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                        UInt8(ascii: "."):
                        true
                    default: false
                    }
                }
        }
        guard isSound, name.utf8.count <= 200 else {
            throw HubError(.internal, code: "lock-name", "\"\(name)\" is not a valid lock name")
        }
        return directory + "/" + name
    }
}
