import Glibc
import NotesDomain
import System

/// The files of an import.
struct PortableFiles: Sendable {
    /// The most bytes of all files together that are read at once.
    private static let maximumTotal = 1 << 30

    /// The name for messages.
    let name: String
    /// What tells files of this source from those of others: the absolute path of the folder.
    let origin: String
    /// The files, with paths below the folder.
    let files: [PortableFile]
    /// What was passed over, with the reason.
    let skipped: [String]
    /// The folder of files that are read later; nil without any.
    private let folder: NoteFolder?

    /// Files that are not on the disk, such as stdin.
    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        origin = ""
        (files, skipped, folder) = ([PortableFile(ByteString(name), bytes)], [], nil)
    }

    /// Reads a file, or all files of a folder that are not hidden. Throws `not-found`, `denied`, or `invalid` if it is too
    /// large, a device, or a pipe to which nothing was written.
    init(path: String, followsLinks: Bool) throws(HubError) {
        name = path.split(separator: "/").last.map(String.init) ?? path
        var status = stat()
        guard FileName.withPath(path, { stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            origin = String(PortableFiles.absolute(path).dropLast(name.count))
            let bytes = try ChunkedFileReader.contents(of: path, limit: NoteFormat.maximumFile)
            (files, skipped, folder) = ([PortableFile(ByteString(path: name), bytes)], [], nil)
            return
        }
        origin = PortableFiles.absolute(path) + "/"
        do throws(SystemError) {
            let folder = try NoteFolder(opening: path, followsLinks: followsLinks)
            (files, skipped) = try PortableFiles.read(folder)
            self.folder = folder
        } catch {
            throw NoteFolder.failure(path, error)
        }
    }

    /// Reads the notes; of the other files only what is small enough to be taken is named.
    private static func read(_ folder: NoteFolder) throws(SystemError) -> ([PortableFile], [String]) {
        var total = 0
        var files: [PortableFile] = []
        let listing = try folder.listing()
        var skipped = listing.skipped.map(\.message)
        for entry in listing.entries {
            // A single file may be an archive.
            guard NoteFileName.isNote(entry.path) || listing.entries.count == 1 else {
                if entry.size <= NoteLimits.attachment {
                    files.append(PortableFile(entry.path, .file(entry.path)))
                } else {
                    skipped.append("\(entry.path): \(tooLarge)")
                }
                continue
            }
            total += entry.size
            guard entry.size <= NoteFormat.maximumFile, total <= maximumTotal else {
                throw SystemError("read \(folder.path)/\(entry.path)", code: EFBIG)
            }
            files.append(PortableFile(entry.path, try folder.read(entry.path, limit: NoteFormat.maximumFile)))
        }
        return (files, skipped)
    }

    /// Why a file is not taken.
    static let tooLarge = "larger than 100 MiB, the limit for attachments"

    /// Returns the bytes of a file of the folder.
    func read(_ path: ByteString) throws(SystemError) -> [UInt8] {
        guard let folder else { throw SystemError("read \(path)", code: ENOENT) }
        return try folder.read(path, limit: NoteLimits.attachment)
    }

    private static func absolute(_ path: String) -> String {
        guard let real = FileName.withPath(path, { realpath($0, nil) }) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
