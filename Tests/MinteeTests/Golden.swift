import Glibc
import Testing

/// Texts that people see, kept in files beside the tests. `HUB_UPDATE_GOLDEN=1` writes them anew.
enum Golden {
    /// The folder of the golden files.
    static let folder = folder(of: #filePath)

    /// The path of the golden file `name`.
    static func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// Compares `text` with the golden file `name`.
    static func expect(_ text: String, is name: String, location: SourceLocation = #_sourceLocation) {
        if getenv("HUB_UPDATE_GOLDEN") != nil { write(text, to: path(name)) }
        let expected = read(path(name))
        #expect(text == expected, "golden file \(name); HUB_UPDATE_GOLDEN=1 writes it anew", sourceLocation: location)
    }

    private static func folder(of file: String) -> String {
        "/" + file.split(separator: "/").dropLast().joined(separator: "/") + "/Golden"
    }

    /// The text of a file; empty when it is not there.
    static func read(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Makes a file hold `text`.
    static func write(_ text: String, to path: String) {
        guard let file = fopen(path, "w") else { return }
        defer { fclose(file) }
        fputs(text, file)
    }
}
