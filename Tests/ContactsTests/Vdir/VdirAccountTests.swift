import ContactsDomain
import Glibc
import HubKitTesting
import Sync
import System
import TestSupport
import Testing

@testable import Contacts

@Suite struct VdirAccountTests {
    private let folder: TemporaryFolder
    private let account: VdirAccount

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        account = VdirAccount(path: folder.path, clock: SystemClock())
    }

    private let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n"

    private func books() async throws -> [String: String] {
        Dictionary(uniqueKeysWithValues: try await account.books().map { ($0.href, $0.name) })
    }

    @Test func `a folder of cards is one book`() async throws {
        try folder.write(card, to: "ada.vcf")
        let name = try #require(folder.path.split(separator: "/").last.map(String.init))
        #expect(try await books() == [".": name])
        try folder.write("\n", to: "displayname")
        #expect(try await books() == [".": name])
        try folder.write("Family and friends\n", to: "displayname")
        #expect(try await books() == [".": "Family and friends"])
        let found = try await account.books()[0]
        #expect(try await account.open(found).changes(since: nil).entries.map(\.href) == ["ada.vcf"])
    }

    @Test func `a hidden folder is called by its name`() async throws {
        try folder.write(card, to: ".contacts/ada.vcf")
        let hidden = VdirAccount(path: folder.path + "/.contacts", clock: SystemClock())
        #expect(try await hidden.books().map(\.name) == ["contacts"])
    }

    @Test func `an empty folder is a book that is still empty`() async throws {
        #expect(try await account.books().map(\.href) == ["."])
    }

    @Test func `a folder of folders is an account with several books`() async throws {
        try folder.write(card, to: "family/ada.vcf")
        try folder.write("Arbeit", to: "team/displayname")
        try Directory.make(folder.path + "/new")
        try folder.write("x", to: "pictures/a.png")
        try folder.write("x", to: ".git/config")
        #expect(try await books() == ["family": "family", "new": "new", "team": "Arbeit"])
        try folder.write(card, to: "loose.vcf")
        #expect(try await books().keys.sorted() == [".", "family", "new", "team"])
    }

    @Test func `a book is made and removed as a folder`() async throws {
        try folder.write(card, to: "family/ada.vcf")
        let made = try await account.createBook("Chess: club")
        #expect(folder.names() == ["Chess_ club", "family"])
        #expect(try await books()[made.href] == "Chess: club")
        await #expect(throws: RemoteError.self) { try await account.createBook("family") }
        try await account.removeBook(made.href)
        try await account.removeBook("family")
        #expect(folder.names().isEmpty)
    }

    @Test func `a book with other things in it is not destroyed`() async throws {
        try folder.write(card, to: "family/ada.vcf")
        try folder.write("x", to: "family/photo.png")
        await #expect(throws: RemoteError.refused(reason: "the folder contains other files than cards: photo.png")) {
            try await account.removeBook("family")
        }
        #expect(folder.names(in: "family") == ["ada.vcf", "photo.png"])
    }

    @Test func `a missing folder is reported`() async throws {
        let away = VdirAccount(path: folder.path + "/away", clock: SystemClock())
        await #expect(throws: RemoteError.notFound(reason: "\(folder.path)/away: No such file or directory")) {
            try await away.books()
        }
    }
}
