import Glibc

/// The folder in which each listening process has a datagram socket, `<pid>.<random>.sock`.
///
/// A committer announces changed topics to all of them without waiting. Nothing depends on a datagram's arrival: the
/// outbox and a check of the database once a second are the fallback.
struct EventSocketDirectory: Sendable {
    let path: String

    /// More sockets than a machine has listeners; leftovers beyond it are handled the next time.
    static let maximumSockets = 1024

    /// Creates the folder and its missing parents, private to the user. Throws the system's error, or EPERM when it
    /// belongs to another user or is accessible to others.
    func prepare() throws(SystemError) {
        try Directory.make(path)
        var info = stat()
        guard lstat(path, &info) == 0 else { throw SystemError("stat \(path)") }
        let isOurs = info.st_mode & S_IFMT == S_IFDIR && info.st_uid == geteuid() && info.st_mode & 0o077 == 0
        guard isOurs else { throw SystemError("\(path) is not private", code: EPERM) }
    }

    /// Tells every listener but the one whose socket is called `own`. A listener that cannot take it now is passed
    /// over; the socket of one that is gone is removed.
    func send(_ changed: ChangeSet, except own: String?) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { return }
        guard let directory = fdopendir(folder) else {
            close(folder)
            return
        }
        defer { closedir(directory) }
        // A socket for each round: unread datagrams count against their sender's buffer, so listeners that are stuck
        // would in time use up the buffer of a socket that is kept.
        let sender = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard sender >= 0 else { return }
        defer { close(sender) }
        let datagram = changed.datagram
        var sent = 0
        while sent < EventSocketDirectory.maximumSockets, let name = nextName(directory) {
            guard name.hasSuffix(".sock"), name != own else { continue }
            sent += 1
            guard let address = SocketAddress(directory: path, descriptor: dirfd(directory), name: name) else {
                continue
            }
            let result = address.withPointer { sockaddr, length in
                sendto(
                    sender, datagram, datagram.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), sockaddr, length)
            }
            if result < 0, errno == ECONNREFUSED, isOwnSocket(name, in: directory) {
                unlinkat(dirfd(directory), name, 0)
            }
        }
    }

    /// Whether it is a socket that a process of this user left; anything else is not ours to remove.
    private func isOwnSocket(_ name: String, in directory: OpaquePointer) -> Bool {
        var status = stat()
        return fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_mode & S_IFMT == S_IFSOCK && status.st_uid == geteuid()
    }

    private func nextName(_ directory: OpaquePointer) -> String? {
        guard let entry = readdir(directory) else { return nil }
        return withUnsafePointer(to: &entry.pointee.d_name) { name in
            name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        }
    }
}

/// The address of a socket in a folder. A path that is too long for `sun_path` (108 bytes) is written through the
/// folder's open descriptor instead, which Linux resolves under `/proc/self/fd`.
struct SocketAddress {
    private var address = sockaddr_un()

    /// Nil when even the short form does not fit. The descriptor must stay open while the address is used.
    init?(directory: String, descriptor: Int32, name: String) {
        let room = MemoryLayout.size(ofValue: address.sun_path) - 1
        let direct = "\(directory)/\(name)"
        let text = direct.utf8.count <= room ? direct : "/proc/self/fd/\(descriptor)/\(name)"
        guard text.utf8.count <= room else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: text.utf8) }
    }

    /// Calls `body` with the address as the socket calls take it.
    func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
