package import Commands
package import ContactsDomain
package import HubKit

/// The contacts plugin with its use cases.
package struct ContactsPlugin: Plugin {
    /// The contacts, with the use cases that all entities share.
    package let entities: Entities<Contact>
    /// The store of contacts, with index rows that follow the settings.
    let contacts: ContactStore
    /// The address books of the accounts.
    package let books: AddressBooks
    /// The accounts, with their use cases.
    package let accounts: AccountManager<AddressBooks>
    /// The duplicates that were found last.
    let duplicates = DuplicateCache()
    /// The source of the current time.
    package let clock: any Clock
    /// The config of the process.
    package let config: Config
    /// The log of the plugin.
    package let log: Log

    /// Creates the plugin with connections to real servers and folders.
    package init(context: Context) throws {
        self.init(context: context, links: SystemAccountClients(clock: context.clock))
    }

    /// Creates the plugin with the given account connections; tests pass their own.
    package init(context: Context, links: any AccountClients) {
        contacts = ContactStore(store: context.store, rules: IndexingOptions(context.config))
        entities = Entities(Contact.kind, in: contacts, context: context)
        books = AddressBooks(
            contacts, registry: AccountRegistry(AddressBooks.kind, context: context), links: links)
        accounts = books.accounts
        clock = context.clock
        config = context.config
        log = context.log
    }
}

extension ContactsPlugin {
    /// The commands, routes, services, settings and tables of the plugin.
    package static let descriptor = PluginDescriptor(
        id: "contacts", title: "Contacts", summary: "people and address books", content: "people",
        firstStep: "hub contacts import people.vcf", configKeys: ContactsKeys.all,
        schema: ContactsSchema.schema { try $1.announceContacts($0) }, command: ContactsCommand.tree,
        services: services, daily: daily, page: ContactsWebPage.declaration, routes: ContactRoutes.all,
        collections: [ServedContacts.declaration, ServedBirthdays.declaration], emits: ContactEvents.declarations,
        entities: [EntityDeclaration(ContactCommands.entity, web: ListRoutes.entity)],
        accounts: AccountDeclaration(of: ContactsPlugin.self),
        providers: ContactProviders.all, checks: checks,
        openers: [FileOpener(["vcf", "vcard"], command: "import")], demo: DemoContacts.declaration,
        tools: ContactTools.declarations, export: export)

    private static let services = [
        // A new day is noticed within a quarter of an hour, also after the machine slept.
        ServiceDeclaration(
            "birthdays", summary: "remind of upcoming birthdays and other dates", every: .seconds(15 * 60),
            clock: { $0.clock }
        ) { (contacts: ContactsPlugin) in
            try await contacts.remindOfDates(on: contacts.clock.today)
        }
    ]

    private static let daily = [
        DailyJob("birthdays", summary: "remind of upcoming birthdays and other dates") { (contacts: ContactsPlugin) in
            try await contacts.remindOfDates(on: contacts.clock.today)
        }
    ]

    private static let checks = [
        DoctorCheck(derived: "search index", fine: "the index matches every card") { (contacts: ContactsPlugin) in
            try await contacts.indexProblems()
        } rebuild: { contacts in
            try await contacts.rebuildIndex()
        }
    ]
}

/// The settings under `plugins.contacts`.
enum ContactsKeys {
    static let nameOrder = ConfigKey(
        "sort_by", ConfigType<NameOrder>.word, default: .familyFirst, help: "part of the name to sort by first")
    static let remindDays = ConfigKey(
        "remind_days", .integer(in: 0...60), default: 3, help: "days in advance to remind of a birthday or another date"
    )

    static let ownAddresses = ConfigKey(
        "own_addresses", .list(of: .text), default: [],
        help: "your e-mail addresses besides those of the accounts, which never become contacts",
        example: #"["ada@example.org"]"#)

    static let pictureLimit = ConfigKey<Int?>(
        "accounts.*.picture_limit_kb", .integer(in: 1...100_000), otherwise: "224 for iCloud, else none",
        help: "largest picture to send to the account, in kB", example: "224")

    static let tags = ConfigKey(
        "accounts.*.tags", ConfigType<TagForm>.word, default: .categories,
        help: "categories, or groups: tags are also groups of the account")

    /// The settings besides those of the accounts.
    static let all: [any ConfigDeclaration] = [
        nameOrder, remindDays, ownAddresses, pictureLimit, tags, AddressBooks.defaultBook,
    ]
}

extension IndexingOptions {
    /// The options with which index rows are derived under these settings.
    init(_ config: Config) {
        self.init(
            locale: config[HubKeys.locale] ?? "en", nameOrder: config[ContactsKeys.nameOrder],
            region: config[HubKeys.region])
    }
}
