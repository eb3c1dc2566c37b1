import HubKit
import Sync
import Testing

@testable import Contacts

/// What is said of well-known services before an account there is added.
struct KnownServiceTests {
    private func address(_ text: String) throws -> Account.Address { try #require(Account.Address(text)) }

    @Test(arguments: [
        ("ada@gmail.com", "account-needs-oauth"), ("https://www.googleapis.com/carddav/v1/", "account-needs-oauth"),
        ("ada@outlook.com", "account-no-carddav"), ("https://outlook.office365.com", "account-no-carddav"),
    ])
    func `a service that takes no passwords says so before one is asked for`(text: String, code: String) throws {
        let error = #expect(throws: HubError.self) { try KnownService.advice(try address(text), hasClient: false) }
        #expect(error?.code == code && error?.hint?.isEmpty == false)
    }

    @Test func `Google with a client, iCloud and all others can be added`() throws {
        #expect(try KnownService.advice(try address("ada@gmail.com"), hasClient: true).isEmpty)
        #expect(
            try KnownService.advice(try address("ada@me.com"), hasClient: false).first?.contains("app-specific") == true
        )
        for text in ["ada@example.org", "https://dav.notgoogle.com.example.org", "https://posteo.de:8443"] {
            #expect(try KnownService.advice(try address(text), hasClient: false).isEmpty, "\(text)")
        }
    }
}
