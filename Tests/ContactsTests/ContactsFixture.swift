import CivilDate
import Commands
import ContactsDomain
import HubKitTesting
import Storage
import Synchronization
import TestSupport

@testable import Contacts

/// A book of contacts on a real database, in memory or in a folder that is gone with the test.
final class ContactsFixture: Sendable {
    enum Place: CaseIterable, Sendable {
        case memory, file
    }

    let database: Database
    let contacts: ContactStore
    let clock: FixedClock
    /// The plugin under the options of the fixture.
    let plugin: ContactsPlugin
    private let folder: TemporaryFolder?

    init(_ place: Place = .memory, rules: IndexingOptions = IndexingOptions(locale: "en")) throws {
        clock = FixedClock()
        let schema = ContactsSchema.schema { try $1.announceContacts($0) }
        switch place {
        case .memory:
            folder = nil
            database = Database(at: .memory, plugins: [schema], clock: clock, executors: .queues)
        case .file:
            let folder = try TemporaryFolder()
            self.folder = folder
            database = Database(at: .directory(folder.path), plugins: [schema], clock: clock, executors: .queues)
        }
        contacts = ContactStore(store: database.store(for: "contacts"), rules: rules)
        plugin = try ContactsFixture.plugin(contacts.store, rules, clock)
    }

    /// The plugin on the same database under other settings.
    func plugin(_ rules: IndexingOptions) throws -> ContactsPlugin {
        try ContactsFixture.plugin(contacts.store, rules, clock)
    }

    /// The plugin without accounts.
    private static func plugin(_ store: Store, _ rules: IndexingOptions, _ clock: FixedClock) throws -> ContactsPlugin {
        var config = Config()
        config[HubKeys.locale] = rules.locale
        config[HubKeys.region] = rules.region
        config[ContactsKeys.nameOrder] = rules.nameOrder
        return try ContactsPlugin(context: .testing(store, clock: clock, config: config))
    }

    /// An operation of the person.
    func operation(_ name: String = "contacts test") -> System.Operation { System.Operation(name) }

    /// Imports the text of some cards.
    @discardableResult
    func importing(_ text: String, isDryRun: Bool = false) async throws -> ContactImportReport {
        try await plugin.importCards(
            .text(text), operation: operation("contacts import"), isDryRun: isDryRun)
    }

    /// Makes contacts with these names.
    @discardableResult
    func add(_ names: String...) async throws -> [Contact] {
        var made: [Contact] = []
        for name in names {
            var details = ContactDetails()
            details.formattedName = name
            details.name = StructuredName(parsing: name)
            made.append(try await plugin.create(details, operation: operation()).contact)
        }
        return made
    }

    /// The names that a search finds, in its order.
    func names(_ query: String) async throws -> [String] { try await plugin.search(query).rows.map(\.name) }
}

extension ImportSource {
    /// The bytes of a text, in pieces of a size that fits nothing.
    static func text(_ text: String, name: String = "people.vcf", pieces: Int = 1000) -> ImportSource {
        let rest = Mutex(Array(text.utf8)[...])
        return ImportSource(name) {
            rest.withLock { rest in
                defer { rest = rest.dropFirst(pieces) }
                return rest.isEmpty ? nil : Array(rest.prefix(pieces))
            }
        }
    }
}
