import CivilDate
import Hashing
import Text
import Time

/// Reads Evernote's export (ENEX): notes in ENML, which is a kind of HTML, and their files in base64.
enum EvernoteReader {
    /// Whether a document begins as an export.
    static func recognizes(_ start: ArraySlice<UInt8>) -> Bool {
        guard start.first == UInt8(ascii: "<") else { return false }
        var scanner = HTMLScanner(Array(start))
        while let token = scanner.next() {
            if case .open(let name, _, _) = token { return name == "en-export" }
        }
        return false
    }

    static func read(_ file: PortableFile) -> ImportedNotes {
        var reader = Reader(file: file)
        reader.read()
        return reader.imported
    }

    private struct Resource {
        var data: [UInt8] = []
        var type = ""
        var name = ""
        var hash = ""
    }

    private struct Source {
        var title = ""
        var content: [UInt8] = []
        var created = ""
        var updated = ""
        var tags: [String] = []
        var author = ""
        var url = ""
        var resources: [Resource] = []
        var tasks: [(title: String, isDone: Bool)] = []
    }

    private struct Reader {
        let file: PortableFile
        var imported = ImportedNotes()
        private var note: Source?
        private var resource: Resource?
        private var task: (title: String, isDone: Bool)?
        /// The open elements, with the text of each so far.
        private var open: [(name: String, text: [UInt8])] = []
        private var sources: [Source] = []
        private var encrypted = 0

        init(file: PortableFile) { self.file = file }

        mutating func read() {
            var scanner = HTMLScanner(file.bytes)
            while let token = scanner.next() {
                switch token {
                case .text(let range, let isRaw):
                    guard !open.isEmpty else { continue }
                    // The data of a file is long, and has no references.
                    let bytes =
                        isRaw || open.last?.name == "data"
                        ? scanner.raw(range) : Array(scanner.string(range, isRaw: false).utf8)[...]
                    open[open.count - 1].text += bytes
                case .open(let name, _, let isEmpty):
                    guard open.count < 32 else { continue }
                    begin(name)
                    open.append((name, []))
                    if isEmpty { close(name) }
                case .close(let name): close(name)
                }
            }
            finish()
        }

        private mutating func begin(_ name: String) {
            switch name {
            case "note": note = Source()
            case "resource": resource = Resource()
            case "task": task = ("", false)
            default: break
            }
        }

        private mutating func close(_ name: String) {
            guard let place = open.lastIndex(where: { $0.name == name }) else { return }
            let bytes = open[place].text
            open.removeSubrange(place...)
            let text = name == "data" || name == "content" ? "" : String(decoding: bytes, as: UTF8.self)
            let parent = open.last?.name
            switch (parent, name) {
            case ("note", "title"): note?.title = text
            case ("note", "content"): note?.content = bytes
            case ("note", "created"): note?.created = text
            case ("note", "updated"): note?.updated = text
            case ("note", "tag"): note?.tags.append(text)
            case ("note-attributes", "author"): note?.author = text
            case ("note-attributes", "source-url"): note?.url = text
            case ("resource", "data"):
                if let data = Base64.decode(bytes) {
                    resource?.data = data
                    do throws(HashingError) {
                        resource?.hash = try MD5.hexadecimal(data)
                    } catch {
                        // A name that no text has and no other file.
                        resource?.hash = "-\(imported.problems.count)"
                        imported.problems.append(
                            ImportProblem(
                                file.path,
                                "a file of \"\(note?.title ?? "")\" is not shown in its text: libcrypto failed"))
                    }
                } else {
                    imported.problems.append(
                        ImportProblem(file.path, "a file of \"\(note?.title ?? "")\" is not valid base64"))
                }
            case ("resource", "mime"): resource?.type = text
            case ("resource-attributes", "file-name"): resource?.name = text
            case ("task", "title"): task?.title = text
            case ("task", "taskstatus"): task?.isDone = text == "completed"
            case (_, "resource"):
                if let resource, !resource.data.isEmpty { note?.resources.append(resource) }
                resource = nil
            case (_, "task"):
                if let task, !task.title.isEmpty { note?.tasks.append(task) }
                task = nil
            case (_, "note"):
                if let note { sources.append(note) }
                note = nil
            default: break
            }
        }

        private mutating func finish() {
            if note != nil {
                imported.problems.append(ImportProblem(file.path, "ends in the middle of a note, which is left out"))
            }
            let titles = Set(sources.map(\.title))
            var seen: [String: Int] = [:]
            for source in sources {
                // A note has no id here: notes of one second with one title are counted.
                let identity = "evernote:\(source.created):\(source.title)"
                seen[identity, default: 0] += 1
                let count = seen[identity] ?? 1
                imported.notes.append(
                    portable(source, identity: count == 1 ? identity : "\(identity):\(count)", titles))
            }
            if encrypted > 0 {
                imported.remarks.append(
                    "\(NumberFormat.counted(encrypted, "encrypted text")) left out; decrypt in Evernote to import")
            }
        }

        private mutating func portable(_ source: Source, identity: String, _ titles: Set<String>) -> PortableNote {
            var attachments: [Attachment] = []
            var places: [String: ByteString] = [:]
            for resource in source.resources where places[resource.hash] == nil {
                let end = MediaType.ending(of: resource.type).map { ".\($0)" } ?? ""
                let name = resource.name.isEmpty ? String(resource.hash.prefix(8)) + end : resource.name
                let wanted = Attachment.folder.appending(
                    Attachment.safePath(ByteString(name.replacing("/", with: "-"))))
                let taken = Set(attachments.map { NoteFileName.key($0.path) })
                let path = Attachment.freePath(wanted) { taken.contains($0) }
                places[resource.hash] = path
                attachments.append(Attachment(path: path, content: .bytes(resource.data)))
            }
            var linked: Set<String> = []
            func link(_ hash: String) -> String? {
                guard let path = places[hash] else { return nil }
                linked.insert(hash)
                let type = source.resources.first { $0.hash == hash }?.type ?? ""
                let words = HTMLMarkdown.label(path.lastName.repairedText)
                return "\(type.hasPrefix("image/") ? "!" : "")[\(words)](\(MarkdownTargets.target(path)))"
            }
            encrypted += count("<en-crypt", in: source.content)
            var content = HTMLMarkdown.text(of: source.content) { name, attributes in
                name == "en-media" ? attributes["hash"].map { $0.lowercased() }.flatMap(link) : nil
            }
            content = withNoteLinks(content, titles)
            let rest = source.resources.map(\.hash).filter { !linked.contains($0) }.compactMap(link)
            let tasks = source.tasks.map { "- [\($0.isDone ? "x" : " ")] \($0.title)" }
            for part in [tasks, rest] where !part.isEmpty {
                content += (content.isEmpty ? "" : "\n") + part.joined(separator: "\n") + "\n"
            }
            var note = PortableNote(
                source: identity, title: source.title.split(whereSeparator: \.isNewline).joined(separator: " "),
                content: content, tags: NoteTag.changed([], adding: source.tags),
                createdAt: EvernoteReader.time(source.created),
                changedAt: EvernoteReader.time(source.updated) ?? EvernoteReader.time(source.created),
                attachments: attachments)
            let matter = [(key: "source", text: source.url), (key: "author", text: source.author)].filter {
                !$0.text.isEmpty
            }
            if !matter.isEmpty { note.frontMatter = FrontMatter(matter).text }
            return note
        }

        /// Links between notes have an id that is not in the export; their words are most often the title.
        private func withNoteLinks(_ text: String, _ titles: Set<String>) -> String {
            guard text.contains("](evernote:") else { return text }
            let bytes = Array(text.utf8)
            var result: [UInt8] = []
            var next = 0
            for range in MarkdownTargets.ranges(in: bytes) where range.lowerBound >= next + 2 {
                guard bytes[range].starts(with: "evernote:".utf8), range.upperBound < bytes.count,
                    let start = bytes[next..<range.lowerBound - 2].lastIndex(of: UInt8(ascii: "[")),
                    case let words = String(decoding: bytes[(start + 1)..<(range.lowerBound - 2)], as: UTF8.self),
                    titles.contains(words), !words.contains(where: { "]|#^".contains($0) })
                else { continue }
                result += bytes[next..<start] + Array("[[\(words)]]".utf8)
                next = range.upperBound + 1
            }
            return next == 0 ? text : String(decoding: result + bytes[next...], as: UTF8.self)
        }

        private func count(_ mark: String, in bytes: [UInt8]) -> Int {
            let mark = Array(mark.utf8)
            return bytes.indices.count { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }
        }
    }

    /// A time such as `20130730T205204Z`.
    private static func time(_ text: String) -> Instant? {
        let digits = Array(text.utf8)
        guard digits.count == 16, digits[8] == UInt8(ascii: "T"), digits[15] == UInt8(ascii: "Z") else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
        return Timestamp.read(
            "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z")
    }
}
