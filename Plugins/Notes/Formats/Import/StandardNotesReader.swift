import JSON
import Text
import Time

/// Reads a decrypted backup of Standard Notes: one JSON with all items.
enum StandardNotesReader {
    /// Tags inside each other beyond this are taken as one.
    private static let maximumDepth = 16

    /// Whether a path is that of the file with all items in the archive.
    static func isBackup(_ path: ByteString) -> Bool {
        path.lastName.repairedText == "Standard Notes Backup and Import File.txt"
    }

    static func recognizes(_ bytes: [UInt8]) -> Bool {
        guard let json = try? JSONReader.read(bytes, limits: .init(bytes: NoteFormat.maximumFile, depth: 64)),
            let first = json["items"]?.array?.first
        else { return false }
        return first["content_type"]?.string != nil && first["uuid"]?.string != nil
    }

    static func read(_ file: PortableFile) -> ImportedNotes {
        var imported = ImportedNotes()
        guard let json = imported.json(in: file, depth: 64) else { return imported }
        guard let items = json["items"]?.array else {
            imported.problems.append(ImportProblem(file.path, "is not a backup of Standard Notes: it has no items"))
            return imported
        }
        let notes = items.filter { $0["content_type"]?.string == "Note" && $0["deleted"]?.bool != true }
        let tags = items.filter { $0["content_type"]?.string == "Tag" && $0["content"]?.string == nil }
        let tagsOfNotes = tagsOfNotes(tags)
        var encrypted = 0
        for item in notes {
            guard let content = item["content"], content.string == nil else {
                encrypted += 1
                continue
            }
            imported.notes.append(note(item, content, tagsOfNotes[item["uuid"]?.string ?? ""] ?? []))
        }
        if encrypted > 0 {
            imported.problems.append(
                ImportProblem(
                    file.path,
                    "\(NumberFormat.counted(encrypted, "note")) encrypted; make a decrypted backup in Standard Notes"))
        }
        let files = items.count { $0["content_type"]?.string == "SN|File" }
        if files > 0 {
            imported.remarks.append(
                "\(NumberFormat.counted(files, "file")) left out, since a backup has only their names")
        }
        return imported
    }

    private static func note(_ item: JSONValue, _ content: JSONValue, _ tags: [String]) -> PortableNote {
        let state = content["appData"]?["org.standardnotes.sn"]
        let changed =
            state?["client_updated_at"]?.string.flatMap(Timestamp.read)
            ?? item["updated_at"]?.string.flatMap(Timestamp.read)
        let isTrashed = content["trashed"]?.bool == true
        let isArchived = state?["archived"]?.bool == true
        return PortableNote(
            source: item["uuid"]?.string.map { "standard-notes:" + $0 } ?? "",
            title: (content["title"]?.string ?? "").split(whereSeparator: \.isNewline).joined(separator: " "),
            content: text(content),
            tags: NoteTag.changed([], adding: tags.sorted() + (isArchived ? ["archived"] : [])),
            isPinned: state?["pinned"]?.bool ?? false, createdAt: item["created_at"]?.string.flatMap(Timestamp.read),
            changedAt: changed, deletedAt: isTrashed ? changed ?? Instant(milliseconds: 0) : nil)
    }

    /// The tags of each note; one inside of others has their names before it.
    private static func tagsOfNotes(_ tags: [JSONValue]) -> [String: [String]] {
        var byID: [String: JSONValue] = [:]
        for tag in tags {
            if let id = tag["uuid"]?.string { byID[id] = tag }
        }
        var result: [String: [String]] = [:]
        for tag in tags {
            var names: [String] = []
            var next: JSONValue? = tag
            while let current = next, names.count < maximumDepth {
                names.insert(current["content"]?["title"]?.string ?? "", at: 0)
                let parent = references(current).first { $0["content_type"]?.string == "Tag" }
                next = parent?["uuid"]?.string.flatMap { byID[$0] }
            }
            for reference in references(tag) where reference["content_type"]?.string == "Note" {
                if let note = reference["uuid"]?.string {
                    result[note, default: []].append(names.joined(separator: "/"))
                }
            }
        }
        return result
    }

    private static func references(_ item: JSONValue) -> [JSONValue] { item["content"]?["references"]?.array ?? [] }

    /// The text in Markdown: notes of the editors for formatted text have HTML, or a tree of JSON.
    private static func text(_ content: JSONValue) -> String {
        let text = content["text"]?.string ?? ""
        switch content["noteType"]?.string {
        case "rich-text": return HTMLMarkdown.text(of: Array(text.utf8))
        case "super":
            guard let root = try? JSONReader.read(Array(text.utf8), limits: .init(bytes: 64 << 20, depth: 200))["root"]
            else { return text }
            return blocks(root, "")
        default: return text
        }
    }

    /// The blocks of a node, each on lines that begin with `indent`.
    private static func blocks(_ node: JSONValue, _ indent: String) -> String {
        var result = ""
        for child in node["children"]?.array ?? [] {
            switch child["type"]?.string {
            case "heading":
                let level = child["tag"]?.string?.dropFirst().first?.wholeNumberValue ?? 1
                result += indent + String(repeating: "#", count: max(1, min(6, level))) + " " + words(child) + "\n\n"
            case "list":
                let isNumbered = child["listType"]?.string == "number"
                for (index, item) in (child["children"]?.array ?? []).enumerated() {
                    let inner = (item["children"]?.array ?? []).filter { $0["type"]?.string == "list" }
                    if inner.isEmpty {
                        let isTask = child["listType"]?.string == "check"
                        let box = isTask ? (item["checked"]?.bool == true ? "[x] " : "[ ] ") : ""
                        result += indent + (isNumbered ? "\(index + 1). " : "- ") + box + words(item) + "\n"
                    } else {
                        result += blocks(.object([.init(name: "children", value: .array(inner))]), indent + "  ")
                    }
                }
                if indent.isEmpty { result += "\n" }
            case "code": result += "```\n" + words(child) + "\n```\n\n"
            case "quote": result += "> " + words(child) + "\n\n"
            case "horizontalrule": result += "---\n\n"
            default:
                let text = words(child)
                result += text.isEmpty ? "" : indent + text + "\n\n"
            }
        }
        while indent.isEmpty, result.hasSuffix("\n\n") { result.removeLast() }
        return result
    }

    private static func words(_ node: JSONValue) -> String {
        if let text = node["text"]?.string {
            let format = node["format"]?.integer ?? 0
            let marks = [(1, "**"), (2, "*"), (4, "~~"), (16, "`")].filter { format & $0.0 != 0 }.map(\.1)
            return marks.joined() + text + marks.reversed().joined()
        }
        if node["type"]?.string == "linebreak" { return "\n" }
        let inner = (node["children"]?.array ?? []).map(words).joined()
        guard let url = node["url"]?.string else { return inner }
        return "[\(inner)](\(url))"
    }
}
