import Glibc
package import Testing

/// Texts for users, stored in the folder `Golden` of a test target. `HUB_UPDATE_GOLDEN=1` rewrites them.
package enum Golden {
    /// The folder of the golden files of the test target that `file` belongs to.
    package static func folder(file: String = #filePath) -> String {
        let parts = file.split(separator: "/")
        let target = parts.lastIndex { $0.hasSuffix("Tests") } ?? parts.startIndex
        return "/" + parts[...target].joined(separator: "/") + "/Golden"
    }

    /// The path of the golden file `name`.
    package static func path(_ name: String, file: String = #filePath) -> String { "\(folder(file: file))/\(name)" }

    /// Compares `text` with the golden file `name`.
    package static func expect(
        _ text: String, is name: String, file: String = #filePath, location: SourceLocation = #_sourceLocation
    ) {
        let path = path(name, file: file)
        if getenv("HUB_UPDATE_GOLDEN") != nil { write(text, to: path) }
        let expected = read(path)
        #expect(text == expected, "golden file \(name); HUB_UPDATE_GOLDEN=1 writes it anew", sourceLocation: location)
    }

    /// The text of a file; empty when it is not there.
    package static func read(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Makes a file hold `text`, in one step: another test may read the file at the same time.
    package static func write(_ text: String, to path: String) {
        let temporary = "\(path).\(getpid())-\(UInt64.random(in: 0 ... .max))"
        guard let file = fopen(temporary, "w") else { return }
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten, rename(temporary, path) == 0 else {
            unlink(temporary)
            return
        }
    }
}
