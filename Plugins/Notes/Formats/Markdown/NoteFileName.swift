package import Text

/// The names of files and folders for notes.
///
/// They are safe on every system that a folder may be synced to. A title that a name cannot be is kept in the front matter.
package enum NoteFileName {
    /// The end of the names of notes.
    package static let suffix: ByteString = ".md"
    /// The longest name without its end, in UTF-8 bytes: file systems take 255.
    static let maximumLength = 200

    /// Returns the name for a title, without its end.
    package static func stem(_ title: String) -> String {
        var scalars = String.UnicodeScalarView()
        var length = 0
        for scalar in title.unicodeScalars {
            let safe: Unicode.Scalar
            switch scalar {
            case "/", "\\", ":", "*", "?", "\"", "<", ">", "|": safe = "-"
            case _ where scalar.value < 32 || (0x7F..<0xA0).contains(scalar.value): safe = " "
            default: safe = scalar
            }
            length += String(safe).utf8.count
            if length > maximumLength { break }
            scalars.append(safe)
        }
        // A dot at the beginning hides a file; one at the end, or a blank, is dropped by some systems.
        while let first = scalars.first, first == "." || first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last == "." || last.properties.isWhitespace { scalars.removeLast() }
        let stem = String(scalars)
        if stem.isEmpty { return "Untitled" }
        return isReserved(stem) ? stem + "_" : stem
    }

    /// Returns a folder of a note with names that are safe; empty for the top one. It never leads out of it.
    package static func folder(_ folder: String) -> String {
        folder.unicodeScalars.split(separator: "/").map { String($0) }.filter { $0 != "." && $0 != ".." }.prefix(16)
            .map { stem($0) }.joined(separator: "/")
    }

    /// Returns the path for a note with this title; `isTaken` says of a path as ``key(_:)`` gives it whether it is in use.
    package static func path(title: String, folder: String, isTaken: (String) -> Bool) -> ByteString {
        path(stem: ByteString(stem(title)), in: ByteString(NoteFileName.folder(folder)), isTaken: isTaken)
    }

    /// Returns the path of the file `stem` in a folder, with a number if it is taken.
    package static func path(stem: ByteString, in folder: ByteString, isTaken: (String) -> Bool) -> ByteString {
        let start = folder.appending(stem)
        var path = start + suffix
        var number = 2
        while isTaken(key(path)) {
            path = start + " \(number)" + suffix
            number += 1
        }
        return path
    }

    /// Returns whether ``path(title:folder:isTaken:)`` may have given a file this stem: that of the title, maybe with a number.
    static func isStem(_ stem: ByteString, of title: String) -> Bool {
        let plain = ByteString(NoteFileName.stem(title))
        guard stem.hasPrefix(plain) else { return false }
        let rest = stem.bytes.dropFirst(plain.bytes.count)
        return rest.isEmpty
            || (rest.count > 1 && rest.first == 0x20
                && rest.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    }

    /// Returns the form in which two paths are the same file on some system: without case, and in any Unicode form, since
    /// strings are equal in all of them.
    package static func key(_ path: ByteString) -> String { path.repairedText.lowercased() }

    /// Returns the title and folder that a path says.
    package static func parts(_ path: ByteString) -> (title: String, folder: String) {
        (stem(of: path).repairedText, path.parent.repairedText)
    }

    /// Returns the name of a file without its end.
    package static func stem(of path: ByteString) -> ByteString {
        let name = path.lastName
        return isMarkdown(name) ? ByteString(name.bytes.dropLast(suffix.bytes.count)) : name
    }

    /// Whether a name without its end can be that of a note's file: it is neither hidden nor a path, nor too long.
    static func isUsable(stem: ByteString) -> Bool {
        !stem.isEmpty && stem.bytes.count <= 255 - suffix.bytes.count && stem.bytes.first != UInt8(ascii: ".")
            && !stem.bytes.contains(UInt8(ascii: "/")) && !stem.bytes.contains(0)
    }

    private static func isMarkdown(_ name: ByteString) -> Bool {
        // No other letters than those of ASCII become an m or a d in lower case.
        name.bytes.suffix(suffix.bytes.count).elementsEqual(suffix.bytes) { $0 == $1 || $0 | 0x20 == $1 && $1 != 0x2E }
    }

    /// Whether a path is that of a note: a Markdown file, neither hidden nor in a hidden folder, such as `.git`.
    package static func isNote(_ path: ByteString) -> Bool {
        guard isMarkdown(path) else { return false }
        var (depth, length) = (1, 0)
        for byte in path.bytes {
            if byte == UInt8(ascii: "/") {
                (depth, length) = (depth + 1, 0)
            } else {
                if length == 0, byte == UInt8(ascii: ".") { return false }
                length += 1
            }
        }
        return depth <= 17 && length > suffix.bytes.count
    }

    /// Whether Windows keeps the name for a device.
    private static func isReserved(_ stem: String) -> Bool {
        let name = stem.prefix { $0 != "." }.lowercased()
        return ["con", "prn", "aux", "nul"].contains(name)
            || (name.count == 4 && (name.hasPrefix("com") || name.hasPrefix("lpt")) && name.last?.isNumber == true)
    }
}

/// Gives the files of one folder their names, one after the other: of equal names the later ones get a number.
package struct FileNameSequence: Sendable {
    private var taken: Set<String> = []
    /// The next number of a name that several files have, so that each costs one look and not as many as there are.
    private var numbers: [String: Int] = [:]

    package init() {}

    /// Gives the next file its name.
    package mutating func next(_ stem: ByteString) -> String {
        let plain = stem + NoteFileName.suffix
        let plainKey = NoteFileName.key(plain)
        if taken.insert(plainKey).inserted { return plain.repairedText }
        var number = numbers[plainKey] ?? 2
        while true {
            let path = stem + " \(number)" + NoteFileName.suffix
            number += 1
            if taken.insert(NoteFileName.key(path)).inserted {
                numbers[plainKey] = number
                return path.repairedText
            }
        }
    }
}
