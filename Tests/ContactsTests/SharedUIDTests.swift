import ContactsDomain
import HubKit
import HubKitTesting
import Storage
import Testing

@testable import Contacts

/// One `UID` in a file for two people.
struct HouseholdTests {
    private static let anna = vcard(
        "h", "FN:Anna Smith", "N:Smith;Anna;;;", "BDAY:1980-01-01", "TEL:+49 30 1234567", "EMAIL:anna@x.org")
    private static let bob = vcard(
        "h", "FN:Bob Smith", "N:Smith;Bob;;;", "BDAY:1990-05-05", "TEL:+49 30 1234567", "EMAIL:bob@x.org")

    @Test func `two people of a household stay two, in one file and in later ones`() async throws {
        let book = try ContactsFixture()
        try await book.importing(HouseholdTests.anna + HouseholdTests.bob)
        #expect(try await book.plugin.filter(ContactFilter()).map(\.name) == ["Anna Smith", "Bob Smith"])
        try await book.importing(HouseholdTests.bob + HouseholdTests.anna)
        #expect(try await book.plugin.filter(ContactFilter()).map(\.name) == ["Anna Smith", "Bob Smith"])
        let other = try ContactsFixture()
        try await other.importing(HouseholdTests.anna)
        try await other.importing(HouseholdTests.bob)
        #expect(try await other.plugin.filter(ContactFilter()).map(\.name) == ["Anna Smith", "Bob Smith"])
    }

    @Test func `two departments with one address stay two`() async throws {
        let book = try ContactsFixture()
        try await book.importing(
            vcard("d", "FN:Sales", "EMAIL:info@x.org") + vcard("d", "FN:Support", "EMAIL:info@x.org"))
        #expect(try await book.plugin.filter(ContactFilter()).map(\.name) == ["Sales", "Support"])
    }

    @Test func `a person with another family name or a short form of the given one stays one`() async throws {
        let book = try ContactsFixture()
        try await book.importing(
            vcard("m", "FN:Anna Smith", "N:Smith;Anna;;;", "TEL:1234567")
                + vcard("m", "FN:Anna Jones", "N:Jones;Anna;;;", "TEL:1234567"))
        try await book.importing(vcard("r", "FN:Robert Lee", "N:Lee;Robert;;;", "TEL:7654321"))
        try await book.importing(vcard("r", "FN:Bob Lee", "N:Lee;Bob;;;", "TEL:7654321"))
        #expect(try await book.plugin.filter(ContactFilter()).map(\.name) == ["Anna Jones", "Bob Lee"])
    }
}
