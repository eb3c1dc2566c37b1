package import ContactsDomain
package import HubKit

extension ImportSource {
    /// The folder at `path` with a card in each file (vdir); nil when there is no folder. Throws when it cannot be read.
    package static func folder(
        at path: String, format: ImportFormat? = nil
    ) throws(HubError) -> ImportSource? {
        guard CardFolder.exists(at: path) else { return nil }
        let parts = FolderParts(path: path, files: try CardFolder(path: path).files())
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return ImportSource(
            name, format: format, next: { try await parts.next() }, nextPart: { try await parts.open() })
    }
}

/// The files of a folder, read one after the other.
private actor FolderParts {
    private let path: String
    private var files: ArraySlice<String>
    private var chunks: FileChunks?

    init(path: String, files: [String]) {
        self.path = path
        self.files = files[...]
    }

    func next() throws(HubError) -> [UInt8]? { try chunks?.next() }

    /// Opens the next file that is still there: somebody may have removed or renamed one meanwhile.
    func open() throws(HubError) -> String? {
        chunks = nil
        while chunks == nil, let name = files.popFirst() {
            chunks = try FolderParts.chunks("\(path)/\(name)")
            if chunks != nil { return name }
        }
        return nil
    }

    private static func chunks(_ path: String) throws(HubError) -> FileChunks? {
        do throws(HubError) {
            return try FileChunks(path: path)
        } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }
}
