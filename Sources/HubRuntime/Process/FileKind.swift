import Glibc
import System

/// The kind of a file by its first bytes, which is enough to decide whether another may replace it.
enum FileKind: Equatable {
    case empty
    /// A store or a backup of hub: an SQLite database with hub's application id.
    case hubDatabase
    /// Data with a well-known beginning: its format.
    case format(String)
    /// Lines with columns: the words of the first line, and how many tabs part it.
    case table(words: [String], tabs: Int)
    case unknown

    /// The number of bytes that are read.
    static let prefixLength = 4096

    private static let magic: [(bytes: [UInt8], name: String)] = [
        (Array("SQLite format 3\0".utf8), "sqlite"), (Array("PK\u{3}\u{4}".utf8), "zip"),
        ([0x89, 0x50, 0x4E, 0x47], "png"), ([0xFF, 0xD8, 0xFF], "jpeg"), (Array("%PDF".utf8), "pdf"),
        (Array("BEGIN:VCARD".utf8), "vcard"), (Array("BEGIN:VCALENDAR".utf8), "icalendar"),
        (Array("<svg".utf8), "svg"), (Array("<?xml".utf8), "xml"), (Array("<!DOCTYPE html".utf8), "html"),
        (Array("{".utf8), "json"), (Array("[".utf8), "json"),
    ]

    /// The kind of what begins with `bytes`.
    init(_ bytes: [UInt8]) {
        let text = Array(bytes.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) })
        // The application id of a database: four bytes at 68 (https://sqlite.org/fileformat2.html, 1.3).
        let own = Array("SQLite format 3\0".utf8)
        if bytes.isEmpty {
            self = .empty
        } else if bytes.starts(with: own), bytes.count >= 72, bytes[68..<72].elementsEqual("hub1".utf8) {
            self = .hubDatabase
        } else if let known = Self.magic.first(where: { text.starts(with: $0.bytes) }) {
            self = .format(known.name)
        } else if !bytes.contains(0), let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first {
            self = Self.table(line)
        } else {
            self = .unknown
        }
    }

    /// The kind of the file at `path`; nil when it cannot be read.
    init?(path: String) {
        let descriptor = FileName.withPath(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: Self.prefixLength)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count >= 0 else { return nil }
        self.init(Array(buffer[..<count]))
    }

    private static func table(_ line: some StringProtocol) -> FileKind {
        let words = line.split(whereSeparator: { $0.isWhitespace || $0 == "," || $0 == ";" }).map { $0.lowercased() }
        return .table(words: words, tabs: line.count { $0 == "\t" })
    }

    /// Whether a result of this kind may take the place of `existing` without a further word.
    func mayReplace(_ existing: FileKind) -> Bool {
        switch (self, existing) {
        case (_, .empty): true
        case (.hubDatabase, .hubDatabase): true
        case (.format(let new), .format(let old)): new == old
        case (.table(let words, let tabs), .table(let oldWords, let oldTabs)):
            words == oldWords || tabs > 0 && tabs == oldTabs
        default: false
        }
    }
}
