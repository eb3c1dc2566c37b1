import Glibc

/// An event of inotify(7).
struct InotifyEvent: Equatable {
    /// The kind of an event, as far as a watch of folders distinguishes them.
    enum Kind: Equatable {
        /// An entry of this name was created; a file is still being written, unless it is a link.
        case created
        /// A file was written and closed, or an entry was moved to this name.
        case written
        /// The entry of this name is gone.
        case removed
        /// The watched folder itself was moved or removed.
        case lost
        /// The watch has ended.
        case ended
        /// Events were lost, of any watch.
        case overflow
    }

    /// The watch, as `inotify_add_watch` numbered it.
    var watch: Int32
    var kind: Kind
    /// The name of the entry; empty where the event is about the watched folder itself.
    var name = FileName([])
    /// Whether the entry is a folder; for a link that may lead to one this is decided later.
    var isFolder = false
}

extension InotifyEvent {
    /// The events to ask for. Reading, changes of attributes, and writing that is not finished are left out.
    static let mask = UInt32(
        IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
            | IN_ONLYDIR | IN_EXCL_UNLINK)

    /// The length of an event without its name.
    private static let headLength = 16

    /// Returns the events in a buffer that read(2) has filled. Events that mean nothing here are left out.
    static func events(in buffer: UnsafeRawBufferPointer) -> [InotifyEvent] {
        var events: [InotifyEvent] = []
        var start = 0
        while start + headLength <= buffer.count {
            let watch = buffer.loadUnaligned(fromByteOffset: start, as: Int32.self)
            let bits = buffer.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
            let length = Int(buffer.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
            let nameStart = start + headLength
            guard length <= buffer.count - nameStart else { break }
            start = nameStart + length
            guard let kind = Kind(bits) else { continue }
            let name = FileName(buffer[nameStart..<start].prefix { $0 != 0 })
            events.append(InotifyEvent(watch: watch, kind: kind, name: name, isFolder: bits.has(IN_ISDIR)))
        }
        return events
    }
}

extension InotifyEvent.Kind {
    fileprivate init?(_ bits: UInt32) {
        if bits.has(IN_Q_OVERFLOW) {
            self = .overflow
        } else if bits.has(IN_IGNORED) {
            self = .ended
        } else if bits.has(IN_DELETE_SELF | IN_MOVE_SELF) {
            self = .lost
        } else if bits.has(IN_DELETE | IN_MOVED_FROM) {
            self = .removed
        } else if bits.has(IN_CLOSE_WRITE | IN_MOVED_TO) {
            self = .written
        } else if bits.has(IN_CREATE) {
            self = .created
        } else {
            return nil
        }
    }
}

extension UInt32 {
    fileprivate func has(_ bits: Int32) -> Bool { self & UInt32(bits) != 0 }
}
