import Glibc

/// Calls `body` with a new private folder and removes it, with all that is in it, afterwards.
func withTemporaryDirectory<R>(_ body: (String) async throws -> R) async throws -> R {
    let path = makeTemporaryDirectory()
    defer { removeTree(path) }
    return try await body(path)
}

/// Calls `body` with a new private folder and removes it, with all that is in it, afterwards.
func withTemporaryDirectory<R>(_ body: (String) throws -> R) throws -> R {
    let path = makeTemporaryDirectory()
    defer { removeTree(path) }
    return try body(path)
}

private func makeTemporaryDirectory() -> String {
    "/tmp/hub-test-XXXXXX".withCString { template in
        let path = strdup(template)
        defer { free(path) }
        guard let path, mkdtemp(path) != nil else { preconditionFailure("no temporary folder can be made") }
        return String(cString: path)
    }
}

private func removeTree(_ path: String) {
    for name in fileNames(in: path) where unlink("\(path)/\(name)") != 0 { removeTree("\(path)/\(name)") }
    rmdir(path)
}

/// The names in the folder at `path`, sorted, without `.` and `..`; empty when there is no such folder.
func fileNames(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}
