import Glibc

/// A folder of a test's own, gone with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/hub-test-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw Failure.system(errno) }
        path = String(cString: made)
    }

    deinit { Self.remove(path) }

    enum Failure: Error { case system(Int32) }

    func write(_ text: String, to name: String, mode: mode_t = 0o600) throws {
        let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Failure.system(errno) }
        defer { close(descriptor) }
        fchmod(descriptor, mode)
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure.system(errno) }
    }

    func remove(_ name: String) throws {
        guard Glibc.remove("\(path)/\(name)") == 0 else { throw Failure.system(errno) }
    }

    func read(_ name: String) -> String? {
        guard let file = fopen("\(path)/\(name)", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    func mode(_ name: String) -> mode_t {
        var status = stat()
        return stat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o777 : 0
    }

    /// The names in the folder, sorted.
    func names() -> [String] { Self.names(in: path) }

    private static func names(in path: String) -> [String] {
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

    /// Removes a file, a link, or a folder with all in it.
    private static func remove(_ path: String) {
        guard Glibc.remove(path) != 0, errno == ENOTEMPTY else { return }
        for name in names(in: path) { remove("\(path)/\(name)") }
        Glibc.remove(path)
    }
}
