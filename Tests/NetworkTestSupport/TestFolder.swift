import FoundationEssentials
import Glibc

/// A temporary folder that goes with its last reference.
package final class TestFolder: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/hub-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestProcessError.notStarted("mkdtemp", errno) }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    /// Writes a file in it and returns its path.
    @discardableResult
    package func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
