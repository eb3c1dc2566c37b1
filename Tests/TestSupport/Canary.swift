import Glibc
package import Testing

/// Texts that must be nowhere any more, looked for byte by byte.
package enum Canary {
    /// Expects none of `words` in any file of `folder` and of the folders in it.
    package static func expectGone(
        _ words: [String], from folder: String, location: SourceLocation = #_sourceLocation
    ) {
        for path in files(in: folder) {
            let bytes = read(path)
            for word in words where bytes.firstRange(of: Array(word.utf8)) != nil {
                Issue.record("\(word) is still in \(path)", sourceLocation: location)
            }
        }
    }

    /// Whether any file of `folder` holds `word`.
    package static func isPresent(_ word: String, in folder: String) -> Bool {
        files(in: folder).contains { read($0).firstRange(of: Array(word.utf8)) != nil }
    }

    private static func files(in folder: String) -> [String] {
        fileNames(in: folder).flatMap { name -> [String] in
            let path = folder + "/" + name
            var status = stat()
            guard stat(path, &status) == 0 else { return [] }
            return status.st_mode & S_IFMT == S_IFDIR ? files(in: path) : [path]
        }
    }

    private static func read(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }
}
