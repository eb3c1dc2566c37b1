import Glibc
import HubKit

/// A folder of a test's own, gone with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/hub-contacts-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// Writes a file as khard and vdirsyncer do, beside it and then over it; folders above it are made.
    func write(_ text: String, to name: String) throws {
        let parts = name.split(separator: "/").dropLast()
        if !parts.isEmpty { try Folder.make("\(path)/\(parts.joined(separator: "/"))") }
        let temporary = "\(path)/\(name)-\(Identifier.make()).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("open \(name)") }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, rename(temporary, "\(path)/\(name)") == 0
        else { throw SystemError("write \(name)") }
    }

    /// The text of a file; nil when there is none.
    func read(_ name: String) -> String? {
        (try? SmallFile.read("\(path)/\(name)", limit: 1 << 24)).map { String(decoding: $0, as: UTF8.self) }
    }

    func remove(_ name: String) { Glibc.remove("\(path)/\(name)") }

    /// The names in the folder or in one inside it, sorted.
    func names(in name: String = ".") -> [String] { Self.names(in: "\(path)/\(name)") }

    private static func names(in path: String) -> [String] {
        (try? OpenFolder(path).names().map(\.description).sorted()) ?? []
    }

    private static func remove(_ path: String) {
        guard Glibc.remove(path) != 0, errno == ENOTEMPTY, let folder = try? OpenFolder(path) else { return }
        for name in (try? folder.names()) ?? [] {
            if (try? folder.status(name, followingLinks: false))??.st_mode ?? 0 & S_IFMT == S_IFDIR {
                remove("\(path)/\(name)")
            } else if (try? folder.remove(name)) == nil {
                remove("\(path)/\(name)")
            }
        }
        Glibc.remove(path)
    }
}
