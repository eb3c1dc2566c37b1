package import Commands
import Glibc
import Storage

extension NotesPlugin {
    /// Sets the mirrored folder in the config file; nil removes it.
    package func setMirror(_ path: String?) throws(HubError) {
        let key = NotesKeys.mirror.erased.path
        try settings.apply([path.map { .set(key, .text($0)) } ?? .remove(key)])
    }

    /// Returns the number of the last change of any note.
    package func lastChange() async throws -> Int { try await store.read { try $0.nextChange() - 1 } }

    /// Returns the working directory of the process.
    package static func workingDirectory() throws(HubError) -> String {
        guard let path = getcwd(nil, 0) else {
            throw HubError(.notFound, code: "no-working-directory", "the working directory does not exist")
        }
        defer { free(path) }
        return String(cString: path)
    }
}
