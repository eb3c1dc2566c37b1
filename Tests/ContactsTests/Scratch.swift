import FoundationEssentials
import HubKit

/// A folder that is gone with the value.
final class Scratch: Sendable {
    /// Where it is.
    let path: String

    init() throws {
        path = "/tmp/hub-scratch-\(Identifier.make())"
        try Folder.make(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Makes a file, and the folder that it stands in.
    func write(_ text: String, to name: String) throws {
        let file = "\(path)/\(name)"
        try Folder.make(file.split(separator: "/").dropLast().map { "/\($0)" }.joined())
        try Data(text.utf8).write(to: URL(filePath: file))
    }

    /// The text of a file.
    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self)
    }
}
