/// A name by which links lead to a note: its path, the end of it, its title, or an alias.
package struct LinkName: Hashable, Sendable {
    /// What it names; of several notes with one name, links prefer those that come first.
    package enum Kind: Int, Sendable {
        /// The path from the top folder.
        case path
        /// The file name, or the end of the path.
        case pathEnd
        case title
        /// An alias in the front matter.
        case alias
    }

    /// What it names.
    package let kind: Kind
    /// The name as it is written, without `.md`.
    package let text: String

    package init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// The form in which names are looked up; see ``key(_:)``.
    package var key: String { LinkName.key(text) }

    /// Returns the form in which names are looked up: without `.md`, case, accents, Unicode form and extra blanks.
    package static func key(_ name: String) -> String {
        let name = plain(name)
        guard name.utf8.contains(UInt8(ascii: "/")) else { return WikiLink.key(name) }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.map { WikiLink.key($0) }.joined(separator: "/")
    }

    /// Returns a name without `.md` and blanks around it.
    package static func plain(_ name: String) -> String {
        var name = name[...]
        if name.utf8.suffix(3).elementsEqual(".md".utf8, by: { $0 | 0x20 == $1 | 0x20 }), name.utf8.count > 3 {
            name = name.dropLast(3)
        }
        // A visible sign of ASCII needs no look into the tables of Unicode.
        while !name.utf8.first.isVisible, let first = name.first, first.isWhitespace { name.removeFirst() }
        while !name.utf8.last.isVisible, let last = name.last, last.isWhitespace { name.removeLast() }
        return String(name)
    }

    /// Returns the names of a note, each key once; `stem` is the name of its file, nil without one.
    package static func names(folder: String, stem: String?, title: String, aliases: [String]) -> [LinkName] {
        var names: [LinkName] = []
        if let stem, !stem.isEmpty {
            let parts = folder.split(separator: "/").map(String.init) + [stem]
            let path = parts.joined(separator: "/")
            names += [LinkName(.path, "/" + path), LinkName(.path, path)]
            names += parts.indices.dropFirst().map { LinkName(.pathEnd, parts[$0...].joined(separator: "/")) }
        }
        if !title.isEmpty { names.append(LinkName(.title, plain(title))) }
        names += aliases.map { LinkName(.alias, plain($0)) }
        var keys: Set<String> = [""]
        return names.filter { keys.insert($0.key).inserted }
    }
}

extension UInt8? {
    /// Whether the byte is a visible sign of ASCII.
    fileprivate var isVisible: Bool { map { (0x21...0x7E).contains($0) } ?? false }
}

/// A note that a link may lead to.
package struct LinkCandidate: Hashable, Sendable {
    /// The id of the note.
    package let note: String
    /// The name that the link has in common with it.
    package let name: LinkName
    /// The folder of the note.
    package let folder: String
    /// The place in the order of creation.
    package let order: Int

    package init(note: String, name: LinkName, folder: String, order: Int) {
        self.note = note
        self.name = name
        self.folder = folder
        self.order = order
    }
}

extension WikiLink {
    /// Returns the name that it looks for, in the text of a note in `folder`: a path that begins with `./` or `../` is one from the top
    /// folder, which begins with `/`. Empty for a link within the note.
    package func name(from folder: String) -> String {
        let parts = title.split(separator: "/")
        guard parts.first == "." || parts.first == ".." else { return title }
        var path = folder.split(separator: "/")
        for part in parts where part != "." {
            if part != ".." {
                path.append(part)
            } else if path.popLast() == nil {
                return parts.filter { $0 != "." && $0 != ".." }.joined(separator: "/")
            }
        }
        return "/" + path.joined(separator: "/")
    }

    /// Returns the note that it leads to from a note in `folder`, of those that have the name, as Obsidian does: the one whose path it
    /// is, else one in the same folder, else the one with the shortest path, the first of several in alphabetical order. Paths and file names come before titles, and those
    /// before aliases; a name with the same accents comes before all. A link of Markdown leads to the same folder first, as everywhere.
    package func best(of candidates: [LinkCandidate], from folder: String) -> LinkCandidate? {
        guard candidates.count > 1 else { return candidates.first }
        let wanted = LinkName.plain(name(from: folder)).lowercased()
        let parts = wanted.split(separator: "/").dropLast()
        let own = (folder.split(separator: "/").map { $0.lowercased() } + parts.map(String.init)).joined(separator: "/")
        func rank(_ candidate: LinkCandidate) -> [Int] {
            let isOwn = candidate.folder.lowercased() == own
            return [
                candidate.name.text.lowercased() == wanted ? 0 : 1, isMarkdown && isOwn ? 0 : 1,
                candidate.name.kind.rawValue, isOwn ? 0 : 1, candidate.folder.unicodeScalars.count,
            ]
        }
        return candidates.min { a, b in
            let (first, second) = (rank(a), rank(b))
            if first != second { return first.lexicographicallyPrecedes(second) }
            let (x, y) = (a.folder.lowercased(), b.folder.lowercased())
            return x == y ? a.order < b.order : x.unicodeScalars.lexicographicallyPrecedes(y.unicodeScalars)
        }
    }
}
