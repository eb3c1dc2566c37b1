package import ContactsDomain
import Glibc
package import Sync
package import System

/// A folder of cards, or of folders with cards, as an account, as used by khard and vdirsyncer.
package struct VdirAccount: AccountClient {
    private let path: String
    private let clock: any Clock

    /// The account in the folder at the absolute `path`.
    package init(path: String, clock: any Clock) {
        self.path = path
        self.clock = clock
    }

    /// The path of the folder itself among its books.
    static let root = "."

    /// Returns the folders with cards.
    package func books() async throws(RemoteError) -> [RemoteBook] {
        try await VdirAccount.onDisk { [path] () throws(SystemError) in
            let folder = try DirectoryHandle(path)
            var inside: [RemoteBook] = []
            for name in try folder.names() where !name.isHidden {
                guard (try folder.status(name)?.st_mode ?? 0) & S_IFMT == S_IFDIR else { continue }
                let candidate = try folder.folder(name)
                if try VdirAccount.isBook(candidate) {
                    inside.append(VdirAccount.book(candidate, href: VdirPlace(name).href, name: name.description))
                }
            }
            inside.sort { $0.name < $1.name }
            let hasCards = try folder.names().contains { $0.isCard }
            guard hasCards || inside.isEmpty else { return inside }
            // The name of the folder .contacts is shown without the dot.
            let name = path.split(separator: "/").last.map { String($0.drop { $0 == "." }) } ?? path
            return [VdirAccount.book(folder, href: VdirAccount.root, name: name)] + inside
        }
    }

    /// Creates a folder; throws if it already exists.
    package func createBook(_ name: String) async throws(RemoteError) -> RemoteBook {
        let fileName = FileName(safe: name)
        let made: RemoteBook? = try await VdirAccount.onDisk { [path] () throws(SystemError) in
            let folder = try DirectoryHandle(path)
            guard try folder.status(fileName, followingLinks: false) == nil else { return nil }
            try folder.makeFolder(fileName)
            let book = try folder.folder(fileName)
            if fileName.description != name {
                try book.write(Array((name + "\n").utf8), new: FileName("displayname"), mode: 0o600)
            }
            folder.flush()
            return RemoteBook(href: VdirPlace(fileName).href, name: name)
        }
        guard let made else { throw .refused(reason: "\(path)/\(fileName) already exists") }
        return made
    }

    /// Deletes the folder of a book; throws if it contains other files.
    package func removeBook(_ href: String) async throws(RemoteError) {
        let place = try folderPlace(href)
        let foreign: FileName? = try await VdirAccount.onDisk { [path] () throws(SystemError) in
            let parent = try DirectoryHandle(path)
            let folder = try place.map { place throws(SystemError) in try parent.folder(place.file) } ?? parent
            let names = try folder.names()
            let isOurs: (FileName) -> Bool = { $0.isCard || VdirAccount.metadata.contains($0.description) }
            // Other files in the folder are never deleted.
            if place != nil, let foreign = names.first(where: { !isOurs($0) }) { return foreign }
            for name in names where place == nil ? name.isCard : isOurs(name) { try folder.remove(name) }
            if let place { try parent.remove(place.file, isFolder: true) }
            parent.flush()
            return nil
        }
        guard let foreign else { return }
        throw .refused(
            reason: "the folder contains other files than cards: \(TerminalSanitizer.line(foreign.description))")
    }

    /// Returns the real path of the book's folder.
    package func place(_ href: String) -> String {
        let inner = href == VdirAccount.root ? nil : VdirPlace(href: href)?.file
        let folder = FileName(Array(path.utf8) + (inner.map { [UInt8(ascii: "/")] + $0.bytes } ?? []))
        guard let real = folder.withPointer({ realpath($0, nil) }) else { return folder.description }
        defer { free(real) }
        return String(cString: real)
    }

    /// Returns the book in a folder.
    package func open(_ book: RemoteBook) -> any CollectionClient {
        let clock = clock
        let inner = book.href == VdirAccount.root ? nil : VdirPlace(href: book.href)?.file
        return VdirBook(path: path, inner: inner) { clock.now }
    }

    private func folderPlace(_ href: String) throws(RemoteError) -> VdirPlace? {
        if href == VdirAccount.root { return nil }
        guard let place = VdirPlace(href: href) else { throw .notFound(reason: "\(href) is not a book of \(path)") }
        return place
    }

    /// Metadata files of vdir.
    private static let metadata: Set<String> = ["displayname", "description", "color", "order"]

    /// Whether the folder contains a card or vdir metadata, or is empty.
    private static func isBook(_ folder: DirectoryHandle) throws(SystemError) -> Bool {
        let names = try folder.names().filter { !$0.isHidden }
        return names.isEmpty || names.contains { $0.isCard || metadata.contains($0.description) }
    }

    private static func book(_ folder: DirectoryHandle, href: String, name: String) -> RemoteBook {
        let display = (try? folder.read(FileName("displayname"), limit: 4096)).map {
            String(decoding: $0, as: UTF8.self)
        }
        let line = display?.split(whereSeparator: \.isNewline).first.map { TerminalSanitizer.line(String($0)) } ?? ""
        let shown = line.allSatisfy(\.isWhitespace) ? TerminalSanitizer.line(name) : line
        return RemoteBook(href: href, name: String(shown.prefix(200)), isReadOnly: !folder.isWritable)
    }

    /// Runs `body` on a separate thread, since file access blocks, and converts system errors.
    static func onDisk<Answer: Sendable>(
        _ body: @escaping @Sendable () throws(SystemError) -> Answer
    ) async throws(RemoteError) -> Answer {
        do throws(SystemError) {
            return try await BackgroundThread.run(body) { $0 }
        } catch {
            let words = error.call.split(separator: " ", maxSplits: 1)
            let what = words.count == 2 ? "\(words[1]): " : ""
            let reason = what + String(cString: strerror(error.code))
            switch error.code {
            case ENOENT, ENOTDIR: throw .notFound(reason: reason)
            case EIO, ESTALE, ENOTCONN, ETIMEDOUT, EAGAIN: throw .unreachable(reason: reason)
            case EFBIG: throw .malformed(reason: reason)
            default: throw .refused(reason: reason)
            }
        }
    }
}
