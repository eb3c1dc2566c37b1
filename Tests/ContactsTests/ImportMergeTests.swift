import Commands
import ContactsDomain
import Glibc
import HubKit
import Storage
import System
import TestSupport
import Testing

@testable import Contacts

/// Imports of existing contacts, and of unreadable files.
struct ImportMergeTests {
    private func card(_ lines: String..., uid: String? = "r1") -> String {
        (["BEGIN:VCARD", "VERSION:3.0"] + (uid.map { ["UID:\($0)"] } ?? []) + lines + ["END:VCARD", ""])
            .joined(separator: "\r\n")
    }

    private func details(_ book: ContactsFixture, _ name: String) async throws -> ContactDetails {
        let id = try #require(try await book.plugin.entities.resolve(name).first).id
        return try await book.plugin.entities.get(id).details
    }

    private func edit(
        _ book: ContactsFixture, _ name: String, _ change: @escaping @Sendable (inout ContactDetails) -> Void
    ) async throws {
        let id = try #require(try await book.plugin.entities.resolve(name).first).id
        _ = try await book.plugin.update(id, operation: book.operation()) { change(&$0) }
    }

    @Test func `what the file changed comes in, what was edited here stays`() async throws {
        let book = try ContactsFixture()
        let first = card("FN:Rev Test", "TEL:2", "EMAIL:a@x.example", "TITLE:Dr")
        let second = card("FN:Rev Test", "TEL:3", "TITLE:Prof", "NOTE:theirs", "X-OWN:1")
        try await book.importing(first)
        try await edit(book, "rev") { $0.note = "mine" }
        let planned = try await book.importing(second, isDryRun: true)
        let report = try await book.importing(second)
        #expect(report.counts == [.updated: 1] && planned.counts == report.counts)
        let words = ["phone 3, email removed, title Prof, custom X-OWN 1", "kept as edited here: note"]
        #expect(report.items.map(\.words) == [words] && planned.items.map(\.words) == [words])
        let merged = try await details(book, "rev")
        #expect(merged.note == "mine" && merged.title == "Prof" && merged.emails.isEmpty)
        #expect(merged.phones.map(\.value) == ["3"] && merged.others.map(\.name) == ["X-OWN"])
        for text in [second, first, second, first] { #expect(try await book.importing(text).counts == [.unchanged: 1]) }
        #expect(try await details(book, "rev") == merged)
        #expect(try await book.plugin.indexProblems() == [])
        #expect(try await book.database.history.undo(as: book.operation("undo")).isPossible)
        #expect(try await details(book, "rev").phones.map(\.value) == ["2"])
        #expect(try await details(book, "rev").note == "mine")
        #expect(try await book.importing(second).counts == [.updated: 1])
        #expect(try await details(book, "rev") == merged)
    }

    @Test func `an older state changes nothing, even in a new file`() async throws {
        let book = try ContactsFixture()
        try await book.importing(card("FN:Rev Test", "TEL:2", "REV:2024-01-01T00:00:00Z"))
        let old = card("FN:Rev Test", "TEL:1", "NOTE:old", "REV:20200101T000000Z")
        let report = try await book.importing(old)
        #expect(report.counts == [.unchanged: 1])
        #expect(report.notes == ["1 card older than the last import: ignored"])
        #expect(try await details(book, "rev").phones.map(\.value) == ["2"])
        #expect(try await details(book, "rev").note.isEmpty)
    }

    @Test func `where it is not known what was imported, values are added and none is removed`() async throws {
        let book = try ContactsFixture()
        let made = try await book.add("Rev Test")[0]
        try await edit(book, "rev") { $0.phones = [LabeledValue("1")] }
        let uid = try #require(try await book.plugin.entities.get(made.id).details.uidText)
        let report = try await book.importing(card("FN:Rev Tester", "TEL:2", uid: uid))
        #expect(report.counts == [.updated: 1])
        #expect(report.items[0].words.contains("nothing was removed: its earlier content is unknown"))
        #expect(try await details(book, "rev").phones.map(\.value) == ["1", "2"])
        #expect(try await details(book, "rev").formattedName == "Rev Test")
    }

    @Test func `a value that was removed here does not come back with a file that is known`() async throws {
        let book = try ContactsFixture()
        try await book.importing(card("FN:Rev Test"))
        try await edit(book, "rev") { $0.phones = [LabeledValue("5")] }
        let same = card("FN:Rev Test", "TEL:5")
        #expect(try await book.importing(same).counts == [.unchanged: 1])
        try await edit(book, "rev") { $0.phones = [] }
        #expect(try await book.importing(same).counts == [.unchanged: 1])
        #expect(try await details(book, "rev").phones.isEmpty)
    }

    @Test func `a contact comes back from the trash with what was edited here`() async throws {
        let book = try ContactsFixture()
        try await book.importing(card("FN:Rev Test", "TEL:1"))
        try await edit(book, "rev") { $0.note = "mine" }
        let id = try #require(try await book.plugin.entities.resolve("rev").first).id
        for text in [card("FN:Rev Test", "TEL:1"), card("FN:Rev Test", "TEL:2")] {
            _ = try await book.plugin.entities.delete([id], operation: book.operation())
            #expect(try await book.importing(text).counts == [.new: 1])
            #expect(try await details(book, "rev").note == "mine")
        }
        #expect(try await details(book, "rev").phones.map(\.value) == ["2"])
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test func `two people with one UID are two contacts, and stay the same two`() async throws {
        let book = try ContactsFixture()
        let text =
            card("FN:Rajiv Patel", uid: "dup") + card("FN:Snip AB", uid: "dup") + card("FN:Rajiv Patel", uid: "dup")
        #expect(try await book.importing(text, isDryRun: true).counts == [.new: 2, .unchanged: 1])
        let report = try await book.importing(text)
        #expect(report.counts == [.new: 2, .unchanged: 1])
        #expect(report.items[1].words == ["its UID belongs to Rajiv Patel, so it got a new one"])
        for _ in 0..<2 { #expect(try await book.importing(text).counts == [.unchanged: 3]) }
        #expect(try await book.plugin.filter(ContactFilter()).map(\.name).sorted() == ["Rajiv Patel", "Snip AB"])
        let later = card("FN:Snip AB", "TEL:7", uid: "dup") + card("FN:Rajiv Patel", "TEL:8", uid: "dup")
        #expect(try await book.importing(later).counts == [.updated: 2])
        #expect(try await details(book, "snip").phones.map(\.value) == ["7"])
        #expect(try await details(book, "rajiv").phones.map(\.value) == ["8"])
        let uids = [try await details(book, "snip").uidText, try await details(book, "rajiv").uidText]
        #expect(uids[0] != "dup" && uids[1] == "dup")
        var bytes: [UInt8] = []
        for try await chunk in book.plugin.exportCards() { bytes += chunk }
        let other = try ContactsFixture()
        #expect(try await other.importing(String(decoding: bytes, as: UTF8.self)).counts == [.new: 2])
        #expect(try await other.importing(later).counts == [.unchanged: 2])
    }

    @Test func `one person in two states is one contact, in one file and in two`() async throws {
        let book = try ContactsFixture()
        let text = card("FN:Ada Byron", "EMAIL:ada@x.example") + card("FN:Countess Lovelace", "EMAIL:ADA@x.example")
        #expect(try await book.importing(text).counts == [.new: 1, .updated: 1])
        #expect(try await book.importing(text).counts == [.unchanged: 2])
        #expect(try await book.importing(card("FN:Augusta")).counts == [.updated: 1])
        #expect(try await book.importing(card("FN:Somebody", "TEL:1")).counts == [.updated: 1])
        #expect(try await book.importing(card("FN:Another One", "EMAIL:z@x.example")).counts == [.new: 1])
        #expect(try await book.plugin.filter(ContactFilter()).count == 2)
    }

    @Test(arguments: [1, 2, 3])
    func `files in any states, imported again and again, come to rest`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let book = try ContactsFixture()
        let people = ["Ada Lovelace", "Jan Kowal", "Zoe Meyer", "Snip AB"]
        var files: [String] = []
        for _ in 0..<6 {
            files.append(
                (0..<8).map { _ in
                    let uid = Int.random(in: 1...3, using: &generator)
                    return card(
                        "X-SOURCE:\(uid)", "FN:\(people.randomElement(using: &generator)!)",
                        "TEL:\(Int.random(in: 1...3, using: &generator))",
                        "NOTE:\(Int.random(in: 1...3, using: &generator))",
                        uid: "\(uid)")
                }.joined())
        }
        for file in files {
            let planned = try await book.importing(file, isDryRun: true)
            #expect(try await book.importing(file).counts == planned.counts)
        }
        let before = try await book.plugin.filter(ContactFilter())
        for file in files { #expect(try await book.importing(file).counts == [.unchanged: 8]) }
        #expect(try await book.plugin.filter(ContactFilter()) == before)
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test func `each of several files is tried, and one undo takes back all of them`() async throws {
        let book = try ContactsFixture(.file)
        func file(_ name: String, _ text: String) -> ImportFile { ImportFile(name) { .text(text, name: name) } }
        let lost = ImportFile("lost.vcf") { throw HubError(.notFound, code: "gone", "cannot open lost.vcf") }
        let files = [
            lost, file("a.vcf", card("FN:Ada", uid: "1")), file("empty.vcf", ""),
            file("b.vcf", card("FN:Bea", uid: "2")),
        ]
        let reports = try await book.plugin.importCards(files, operation: book.operation("contacts import"))
        #expect(reports.map(\.counts) == [[:], [.new: 1], [:], [.new: 1]])
        #expect(reports.map { $0.failure?.code } == ["gone", nil, "no-cards", nil])
        #expect(try await book.database.history.operations(limit: 10).map(\.name) == ["contacts import"])
        #expect(try await book.database.history.undo(as: book.operation("undo")).isPossible)
        #expect(try await book.plugin.filter(ContactFilter()) == [])
        let error = await #expect(throws: HubError.self) {
            try await book.plugin.importCards([lost, file("empty.vcf", "")], operation: book.operation())
        }
        #expect(error?.code == "nothing-read" && error?.kind == .invalid)
    }

    @Test func `a folder is read with all subfolders, and other files are reported`() async throws {
        let book = try ContactsFixture()
        let folder = try TemporaryFolder()
        for (number, name) in ["1.VCF", "2.vcard", "a/b/c/3.vcf", "odd.vcf/4.Vcf"].enumerated() {
            try folder.write(card("FN:Person \(number)", uid: "\(number)"), to: name)
        }
        try folder.write("no card", to: "text.vcf")
        try folder.write("x", to: "README")
        try folder.write("x", to: "displayname")
        #expect(mkfifo("\(folder.path)/pipe.vcf", 0o600) == 0)
        #expect(symlink("..", "\(folder.path)/a/loop") == 0)
        #expect(symlink("/nowhere/at/all", "\(folder.path)/gone.vcf") == 0)
        #expect(symlink("/dev/zero", "\(folder.path)/zero.vcf") == 0)
        let source = try #require(try await ImportSource.folder(at: folder.path))
        let report = try await book.plugin.importCards(source, operation: book.operation())
        #expect(report.counts == [.new: 4])
        #expect(report.items.compactMap(\.file) == ["1.VCF", "2.vcard", "a/b/c/3.vcf", "odd.vcf/4.Vcf"])
        let skipped = Dictionary(report.skipped.map { ($0.file ?? "", $0.message) }) { first, _ in first }
        #expect(
            skipped == [
                "text.vcf": "no contacts found", "pipe.vcf": "it is a pipe, not a file",
                "zero.vcf": "it is a device, not a file", "gone.vcf": "cannot open it: No such file or directory",
            ])
        #expect(report.notes == ["skipped, not a .vcf or .vcard file: README"])
        for folder in report.skipped { #expect(folder.line == 0) }
        try folder.remove("pipe.vcf")
    }

    @Test func `a stream without an end is given up`() async throws {
        let book = try ContactsFixture()
        let zeros = [UInt8](repeating: 0, count: 4 << 20)
        let error = await #expect(throws: HubError.self) {
            try await book.plugin.importCards(ImportSource("zero") { zeros }, operation: book.operation())
        }
        #expect(error?.code == "no-card-found")
    }

    @Test func `an empty card is skipped with a word, one without a name can be edited`() async throws {
        let book = try ContactsFixture()
        let report = try await book.importing("BEGIN:VCARD\r\nEND:VCARD\r\n" + card("NOTE:only this", "N:;;;;"))
        #expect(report.counts == [.new: 1] && report.items[0].name == "(no name)")
        #expect(report.skipped.map(\.message) == ["the card is empty"])
        let id = try #require(try await book.plugin.filter(ContactFilter()).first).id
        _ = try await book.plugin.update(id, operation: book.operation()) { $0.tags = ["x"] }
        _ = try await book.plugin.update(id, operation: book.operation()) {
            $0.emails = [LabeledValue("a@b.c")]
        }
        await #expect(throws: (any Error).self) {
            _ = try await book.plugin.update(id, operation: book.operation()) { $0.emails = [] }
        }
        #expect(try await book.plugin.filter(ContactFilter()).map(\.name) == ["a@b.c"])
    }
}
