import CSystem
import Glibc
import Hashing
import SQLite

/// The identity of a database, which no copy of it may share: other programs know its changes by it, and two that go on
/// separately under one identity would mix theirs.
///
/// The name is in the database, so a copy has it too. Beside it is noted which file it was given to, and a file that is another one
/// gets a new name when it is opened. Restoring a backup gives one in any case.
extension StoreConnection {
    private static let nameKey = "replica"
    private static let fileKey = "replica-file"

    /// Returns the name; empty before it is given.
    func replica() throws -> String {
        try connection.row("SELECT value FROM core_setting WHERE name = ?", Self.nameKey) { $0.text(0) } ?? ""
    }

    /// Gives the database, whose file is at `path`, a new name; nil for one in memory.
    func renewReplica(at path: String?) throws {
        try setIdentity(Self.nameKey, Identifier.make())
        try setIdentity(Self.fileKey, path.flatMap(Self.fileIdentity) ?? "")
        // The machines that had joined the store of which this is a copy have not joined this one; those of one that was set back say
        // hello again.
        let isThere = try connection.row("SELECT 1 FROM sqlite_master WHERE name = 'core_machine_spoke'") { _ in true }
        if isThere ?? false { try connection.run("DELETE FROM core_machine_spoke") }
    }

    /// Gives the database a new name if its file is not the one to which the name was given.
    func renewReplicaOfCopy(at path: String) throws {
        guard let file = Self.fileIdentity(path), try notedFile() != file else { return }
        try transact {
            switch try notedFile() {
            case file?: break
            case nil, "": try setIdentity(Self.fileKey, file)
            case Self.formerFileIdentity(path)?: try setIdentity(Self.fileKey, file)
            default: try renewReplica(at: path)
            }
        }
    }

    private func notedFile() throws -> String? {
        try connection.row("SELECT value FROM core_setting WHERE name = ?", Self.fileKey) { $0.text(0) }
    }

    private func setIdentity(_ key: String, _ value: String) throws {
        try connection.run(
            "INSERT INTO core_setting VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", key, value)
    }

    /// Returns a hash of what distinguishes a file from a copy of it, and stays the same when the machine restarts or the file is moved
    /// within its file system: the machine, the number of the file and its time of birth. Nil if the file is not there.
    ///
    /// Each start of the program needs it, so it is a hash that no library has to be loaded for.
    private static func fileIdentity(_ path: String) -> String? {
        fileWords(path).map { words in
            var hash = FNV1a()
            hash.add(words)
            return hash.hexadecimal
        }
    }

    /// Returns the hash that was noted in earlier versions.
    static func formerFileIdentity(_ path: String) -> String? {
        guard let words = fileWords(path) else { return nil }
        return (try? SHA256.hash(words)).map { Base64.encode(Array($0.prefix(18))) }
    }

    private static func fileWords(_ path: String) -> [UInt8]? {
        var file = system_file_birth()
        guard system_file_birth(path, &file) == 0 else { return nil }
        let machine = (try? BoundedFile.read("/etc/machine-id", limit: 256)) ?? []
        return machine + Array(" \(file.number) \(file.seconds) \(file.nanoseconds)".utf8)
    }
}

extension Transaction {
    /// Returns the identity of the database; one that was restored, and a copy, have another.
    package func replica() throws -> String { try asCore { try store.replica() } }
}
