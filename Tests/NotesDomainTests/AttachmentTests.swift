import NotesDomain
import TestSupport
import Testing
import Text

/// The files of notes: their paths, links and the decisions of the mirrored folder.
struct AttachmentTests {
    @Test func `a path leads into the folder, is not hidden and not that of a note`() {
        let paths: [(ByteString, ByteString)] = [
            ("a/b.png", "a/b.png"), ("../../etc/passwd", "Untitled/Untitled/etc/passwd"), ("/a//b", "a/b"),
            ("", "Untitled"),
            (".git/config", "git/config"), ("x/.png", "x/png"), ("note.MD", "note.MD.txt"), ("a\u{0}b", "a b"),
        ]
        for (path, safe) in paths {
            #expect(Attachment.safePath(path) == safe)
            #expect(Attachment.safePath(safe) == safe)
        }
        let bytes = ByteString([0x61, 0xE9, 0x2F, 0xFF])
        #expect(Attachment.safePath(bytes) == bytes)
    }

    @Test func `a taken name gets a number before its end`() {
        #expect(Attachment.freePath("a/b.png") { $0 == "a/b.png" } == "a/b 2.png")
        #expect(Attachment.freePath("a/b") { ["a/b", "a/b 2"].contains($0) } == "a/b 3")
        #expect(Attachment.freePath("a.b/.c") { $0 == "a.b/.c" } == "a.b/.c 2")
    }

    @Test func `attachments are found from wherever their note is`() {
        let links = AttachmentLinks([
            ("attachments/p.png", nil), ("trips/p.png", nil), ("attachments/x y.pdf", nil),
            ("attachments/j.png", ":/abc"),
        ])
        #expect(links.index(of: "../attachments/p.png", in: "trips") == 0)
        #expect(links.index(of: "../attachments/p.png", in: "") == 0, "the note was moved")
        #expect(links.index(of: "p.png", in: "trips") == 1)
        #expect(links.index(of: "x%20y.pdf", in: "") == 2)
        #expect(links.index(of: ":/abc", in: "") == 3)
        #expect(links.index(of: "q.png", in: "") == nil)
        #expect(links.linked(in: "![](p.png) [[x y.pdf|paper]] `no`", of: "") == [1, 2])
    }

    @Test func `paths between folders`() {
        #expect(MarkdownTargets.relative("a/b/c.png", from: "a/d") == "../b/c.png")
        #expect(MarkdownTargets.relative("c.png", from: "") == "c.png")
        #expect(MarkdownTargets.relative("a/c.png", from: "a") == "c.png")
        #expect(MarkdownTargets.relative("a", from: "a") == "../a")
    }

    /// All outcomes: a file is replaced only over the content that both sides last had, and no content is dropped.
    @Test func `the mirror keeps every content`() {
        typealias Mirror = AttachmentMirror
        let all = ["x", "y", "z"]
        for common in [nil, "x"] {
            for file in [Mirror.File.missing, .unreadable, .content("x"), .content("y")] {
                for first in all {
                    for second in all + [""] {
                        var attachments = [(note: "1", hash: first)]
                        if !second.isEmpty { attachments.append((note: "2", hash: second)) }
                        check(
                            Mirror.actions(common: common, file: file, attachments: attachments), common, file,
                            attachments)
                    }
                }
            }
        }
        #expect(Mirror.actions(common: nil, file: .missing, attachments: []) == [.forget])
        #expect(
            Mirror.actions(common: nil, file: .content("x"), attachments: []).isEmpty, "a file that no note links to")
    }

    private func check(
        _ actions: [AttachmentMirror.Action], _ common: String?, _ file: AttachmentMirror.File,
        _ attachments: [(note: String, hash: String)]
    ) {
        let words = "\(String(describing: common)) \(file) \(attachments): \(actions)"
        var hashes = Dictionary(uniqueKeysWithValues: attachments.map { ($0.note, $0.hash) })
        var content: String? = if case .content(let hash) = file { hash } else { nil }
        var moved: Set<String> = []
        for action in actions {
            switch action {
            case .record(let hash): #expect(content == hash, "\(words)")
            case .take(let hash, let notes):
                #expect(content == hash && notes.allSatisfy { hashes[$0] == common }, "\(words)")
                for note in notes { hashes[note] = hash }
            case .share(let hash, let notes):
                #expect(notes.allSatisfy { hashes[$0] == common }, "\(words)")
                for note in notes { hashes[note] = hash }
            case .write(let hash, let replaced):
                #expect(replaced == content && (replaced == nil || replaced == common), "\(words)")
                content = hash
            case .relocate(let notes): moved.formUnion(notes)
            case .remove(let notes):
                #expect(file == .missing && notes.allSatisfy { hashes[$0] == common }, "\(words)")
                for note in notes { hashes[note] = nil }
            case .forget: Issue.record("\(words)")
            }
        }
        // Afterwards every note that stays at the path has the content of the file.
        if file != .unreadable {
            #expect(hashes.allSatisfy { moved.contains($0.key) || $0.value == content }, "\(words)")
        }
    }
}
