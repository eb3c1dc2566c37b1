import Glibc

/// The watches of one folder and of those below it, which end when it is released.
final class Inotify {
    /// Readable when there are events.
    let descriptor: Int32
    private let root: String

    /// Opens an instance for watches below the folder `root`; throws EMFILE when the user has too many.
    init(root: String) throws(SystemError) {
        // Proof: both constants are bits of an int.
        descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError("inotify_init1") }
        self.root = root
    }

    deinit { close(descriptor) }

    /// Watches a folder, or one that a link leads to, and returns the watch's number; the same one for a folder that is
    /// watched already.
    func watch(_ path: RelativePath) throws(SystemError) -> (watch: Int32, isLink: Bool) {
        let name = fullName(path)
        let watch = name.withPointer { inotify_add_watch(descriptor, $0, InotifyEvent.mask | UInt32(IN_DONT_FOLLOW)) }
        if watch >= 0 { return (watch, false) }
        let followed = errno == ENOTDIR ? name.withPointer { inotify_add_watch(descriptor, $0, InotifyEvent.mask) } : -1
        guard followed >= 0 else { throw SystemError("watch \(root)/\(path)") }
        return (followed, true)
    }

    /// Ends a watch.
    func end(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

    /// Returns the folders in a folder.
    func folders(in path: RelativePath, limit: Int) throws(SystemError) -> [FileName] {
        try DirectoryHandle(fullName(path)).folderNames(limit: limit)
    }

    /// Whether a path leads to a folder.
    func isFolder(_ path: RelativePath) -> Bool {
        var status = stat()
        return fullName(path).withPointer { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns the events that have arrived, at most some thousand at a time.
    func events() -> [InotifyEvent] {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return [] }
            return InotifyEvent.events(in: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
        }
    }

    private func fullName(_ path: RelativePath) -> FileName {
        FileName(Array(root.utf8) + path.names.flatMap { [UInt8(ascii: "/")] + $0.bytes })
    }
}
