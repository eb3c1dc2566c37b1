import Commands
import Glibc

/// A file that keeps the secret of an invitation, and that only the user can read.
struct InvitationFile {
    private static let limit = 64 << 10

    private let folder: DirectoryHandle
    private let name: FileName
    private let isNew: Bool

    /// Stores `secret` in a new file of `folder`, whose path is absolute; a file that holds it already stays as it is. Throws
    /// `file-exists` for a file that holds something else.
    init(_ name: String, in folder: String, secret: String, noun: String) throws(HubError) {
        self.name = FileName(name)
        let path = TerminalSanitizer.line("\(folder)/\(name)")
        do throws(SystemError) {
            self.folder = try DirectoryHandle(folder)
            isNew = try InvitationFile.store(Array("\(secret)\n".utf8), self.name, in: self.folder)
        } catch  where error.code == EEXIST {
            throw HubError(
                .conflict, code: "file-exists", "\(path) exists with other contents; nothing was changed",
                hint: "choose a new file for the \(noun) of the invitation")
        } catch {
            throw HubError(
                .unavailable, code: "file-not-written", "cannot write \(path); nothing was changed",
                details: [error.description], hint: "choose a file in one of your own folders", cause: error)
        }
    }

    /// Whether the file was made. Throws EEXIST for one that holds something else.
    private static func store(
        _ line: [UInt8], _ name: FileName, in folder: DirectoryHandle
    ) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try folder.write(line, new: name, mode: 0o600)
            folder.flush()
            return true
        } catch {
            let known = error.code == EEXIST ? try? folder.read(name, limit: limit) : nil
            guard let known, known == line || known == line.dropLast() else { throw error }
            return false
        }
    }

    /// Where the secret is.
    var source: SecretSource { .file("\(folder.path)/\(name)") }

    /// Removes the file if it was made, since the account was not saved.
    func discard() {
        if isNew { try? folder.remove(name) }
    }
}
