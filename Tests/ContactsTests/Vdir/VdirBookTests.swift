import ContactsDomain
import Glibc
import HubKitTesting
import Sync
import System
import TestSupport
import Testing

@testable import Contacts

@Suite struct VdirBookTests {
    private let folder: TemporaryFolder
    private let book: VdirBook

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        book = VdirBook(path: folder.path) { SystemClock().now }
    }

    private func card(_ name: String, uid: String? = nil, end: String = "\r\n") -> String {
        (["BEGIN:VCARD", "VERSION:3.0"] + (uid.map { ["UID:\($0)"] } ?? []) + [
            "FN:\(name)", "N:\(name);;;;", "END:VCARD",
        ])
        .map { $0 + end }.joined()
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func entries() async throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try await book.changes(since: nil).entries.map { ($0.href, $0.etag) })
    }

    private func etag(_ href: String) async throws -> String { try #require(try await entries()[href]) }

    @Test func `cards are listed and other files are not`() async throws {
        try folder.write(card("Ada", uid: "1"), to: "ada.vcf")
        try folder.write(card("Bob"), to: "bob.vcf")
        for name in ["x.tmp", ".hidden.vcf", "displayname", "notes.txt", "README"] { try folder.write("x", to: name) }
        try Directory.make(folder.path + "/inner.vcf")
        let listed = try await book.changes(since: nil)
        #expect(listed.isComplete && listed.token == nil && listed.removed.isEmpty)
        #expect(listed.entries.map(\.href) == ["ada.vcf", "bob.vcf"])
        #expect(book.notices() == ["\(folder.path)/inner.vcf is not a regular file; skipped"])
        let fetched = try await book.fetch(["bob.vcf", "gone.vcf", "ada.vcf"])
        #expect(fetched.map(\.href) == ["bob.vcf", "ada.vcf"])
        #expect(fetched[0].bytes == bytes(card("Bob")))
        #expect(fetched.map(\.etag) == [listed.entries[1].etag, listed.entries[0].etag])
    }

    @Test func `a new card gets a file of its own, whatever its name is`() async throws {
        let names = ["1f3a", "../../etc/passwd", "", ".vcf", "a/b", "żółw", String(repeating: "x", count: 500)]
        for name in names {
            guard case .stored(let href, let etag?) = try await book.create(bytes(card("New", uid: name)), name: name)
            else { throw HubError(.internal, code: "test", "\(name) was not stored") }
            #expect(try await self.etag(href) == etag)
        }
        #expect(folder.names().count == names.count && folder.names().allSatisfy { $0.hasSuffix(".vcf") })
        #expect(folder.names().contains("1f3a.vcf") && folder.names().contains("żółw.vcf"))
        #expect(try SystemFile.mode(folder.path + "/1f3a.vcf") == 0o600)
    }

    @Test func `an existing file is not replaced, and the same card in it is reported`() async throws {
        try folder.write(card("Ada", uid: "1"), to: "1.vcf")
        try folder.write(card("Somebody else", uid: "other"), to: "2.vcf")
        #expect(try await book.create(bytes(card("Ada L", uid: "1")), name: "1") == .uidTaken(href: "1.vcf"))
        #expect(try await book.create(bytes(card("Bob", uid: "2")), name: "2") == .nameTaken(href: "2.vcf"))
        try folder.write("half-saved", to: "3.vcf")
        #expect(try await book.create(bytes(card("Cid", uid: "3")), name: "3") == .nameTaken(href: "3.vcf"))
        try folder.write(card("Dan", uid: "5") + card("Eve", uid: "4"), to: "4.vcf")
        guard case .uidTaken(let href?) = try await book.create(bytes(card("Eve L", uid: "4")), name: "4") else {
            throw HubError(.internal, code: "test", "stored a second time")
        }
        #expect(try await book.fetch([href]).map { Card($0.bytes).details.formattedName } == ["Eve"])
        #expect(folder.names().count == 4)
        #expect(folder.read("2.vcf") == card("Somebody else", uid: "other"))
    }

    @Test(arguments: ["\n", "\r\n"])
    func `an update keeps name, mode and line ends`(end: String) async throws {
        try folder.write(card("Ada", uid: "1", end: end), to: "Ada L.vcf")
        chmod(folder.path + "/Ada L.vcf", 0o640)
        let answer = try await book.update(
            "Ada L.vcf", to: bytes(card("Ada Lovelace", uid: "1")), ifMatch: try await etag("Ada L.vcf"))
        #expect(answer == .stored(href: "Ada L.vcf", etag: try await etag("Ada L.vcf")))
        #expect(folder.read("Ada L.vcf") == card("Ada Lovelace", uid: "1", end: end))
        #expect(try SystemFile.mode(folder.path + "/Ada L.vcf") == 0o640)
        #expect(folder.names() == ["Ada L.vcf"])
    }

    @Test func `concurrent changes and removals are preserved`() async throws {
        try folder.write(card("Ada", uid: "1"), to: "ada.vcf")
        let old = try await etag("ada.vcf")
        try folder.write(card("Ada B", uid: "1"), to: "ada.vcf")
        let mine = bytes(card("Ada C", uid: "1"))
        #expect(try await book.update("ada.vcf", to: mine, ifMatch: old) == .changedMeanwhile)
        #expect(try await book.remove("ada.vcf", ifMatch: old) == .changedMeanwhile)
        #expect(folder.read("ada.vcf") == card("Ada B", uid: "1"))
        try folder.remove("ada.vcf")
        #expect(try await book.update("ada.vcf", to: mine, ifMatch: old) == .gone)
        #expect(try await book.remove("ada.vcf", ifMatch: old) == .gone)
        #expect(folder.names().isEmpty)
    }

    @Test func `a card is removed with its file`() async throws {
        try folder.write(card("Ada"), to: "ada.vcf")
        #expect(try await book.remove("ada.vcf", ifMatch: try await etag("ada.vcf")) == .gone)
        #expect(folder.names().isEmpty)
    }

    @Test func `the state changes with every change and rests when nothing does`() async throws {
        // Two clocks that stand still: by one every file was changed a moment ago, by the other all have settled.
        let old = VdirBook(path: folder.path) { SystemClock().now + .seconds(3600) }
        let book = VdirBook(path: folder.path) { Instant(milliseconds: 0) }
        var seen: Set<String> = [try #require(try await old.state())]
        #expect(try await book.state() == seen.first)
        // The files are made before, so that no two of them are the same to the system, however coarse its clock is.
        let texts = ["Ada", "Adb", "Adc", "Ada"]
        for (number, text) in texts.enumerated() { try folder.write(card(text), to: "\(number).tmp") }
        for number in texts.indices {
            #expect(rename("\(folder.path)/\(number).tmp", "\(folder.path)/ada.vcf") == 0)
            let (young, settled) = (try #require(try await book.state()), try #require(try await old.state()))
            #expect(try await book.state() == young)
            #expect(try await old.state() == settled)
            #expect(seen.insert(settled).inserted)
        }
        try folder.remove("ada.vcf")
        #expect(seen.contains(try #require(try await old.state())))
        try folder.write("x", to: "notes.txt")
        #expect(seen.contains(try #require(try await old.state())))
    }

    @Test func `a change within the clock's grain is seen by its content`() async throws {
        // A fixed clock: every file was changed a moment ago.
        let young = VdirBook(path: folder.path) { Instant(milliseconds: 0) }
        try folder.write(card("Ada"), to: "ada.vcf")
        let before = try await young.state()
        try SystemFile.overwrite(folder.path + "/ada.vcf", card("Adb"), keepingTimes: true)
        #expect(try await young.state() != before)
        #expect(try await young.state() == young.state())
    }

    @Test func `each card of a file with several has a place, and the others keep their bytes`() async throws {
        let text = "junk\n" + card("Ada", uid: "a#1") + "\n" + card("Bob", uid: "b", end: "\n") + card("Nobody")
        try folder.write(text, to: "all.vcf")
        let listed = try await entries()
        #expect(listed.count == 3 && listed["all.vcf"] == nil)
        #expect(book.notices().count == 1)
        let cards = try await book.fetch(listed.keys.sorted())
        #expect(
            Set(cards.map { String(decoding: $0.bytes, as: UTF8.self) }) == [
                card("Ada", uid: "a#1"), card("Bob", uid: "b", end: "\n"), card("Nobody"),
            ])
        let answer = try await book.update(
            "all.vcf#b", to: bytes(card("Bob B", uid: "b")), ifMatch: try #require(listed["all.vcf#b"]))
        #expect(answer == .stored(href: "all.vcf#b", etag: try await etag("all.vcf#b")))
        #expect(folder.read("all.vcf") == text.replacing("Bob", with: "Bob B"))
        #expect(try await book.remove("all.vcf#a%231", ifMatch: try await etag("all.vcf#a%231")) == .gone)
        #expect(folder.read("all.vcf") == "junk\n\n" + card("Bob B", uid: "b", end: "\n") + card("Nobody"))
        #expect(try await book.remove("all.vcf#b", ifMatch: try await etag("all.vcf#b")) == .gone)
        // The last one is the file.
        #expect(try await Array(entries().keys) == ["all.vcf"])
    }

    @Test func `a card that is none is listed as it is`() async throws {
        try folder.write("BEGIN:VCARD\nFN:half", to: "half.vcf")
        try folder.write("", to: "empty.vcf")
        #expect(try await entries().keys.sorted() == ["empty.vcf", "half.vcf"])
        #expect(try await book.fetch(["half.vcf"]).map(\.bytes) == [bytes("BEGIN:VCARD\nFN:half")])
    }

    @Test func `a link leads to its card and stays a link`() async throws {
        try folder.write(card("Ada", uid: "1"), to: ".store/real.vcf")
        symlink(".store/real.vcf", folder.path + "/ada.vcf")
        let answer = try await book.update(
            "ada.vcf", to: bytes(card("Ada L", uid: "1")), ifMatch: try await etag("ada.vcf"))
        #expect(answer == .stored(href: "ada.vcf", etag: try await etag("ada.vcf")))
        #expect(folder.read(".store/real.vcf") == card("Ada L", uid: "1"))
        #expect(folder.names(in: ".store") == ["real.vcf"])
        #expect(try SystemFile.isLink(folder.path + "/ada.vcf"))
        #expect(try await book.remove("ada.vcf", ifMatch: try await etag("ada.vcf")) == .gone)
        #expect(folder.read(".store/real.vcf") == card("Ada L", uid: "1"))
    }

    @Test func `nothing is written outside of the folder, wherever a link leads`() async throws {
        let elsewhere = try TemporaryFolder()
        try elsewhere.write(card("Ada", uid: "1"), to: "real.vcf")
        symlink(elsewhere.path + "/real.vcf", folder.path + "/ada.vcf")
        symlink(elsewhere.path + "/new.vcf", folder.path + "/bob.vcf")
        let mine = bytes(card("Ada L", uid: "1"))
        for name in ["ada.vcf", "bob.vcf"] {
            let etag = try await entries()[name] ?? ""
            guard case .refused(.notAllowed) = try await book.update(name, to: mine, ifMatch: etag) else {
                Issue.record("\(name) was written")
                return
            }
        }
        #expect(elsewhere.names() == ["real.vcf"] && elsewhere.read("real.vcf") == card("Ada", uid: "1"))
        #expect(try await book.remove("ada.vcf", ifMatch: try await etag("ada.vcf")) == .gone)
        #expect(elsewhere.read("real.vcf") == card("Ada", uid: "1"))
    }

    @Test func `a file that is not a card is never replaced or removed, whatever the etag`() async throws {
        try folder.write("my half-saved text, 3 pages", to: "ada.vcf")
        try folder.write("export PATH", to: ".rc")
        symlink(".rc", folder.path + "/bob.vcf")
        for name in ["ada.vcf", "bob.vcf"] {
            let etag = try await self.etag(name)
            #expect(try await book.update(name, to: bytes(card("Ada")), ifMatch: etag) == .changedMeanwhile)
            #expect(try await book.remove(name, ifMatch: etag) == .changedMeanwhile)
        }
        #expect(folder.read("ada.vcf") == "my half-saved text, 3 pages" && folder.read(".rc") == "export PATH")
    }

    @Test func `a file that may not be read or is a folder concerns itself alone`() async throws {
        try folder.write(card("Ada"), to: "ada.vcf")
        try Directory.make(folder.path + "/inner.vcf")
        symlink(folder.path + "/loop.vcf", folder.path + "/loop.vcf")
        let fetched = try await book.fetch(["inner.vcf", "loop.vcf", "ada.vcf"])
        #expect(fetched.map { $0.failure == nil } == [false, false, true])
        for name in ["inner.vcf", "loop.vcf"] {
            guard case .refused = try await book.update(name, to: bytes(card("Ada")), ifMatch: "1"),
                case .refused = try await book.remove(name, ifMatch: "1")
            else {
                Issue.record("\(name) was changed")
                return
            }
        }
    }

    @Test func `while a card cannot be read nothing counts as removed`() async throws {
        try folder.write(card("Ada"), to: "ada.vcf")
        symlink(folder.path + "/nowhere.vcf", folder.path + "/bob.vcf")
        symlink(folder.path + "/loop.vcf", folder.path + "/loop.vcf")
        mkfifo(folder.path + "/pipe.vcf", 0o600)
        let listed = try await book.changes(since: nil)
        #expect(!listed.isComplete && listed.entries.map(\.href) == ["ada.vcf"])
        #expect(book.notices().count == 3)
        #expect(try await book.state() != nil)
    }

    @Test func `a file name that is not UTF-8 is preserved`() async throws {
        let name = FileName([0x61, 0xFF, 0x25, 0x2E, 0x76, 0x63, 0x66])
        let (path, ada) = (folder.path, bytes(card("Ada", uid: "1")))
        try await BackgroundThread.run { try DirectoryHandle(path).write(ada, new: name, mode: 0o600) }
        #expect(try await entries().keys.map(\.self) == ["a%FF%25.vcf"])
        let href = "a%FF%25.vcf"
        #expect(try await book.fetch([href]).count == 1)
        let answer = try await book.update(href, to: bytes(card("Ada L", uid: "1")), ifMatch: try await etag(href))
        #expect(answer == .stored(href: href, etag: try await etag(href)))
        #expect(try await BackgroundThread.run { try DirectoryHandle(path).names() } == [name])
    }

    @Test(arguments: ["../x.vcf", "a/b.vcf", "%2F", "%zz.vcf", "", "a.vcf%00"])
    func `a place outside the folder is no place`(href: String) async throws {
        #expect(try await book.fetch([href]).isEmpty)
        #expect(try await book.update(href, to: bytes(card("Ada")), ifMatch: "") == .gone)
        #expect(try await book.remove(href, ifMatch: "") == .gone)
    }

    @Test func `a missing folder is reported as such`() async throws {
        let away = VdirBook(path: folder.path + "/away") { SystemClock().now }
        await #expect(throws: RemoteError.notFound(reason: "\(folder.path)/away: No such file or directory")) {
            try await away.changes(since: nil)
        }
    }

    @Test func `temporary files of a killed process are reported`() async throws {
        try folder.write(card("Ada"), to: ".hub-1ab.tmp")
        #expect(try await book.changes(since: nil).entries.isEmpty)
        #expect(book.notices().count == 1)
    }

    /// Two programs change the same cards as fast as they can; neither loses its last write without an error.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `no writer loses a change to another`(seed: UInt64) async throws {
        for index in 0..<4 { try folder.write(card("start", uid: "\(index)"), to: "\(index).vcf") }
        let folder = folder
        let other = Task.detached {
            var random = SeededGenerator(seed: seed)
            var last: [Int: String] = [:]
            for round in 0..<150 {
                let index = Int.random(in: 0..<4, using: &random)
                let text = "BEGIN:VCARD\r\nUID:\(index)\r\nFN:other \(round)\r\nEND:VCARD\r\n"
                try folder.write(text, to: "\(index).vcf")
                last[index] = text
            }
            return last
        }
        var mine: [Int: Int] = [:]
        for round in 0..<150 {
            let index = round % 4
            guard let current = try await book.fetch(["\(index).vcf"]).first else { continue }
            let text = String(decoding: current.bytes, as: UTF8.self)
            let next = text.replacing("END:VCARD", with: "NOTE:mine \(round)\r\nEND:VCARD")
            if case .stored = try await book.update("\(index).vcf", to: bytes(next), ifMatch: current.etag) {
                mine[index] = round
            }
        }
        let last = try await other.value
        for index in 0..<4 {
            let text = try #require(folder.read("\(index).vcf"))
            // The other's last text is there, followed at most by our additions.
            if let last = last[index]?.replacing("END:VCARD\r\n", with: "") { #expect(text.hasPrefix(last)) }
            #expect(text.hasSuffix("END:VCARD\r\n"))
        }
        let cards = ["0.vcf", "1.vcf", "2.vcf", "3.vcf"]
        #expect(folder.names().filter(cards.contains) == cards)
        // When the other wrote twice while ours went in and out, both of its texts are kept; nothing else is left behind.
        for name in folder.names() where !cards.contains(name) {
            #expect(name.wholeMatch(of: /[0-3]-[0-9a-z]+\.vcf/) != nil)
            #expect(folder.read(name)?.contains("FN:other") == true)
        }
    }
}

/// File system helpers for the tests.
enum SystemFile {
    static func mode(_ path: String) throws -> UInt32 {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemError("stat \(path)") }
        return status.st_mode & 0o7777
    }

    static func isLink(_ path: String) throws -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw SystemError("lstat \(path)") }
        return status.st_mode & S_IFMT == S_IFLNK
    }

    /// Writes into the file itself, and with `keepingTimes` sets its times back.
    static func overwrite(_ path: String, _ text: String, keepingTimes: Bool) throws {
        var status = stat()
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw SystemError("open \(path)") }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else { throw SystemError("write \(path)") }
        if keepingTimes { futimens(descriptor, [status.st_atim, status.st_mtim]) }
    }
}
