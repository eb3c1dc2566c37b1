package import Text

/// Where the content of a file is.
package enum FileContent: Hashable, Sendable {
    /// Here.
    case bytes([UInt8])
    /// In the folder that is imported, at this path.
    case file(ByteString)
    /// In the store of blobs, under this hash.
    case blob(String)

    /// The bytes that are here; none for those elsewhere.
    package var bytes: [UInt8] { if case .bytes(let bytes) = self { bytes } else { [] } }
}

/// A file that belongs to a note, such as a picture.
package struct Attachment: Hashable, Sendable {
    /// The path from the top folder of all notes, as in a folder of Markdown files.
    package var path: ByteString
    /// The content.
    package var content: FileContent
    /// The target in the note's text that leads to it, where its path does not say so; otherwise nil.
    package var link: String?

    /// The folder for attachments that come without one.
    package static let folder: ByteString = "attachments"

    package init(path: ByteString, content: FileContent, link: String? = nil) {
        self.path = path
        self.content = content
        self.link = link
    }

    /// The name without a folder.
    package var name: String { path.lastName.repairedText }

    /// The bytes, if they are here.
    package var bytes: [UInt8] { content.bytes }

    /// Returns a path that is safe in every folder: no name leads out of it, is hidden or too long, and it is not that of a note.
    /// The path of a file that is listed in a folder is safe as it is.
    package static func safePath(_ path: ByteString) -> ByteString {
        let names = path.bytes.split(separator: UInt8(ascii: "/")).suffix(maximumDepth).map { ByteString($0) }
        let safe = names.reduce(ByteString([])) { path, name in
            path.appending(isSafe(name) ? name : ByteString(NoteFileName.stem(name.repairedText)))
        }
        if safe.isEmpty { return ByteString(NoteFileName.stem("")) }
        return NoteFileName.isNote("x" + safe.lastName) ? safe + ".txt" : safe
    }

    /// The most names in a path.
    private static let maximumDepth = 17

    private static func isSafe(_ name: ByteString) -> Bool {
        name.bytes.count <= 255 && name.bytes.first != UInt8(ascii: ".") && !name.bytes.contains(0)
    }

    /// Returns the path, or if it is taken the first with a number before the end of its name; `isTaken` says it of a path as
    /// ``NoteFileName/key(_:)`` gives it.
    package static func freePath(_ path: ByteString, isTaken: (String) -> Bool) -> ByteString {
        guard isTaken(NoteFileName.key(path)) else { return path }
        let name = path.lastName.bytes
        let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? name.endIndex
        var number = 2
        while true {
            let next = path.parent.appending(ByteString(name[..<dot] + Array(" \(number)".utf8) + name[dot...]))
            if !isTaken(NoteFileName.key(next)) { return next }
            number += 1
        }
    }
}
