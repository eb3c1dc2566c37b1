import Archive
import Text

/// Zip archives of exports, which may contain others.
package enum NoteArchive {
    /// Archives inside of archives beyond this are files.
    private static let maximumDepth = 3
    private static let limits = ArchiveLimits(fileBytes: NoteFormat.maximumFile, totalBytes: 1 << 30, entries: 200_000)

    /// Whether bytes begin as those of a zip archive.
    package static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

    /// Returns the files in an archive instead of it, and other files as they are. Throws if an archive cannot be read.
    package static func unpacked(_ files: [PortableFile]) throws(ImportProblem) -> [PortableFile] {
        guard files.count == 1, let file = files.first, recognizes(file.bytes) else { return files }
        var budget = limits.totalBytes
        return try unpacked(file, depth: 1, &budget)
    }

    private static func unpacked(
        _ file: PortableFile, depth: Int, _ budget: inout Int
    ) throws(ImportProblem) -> [PortableFile] {
        let entries: [ArchiveEntry]
        do throws(ArchiveError) {
            var limits = limits
            limits.totalBytes = max(0, budget)
            entries = try ZipReader.read(file.bytes, limits: limits)
        } catch {
            throw ImportProblem(file.path, message(error))
        }
        budget -= entries.reduce(0) { $0 + $1.bytes.count }
        var files: [PortableFile] = []
        for entry in entries {
            let path = path(entry.path)
            // What macOS adds to archives, and hidden files.
            guard !path.isEmpty else { continue }
            let inner = PortableFile(path, entry.bytes)
            if depth < maximumDepth, recognizes(entry.bytes), path.repairedText.lowercased().hasSuffix(".zip") {
                files += try unpacked(inner, depth: depth + 1, &budget)
            } else {
                files.append(inner)
            }
        }
        return withoutWrapper(files)
    }

    /// A path that leads nowhere else; empty for a file that is left out.
    private static func path(_ name: String) -> ByteString {
        let parts = name.replacing("\\", with: "/").split(separator: "/").map(String.init)
        guard !parts.contains(".."), !parts.contains(where: { $0.hasPrefix(".") || $0 == "__MACOSX" }) else {
            return ""
        }
        return ByteString(parts.joined(separator: "/"))
    }

    /// The files without the folder that is around all of them, if there is more than one.
    private static func withoutWrapper(_ files: [PortableFile]) -> [PortableFile] {
        guard files.count > 1, let first = files.first?.path.bytes.split(separator: UInt8(ascii: "/")).first,
            files.allSatisfy({ $0.path.bytes.starts(with: Array(first) + [UInt8(ascii: "/")]) }),
            !first.elementsEqual("source".utf8)
        else { return files }
        return files.map { PortableFile(ByteString(Array($0.path.bytes.dropFirst(first.count + 1))), $0.content) }
    }

    private static func message(_ error: ArchiveError) -> String {
        switch error {
        case .libraryMissing: "is a zip archive, which needs libarchive; hub doctor names the missing package"
        case .tooManyEntries(let limit): "has more than \(NumberFormat.grouped(limit)) files"
        case .fileTooLarge, .tooLarge: "is too large when it is unpacked"
        default: "is a damaged zip archive"
        }
    }
}
