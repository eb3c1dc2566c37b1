/// The names of files and folders for notes.
///
/// They are safe on every system that a folder may be synced to. A title that a name cannot be is kept in the front matter.
package enum NoteFileName {
    /// The end of the names of notes.
    package static let suffix = ".md"
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

    /// Returns the path for a note that none of `taken` equals, which are as ``key(_:)`` gives them.
    package static func path(title: String, folder: String, taken: Set<String>) -> String {
        let folder = NoteFileName.folder(folder)
        let start = (folder.isEmpty ? "" : folder + "/") + stem(title)
        var path = start + suffix
        var number = 2
        while taken.contains(key(path)) {
            path = "\(start) \(number)\(suffix)"
            number += 1
        }
        return path
    }

    /// Returns the form in which two paths are the same file on some system: without case.
    package static func key(_ path: String) -> String { path.lowercased() }

    /// Returns the title and folder that a path says.
    package static func parts(_ path: String) -> (title: String, folder: String) {
        let scalars = path.unicodeScalars
        let slash = scalars.lastIndex(of: "/")
        let name = String(slash.map { scalars[scalars.index(after: $0)...] } ?? scalars[...])
        let title = isMarkdown(name) ? String(name.unicodeScalars.dropLast(suffix.unicodeScalars.count)) : name
        return (title, slash.map { String(scalars[..<$0]) } ?? "")
    }

    private static func isMarkdown(_ name: String) -> Bool {
        // No other letters than those of ASCII become an m or a d in lower case.
        name.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) { $0 == $1 || $0 | 0x20 == $1 && $1 != 0x2E }
    }

    /// Whether a path is that of a note: a Markdown file, neither hidden nor in a hidden folder, such as `.git`.
    package static func isNote(_ path: String) -> Bool {
        guard isMarkdown(path) else { return false }
        var (depth, length) = (1, 0)
        for byte in path.utf8 {
            if byte == UInt8(ascii: "/") {
                (depth, length) = (depth + 1, 0)
            } else {
                if length == 0, byte == UInt8(ascii: ".") { return false }
                length += 1
            }
        }
        return depth <= 17 && length > suffix.utf8.count
    }

    /// Whether Windows keeps the name for a device.
    private static func isReserved(_ stem: String) -> Bool {
        let name = stem.prefix { $0 != "." }.lowercased()
        return ["con", "prn", "aux", "nul"].contains(name)
            || (name.count == 4 && (name.hasPrefix("com") || name.hasPrefix("lpt")) && name.last?.isNumber == true)
    }
}
