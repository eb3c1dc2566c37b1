import Glibc
import NotesDomain
import System

/// The files of an import.
struct PortableFiles: Sendable {
    /// The most bytes of all files together.
    private static let maximumTotal = 1 << 30

    /// The name for messages.
    let name: String
    /// What tells files of this source from those of others: the absolute path of the folder.
    let origin: String
    /// The files, with paths below the folder.
    let files: [PortableFile]
    /// What was passed over, with the reason.
    let skipped: [String]

    /// Files that are not on the disk, such as stdin.
    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        origin = ""
        (files, skipped) = ([PortableFile(ByteString(name), bytes)], [])
    }

    /// Reads a file, or all files of a folder that are not hidden. Throws `not-found`, `denied`, or `invalid` if it is too
    /// large, a device, or a pipe to which nothing was written.
    init(path: String, followsLinks: Bool) throws(HubError) {
        name = path.split(separator: "/").last.map(String.init) ?? path
        var status = stat()
        guard FileName.withPath(path, { stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            origin = String(PortableFiles.absolute(path).dropLast(name.count))
            let bytes = try ChunkedFileReader.contents(of: path, limit: NoteFormat.maximumFile)
            (files, skipped) = ([PortableFile(ByteString(path: name), bytes)], [])
            return
        }
        origin = PortableFiles.absolute(path) + "/"
        do throws(SystemError) {
            (files, skipped) = try PortableFiles.read(NoteFolder(opening: path, followsLinks: followsLinks))
        } catch {
            throw NoteFolder.failure(path, error)
        }
    }

    private static func read(_ folder: NoteFolder) throws(SystemError) -> ([PortableFile], [String]) {
        var total = 0
        var files: [PortableFile] = []
        let listing = try folder.listing()
        for entry in listing.entries {
            total += entry.size
            guard entry.size <= NoteFormat.maximumFile, total <= maximumTotal else {
                throw SystemError("read \(folder.path)/\(entry.path)", code: EFBIG)
            }
            files.append(PortableFile(entry.path, try folder.read(entry.path, limit: NoteFormat.maximumFile)))
        }
        return (files, listing.skipped.map(\.message))
    }

    private static func absolute(_ path: String) -> String {
        guard let real = FileName.withPath(path, { realpath($0, nil) }) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
