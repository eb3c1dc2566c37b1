import Glibc
import HubKit

/// A secret in its own file, which must be private to the user.
enum SecretFile {
    private static let limit = 64 << 10

    /// The first line of the file at `path`.
    static func read(_ path: String) throws(HubError) -> String {
        let bytes: [UInt8]
        var exposure: String?
        do {
            bytes = try BoundedFile.read(path, limit: limit) { status throws(SystemError) in
                if status.st_uid != geteuid() {
                    exposure = "belongs to another user"
                } else if status.st_mode & 0o077 != 0 {
                    exposure = "can be read or changed by other users"
                }
                if exposure != nil { throw SystemError("", code: EPERM) }
            }
        } catch {
            let shown = TerminalSanitizer.line(path)
            if let exposure {
                throw HubError(
                    .denied, code: "secret-file-open", "the password file \(shown) \(exposure)",
                    details: ["it must belong to you and be accessible only to you (mode 0600)"],
                    hint: "chmod 600 \(ShellWords.quote(path))")
            }
            throw HubError(
                .unavailable, code: "secret-file-unreadable", "the password file \(shown) cannot be read",
                details: [error.description], cause: error)
        }
        guard let secret = SecretText.firstLine(of: bytes) else {
            throw HubError(.invalid, code: "secret-file-empty", "\(path) has an empty first line")
        }
        return secret
    }
}
