import Glibc

/// A private folder of a test's own, gone with the value and all that is in it.
package final class TemporaryFolder: Sendable {
    /// The path of the folder.
    package let path: String

    /// A system call that failed, with its `errno`.
    package struct Failure: Error {
        package let call: String
        package let code: Int32
    }

    package init() throws {
        var template = Array("/tmp/hub-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure(call: "mkdtemp", code: errno) }
        path = String(cString: made)
    }

    deinit { TemporaryFolder.removeTree(path) }

    /// Writes a file beside its name and then over it, as khard and vdirsyncer do; folders above it are made. Returns its
    /// path.
    @discardableResult
    package func write(_ text: String, to name: String, mode: UInt32 = 0o600) throws -> String {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/\(part)"
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                throw Failure(call: "mkdir \(folder)", code: errno)
            }
        }
        let (file, draft) = ("\(path)/\(name)", "\(path)/\(name)-\(UInt64.random(in: 0 ... .max)).tmp")
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Failure(call: "open \(name)", code: errno) }
        defer { close(descriptor) }
        fchmod(descriptor, mode)
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, rename(draft, file) == 0 else {
            throw Failure(call: "write \(name)", code: errno)
        }
        return file
    }

    /// The text of a file; nil when there is none.
    package func read(_ name: String) -> String? {
        guard let file = fopen("\(path)/\(name)", "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Removes a file or an empty folder.
    package func remove(_ name: String) throws {
        guard Glibc.remove("\(path)/\(name)") == 0 else { throw Failure(call: "remove \(name)", code: errno) }
    }

    /// The permissions of a file; 0 when there is none.
    package func mode(_ name: String) -> UInt32 {
        var status = stat()
        return stat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o777 : 0
    }

    /// The names in the folder or in one inside it, sorted.
    package func names(in name: String = ".") -> [String] { fileNames(in: "\(path)/\(name)") }

    /// Removes a file, a link, or a folder with all in it.
    package static func removeTree(_ path: String) {
        guard Glibc.remove(path) != 0, errno == ENOTEMPTY || errno == EEXIST else { return }
        for name in fileNames(in: path) { removeTree("\(path)/\(name)") }
        Glibc.remove(path)
    }
}

/// Calls `body` with a new private folder and removes it, with all that is in it, afterwards.
package func withTemporaryDirectory<R>(_ body: (String) async throws -> R) async throws -> R {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try await body(folder.path)
}

/// Calls `body` with a new private folder and removes it, with all that is in it, afterwards.
package func withTemporaryDirectory<R>(_ body: (String) throws -> R) throws -> R {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    return try body(folder.path)
}

/// Returns the names in the folder at `path`, sorted, without `.` and `..`; empty when there is no such folder.
package func fileNames(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}

/// Writes the bytes of a file in place: one that is there stays the same file.
package func overwrite(_ path: String, with bytes: [UInt8]) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TemporaryFolder.Failure(call: "open \(path)", code: errno) }
    defer { close(descriptor) }
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
        throw TemporaryFolder.Failure(call: "write \(path)", code: errno)
    }
}
