import Glibc
import HubKit

/// A secret in a file of its own, which nobody else may read.
enum SecretFile {
    private static let limit = 64 << 10

    /// The first line of the file at `path`.
    static func read(_ path: String) throws(HubError) -> String {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path, limit: limit) { status throws(SystemError) in
                let isPrivate = status.st_mode & 0o077 == 0 && status.st_uid == geteuid()
                guard isPrivate else { throw SystemError("", code: EPERM) }
            }
        } catch {
            guard error.code == EPERM else {
                throw HubError(
                    .unavailable, code: "secret-file-unreadable", "the file for a secret cannot be read",
                    details: [error.description], cause: error)
            }
            throw HubError(
                .denied, code: "secret-file-open", "\(path) must be yours and closed to others",
                hint: "chmod 600 \(path)")
        }
        guard let secret = SecretText.firstLine(of: bytes) else {
            throw HubError(.invalid, code: "secret-file-empty", "\(path) holds no text in its first line")
        }
        return secret
    }
}
