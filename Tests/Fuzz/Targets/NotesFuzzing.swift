import NotesDomain
import Text
import TextCRDT

/// What Notes reads from outside: Markdown files, archives, frames of clients and servers, and logs of edits.
enum NotesFuzzing {
    static func markdown(_ input: [UInt8]) -> String? {
        guard var file = MarkdownFile(input) else { return nil }
        guard file.text.utf8.elementsEqual(input) else { return "a file is written as it was read" }
        let content = file.content
        let isReadable = file.frontMatter?.unreadableKeys.isEmpty ?? true
        file.update {
            $0.set(.title, "A: \"b\"")
            $0.set(.tags, ["x", "y, z"])
        }
        guard isReadable else { return nil }
        let again = MarkdownFile(text: file.text)
        guard again.frontMatter?[.title] == "A: \"b\"", again.frontMatter?.list(.tags) == ["x", "y, z"] else {
            return "keys are read as they were set"
        }
        guard again.content.utf8.elementsEqual(content.utf8) else { return "front matter leaves the text alone" }
        _ = WikiLink.links(in: content)
        return nil
    }

    static func archive(_ input: [UInt8]) -> String? {
        let files = TarReader.read(input).files
        for format in [NoteFormat.jex, .enex, .simplenote, .standardNotes, .notion] {
            _ = format.read([PortableFile("x", input)])
        }
        let short = files.filter { !$0.path.isEmpty && $0.path.bytes.count <= 100 && !$0.path.bytes.contains(0) }
        guard let written = try? TarWriter.write(short), TarReader.read(written).files == short else {
            return "files are read as they were written"
        }
        return nil
    }

    static func frame(_ input: [UInt8]) -> String? {
        let text = String(decoding: input, as: UTF8.self)
        if let frame = try? ClientFrame(text), (try? ClientFrame(frame.text)) != frame {
            return "a client's frame is read as it was written"
        }
        if let frame = try? ServerFrame(text), (try? ServerFrame(frame.text)) != frame {
            return "a server's frame is read as it was written"
        }
        if let event = try? NoteAppEvent(fromClient: input), (try? NoteAppEvent(fromClient: event.text.utf8)) != event {
            return "an event is read as it was written"
        }
        return nil
    }

    static func log(_ input: [UInt8]) -> String? {
        guard let text = try? ReplicatedText(decoding: input) else { return nil }
        guard let again = try? ReplicatedText(decoding: text.encoded()), again.text == text.text,
            again.version == text.version
        else { return "a history is read as it was written" }
        guard text.authors().reduce(0, { $0 + $1.count }) == text.count else { return "each scalar has an author" }
        return nil
    }

    /// The answers of a NoteApp server, the bodies that its clients send, and hub's own JSON.
    static func noteApp(_ input: [UInt8]) -> String? {
        _ = (NoteAppListing(input), try? NoteAppNote.list(input), NoteAppReply.insertedID(input))
        if let invitation = Invitation(String(decoding: input, as: UTF8.self)),
            Invitation(invitation.text) != invitation
        {
            return "an invitation is read as it was written"
        }
        _ = NoteAppRoute(method: "GET", target: String(decoding: input, as: UTF8.self))
        let json = "application/json"
        if let draft = try? NoteAppDraft(input, contentType: json, .create(caller: "ada")),
            let again = try? NoteAppDraft(
                draft.encoded(id: String(repeating: "a", count: 24)), contentType: json, .replace),
            again != draft
        {
            return "a note is read as it was sent"
        }
        // Names of tags and folders may be cleaned once.
        let once = written(NoteFormat.json.read([PortableFile("x.json", input)]).notes)
        guard written(once) == once else { return "notes are read as they were written" }
        return nil
    }

    private static func written(_ notes: [PortableNote]) -> [PortableNote] {
        ((try? NoteFormat.json.write(notes)).map { NoteFormat.json.read($0).notes }) ?? []
    }
}
