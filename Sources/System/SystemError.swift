import Glibc

/// A system call that failed, with the system's reason.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The failed call with its subject.
    package let call: String
    /// The error number (errno).
    package let code: Int32

    /// The failure of `call`; `code` is `errno` unless given, so make it right after the call.
    package init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    /// Whether a file or folder could not be made or written: for lack of a permission or of room.
    package var forbidsWriting: Bool { [EACCES, EPERM, EROFS, ENOSPC, EDQUOT, EFBIG].contains(code) }

    /// Both, with the system's words: `bind /run/x: Permission denied`.
    package var description: String { "\(call): \(String(cString: strerror(code)))" }
}
