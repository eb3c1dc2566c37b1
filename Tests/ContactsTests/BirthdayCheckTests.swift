import ContactsDomain
import HubKit
import HubKitTesting
import Testing

@testable import Contacts

struct BirthdayCheckTests {
    @Test func `a birthday in the future is refused when it is typed, not in an imported card`() async throws {
        let book = try ContactsFixture()
        var details = ContactDetails()
        details.formattedName = "Ann"
        details.birthday = .date(try PartialDate(input: "2090-01-01"))
        let future = details
        await #expect(throws: HubError.self) {
            _ = try await book.plugin.create(future, operation: book.operation())
        }
        try await book.importing(vcard("a", "FN:Ann", "BDAY:2090-01-01"))
        let ann = try #require(try await book.plugin.search("ann").rows.first)
        _ = try await book.plugin.update(ann.id, operation: book.operation()) { $0.note = "x" }
        await #expect(throws: HubError.self) {
            _ = try await book.plugin.update(ann.id, operation: book.operation()) {
                $0.birthday = .date(try PartialDate(input: "2091-01-01"))
            }
        }
        _ = try await book.plugin.update(ann.id, operation: book.operation()) {
            $0.birthday = .date(try PartialDate(input: "--01-01"))
        }
    }
}
