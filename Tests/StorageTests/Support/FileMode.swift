import Glibc

/// The permission bits of a file; nil when there is none.
func fileMode(_ path: String) -> UInt32? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
}
