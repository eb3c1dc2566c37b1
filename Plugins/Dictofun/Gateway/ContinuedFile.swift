import Glibc
import System

/// A file that continues an earlier one, as a copy that goes on after a pause does.
enum ContinuedFile {
    /// The part at the beginning that may differ: programs fill in the header of a recording at its end.
    private static let headerSize = 4096
    private static let blockSize = 1 << 18

    /// Returns whether the file at `path` has all of the one at `earlier`. At the end of that one there may be zeros instead of what had
    /// not come yet.
    static func check(_ path: String, continues earlier: String) -> Bool {
        let (new, old) = (openFile(path), openFile(earlier))
        defer { for descriptor in [new, old] where descriptor >= 0 { close(descriptor) } }
        var (newStatus, oldStatus) = (stat(), stat())
        guard new >= 0, old >= 0, fstat(new, &newStatus) == 0, fstat(old, &oldStatus) == 0,
            newStatus.st_size >= oldStatus.st_size
        else { return false }
        let size = Int(oldStatus.st_size)
        var place = min(headerSize, size / 2)
        var isAtEnd = false
        while place < size {
            let (mine, theirs) = (block(new, place), block(old, place))
            guard !theirs.isEmpty, mine.count >= theirs.count else { return false }
            for (one, other) in zip(theirs, mine) where isAtEnd || one != other {
                guard one == 0 else { return false }
                isAtEnd = true
            }
            place += theirs.count
        }
        return true
    }

    private static func openFile(_ path: String) -> Int32 {
        FileName.withPath(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    }

    private static func block(_ descriptor: Int32, _ place: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: blockSize)
        let count = pread(descriptor, &bytes, bytes.count, off_t(place))
        return Array(bytes.prefix(max(0, count)))
    }
}
