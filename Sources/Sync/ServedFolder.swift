/// A tree of files that hub serves to devices by WebDAV: notes, records, or the files of other programs.
///
/// A path is the names from the top of the tree; the top itself has none. Names are compared by their bytes.
package protocol ServedFolder: Sendable {
    /// Whether what a device writes is merged over what it was last given, so that this has to be remembered.
    var merges: Bool { get }
    /// Whether properties that programs make up are kept with each file.
    var keepsProperties: Bool { get }

    /// Returns the current state; its number grows with each visible change.
    func state() async throws -> ServedState
    /// Returns the file or folder at a path; nil if there is none.
    func file(at path: [String]) async throws -> ServedFile?
    /// Returns at most `limit` files and folders of a folder whose names come after `name`, sorted by the bytes of their names.
    func files(in path: [String], after name: String?, limit: Int) async throws -> [ServedFile]
    /// Returns the content of a file; nil if there is none.
    func content(at path: [String]) async throws -> ServedContent?

    /// Stores the content of a file.
    func write(_ write: ServedWrite) async throws -> ServedFileResult
    /// Makes a folder.
    func makeFolder(
        at path: [String], properties: [String: String], by author: ServedAuthor
    ) async throws -> ServedFileResult
    /// Removes a file, or a folder with all that is in it.
    func remove(_ path: [String], if condition: ServedCondition, by author: ServedAuthor) async throws
        -> ServedFileResult
    /// Moves or copies a file or folder.
    func transfer(_ transfer: ServedTransfer) async throws -> ServedFileResult
    /// Sets properties of a file or folder, by names in the form `{namespace}name`; nil removes one.
    func setProperties(
        _ properties: [String: String?], of path: [String], by author: ServedAuthor
    ) async throws -> ServedFileResult
    /// Returns how many bytes are used and how many more may be; nil if that is not known.
    func quota() async throws -> (used: Int, available: Int)?
}

/// A file or folder.
package struct ServedFile: Hashable, Sendable {
    /// The last name of its path.
    package var name: String
    /// The id of what is stored.
    package var id: String
    /// Whether it is a folder.
    package var isFolder: Bool
    /// The hash of the content, without quotes; of a folder a text that changes with anything in it, or empty.
    package var etag: String
    /// The length of the content in bytes.
    package var length = 0
    /// The media type.
    package var mediaType = ""
    /// The time of the last change, in milliseconds since 1970 UTC.
    package var changedAt: Int64 = 0
    /// The time at which it was made.
    package var createdAt: Int64 = 0
    /// Whether it is made from something else, so that it is only read.
    package var isDerived = false
    /// Properties that programs made up, in XML, by names in the form `{namespace}name`.
    package var properties: [String: String] = [:]

    package init(_ name: String, id: String, isFolder: Bool, etag: String) {
        self.name = name
        self.id = id
        self.isFolder = isFolder
        self.etag = etag
    }
}

/// The content of a file at one moment.
package struct ServedContent: Sendable {
    /// The file.
    package let file: ServedFile
    /// Returns some of the bytes.
    package let read: @Sendable (Range<Int>) async throws -> [UInt8]
    /// Brings the bytes here from another machine before the first of them are read; nil where they are.
    package var prepare: (@Sendable () async throws -> Void)?

    package init(_ file: ServedFile, read: @escaping @Sendable (Range<Int>) async throws -> [UInt8]) {
        self.file = file
        self.read = read
    }

    /// A content that is in memory.
    package init(_ file: ServedFile, _ bytes: [UInt8]) {
        self.init(file) { range in Array(bytes[range.clamped(to: 0..<bytes.count)]) }
    }
}

/// What a device sends as the content of a file.
package enum ServedUpload: Sendable {
    case bytes([UInt8])
    /// A file that is there as long as the request.
    case file(path: String, size: Int)

    /// The number of bytes.
    package var size: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let size): size
        }
    }
}

/// A new content of a file from a device.
package struct ServedWrite: Sendable {
    /// The path.
    package var path: [String]
    /// The content.
    package var content: ServedUpload
    /// The media type as the device says it; empty if it does not.
    package var mediaType = ""
    /// The condition.
    package var condition = ServedCondition.always
    /// The version that the device was last given; nil if unknown.
    package var base: [UInt8]?
    /// The author.
    package var author: ServedAuthor

    package init(_ path: [String], _ content: ServedUpload, author: ServedAuthor) {
        self.path = path
        self.content = content
        self.author = author
    }
}

/// A file or folder that is moved or copied.
package struct ServedTransfer: Sendable {
    /// The path of what is there.
    package var source: [String]
    /// The path that it gets.
    package var target: [String]
    /// Whether the source stays.
    package var isCopy: Bool
    /// Whether what is in a folder comes with it; always when it is moved.
    package var isDeep = true
    /// Whether what is at the target is replaced.
    package var overwrites = true
    /// The version that the device was last given of the file at the target; nil if unknown.
    package var base: [UInt8]?
    /// The author.
    package var author: ServedAuthor

    package init(from source: [String], to target: [String], isCopy: Bool, author: ServedAuthor) {
        self.source = source
        self.target = target
        self.isCopy = isCopy
        self.author = author
    }
}

/// What became of a change of a file.
package enum ServedFileResult: Hashable, Sendable {
    /// It was done. `etag` is that of the content if it is stored as it was sent; else empty.
    case done(isNew: Bool, etag: String)
    /// Only a part was done: the paths of the others and the status of each.
    case partial([ServedFileFailure])
    /// Nothing is at the path.
    case missing
    /// The folder around the path does not exist.
    case noParent
    /// Something is at the path already that does not give way.
    case exists
    /// The condition does not hold; the etag of what is there, if anything.
    case refused(String?)
    /// It may not be done; the reason in words.
    case forbidden(String)
    /// There is not enough room.
    case noRoom
}

/// A file of which a change was refused, while others were changed.
package struct ServedFileFailure: Hashable, Sendable {
    /// The path.
    package let path: [String]
    /// The status of HTTP.
    package let status: Int

    package init(_ path: [String], _ status: Int) {
        self.path = path
        self.status = status
    }
}
