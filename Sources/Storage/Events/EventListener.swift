import Dispatch
import Glibc

/// This process's own datagram socket, read on a dispatch queue until it is closed.
final class EventListener: Sendable {
    /// The minimum number of datagrams that a queue holds on every Linux (`net.unix.max_dgram_qlen`). A reader that
    /// finds fewer has missed none; one that finds as many may have missed some and treats it as a change of
    /// everything.
    static let smallestQueue = 10

    /// The file name of the socket in its folder.
    let name: String
    private let directory: EventSocketDirectory
    // Proof: a dispatch source may be used from any thread, and the property is never written again.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Binds a socket in `directory` and calls `receive` on a queue of its own whenever there is news.
    init(
        in directory: EventSocketDirectory, receive: @escaping @Sendable (ChangeSet) -> Void
    ) throws(SystemError) {
        try directory.prepare()
        let name = "\(getpid()).\(Identifier.make()).sock"
        let descriptor = try EventListener.bind(name, in: directory)
        self.name = name
        self.directory = directory
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "hub.events.listener"))
        source.setEventHandler { receive(EventListener.drain(descriptor)) }
        source.setCancelHandler { Glibc.close(descriptor) }
        self.source = source
        source.resume()
    }

    deinit { close() }

    /// Stops listening and removes the socket. Calling it again does nothing.
    func close() {
        guard !source.isCancelled else { return }
        unlink("\(directory.path)/\(name)")
        source.cancel()
    }

    private static func bind(_ name: String, in directory: EventSocketDirectory) throws(SystemError) -> Int32 {
        let folder = open(directory.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw SystemError("open \(directory.path)") }
        defer { Glibc.close(folder) }
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw SystemError("socket") }
        // The mode of the socket's inode becomes that of the bound file, so it is never open to others.
        fchmod(descriptor, 0o600)
        let result = SocketAddress(directory: directory.path, descriptor: folder, name: name)?
            .withPointer { Glibc.bind(descriptor, $0, $1) }
        guard result == 0 else {
            let error = SystemError("bind \(directory.path)/\(name)", code: result == nil ? ENAMETOOLONG : errno)
            Glibc.close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Reads until the queue is empty, so that what is committed from now on wakes again.
    static func drain(_ descriptor: Int32) -> ChangeSet {
        var news = ChangeSet.some([])
        var count = 0
        var buffer = [UInt8](repeating: 0, count: ChangeSet.maximumDatagram)
        while count < 1024 {
            let length = recv(descriptor, &buffer, buffer.count, 0)
            if length < 0 { break }
            count += 1
            news.formUnion(ChangeSet(datagram: buffer[..<length]))
        }
        return count < smallestQueue ? news : .everything
    }
}
