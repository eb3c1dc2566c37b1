package import ContactsDomain
package import HubKit

/// The contacts plugin with its use cases.
package struct ContactsPlugin: Plugin {
    /// The contacts, with the use cases that all entities share.
    package let entities: Entities<Contact>
    /// Lists contacts page by page in the order of names.
    package let getContacts: GetContacts
    /// Lists the matching contacts in the requested order; by name by default.
    package let filter: FilterContacts
    /// Searches all fields of contacts, best match first.
    package let search: SearchContacts
    /// Creates a contact from details.
    package let create: CreateContact
    /// Changes a contact; unchanged properties keep their bytes.
    package let update: UpdateContact
    /// Imports contacts in all supported formats.
    package let importCards: ImportContacts
    /// Exports contacts: each card as stored, or in another format.
    package let exportCards: ExportContacts
    /// Exports contacts to a folder with one file each (vdir), for khard, vdirsyncer and similar programs.
    package let exportFolder: ExportFolder
    /// Creates contacts for people whose e-mail addresses are not known yet.
    package let addPeople: ImportFromMail
    /// Creates a QR code of a contact: its card as vCard 3.0 without pictures and sounds.
    package let makeQRCode: MakeQRCode
    /// Sets or removes the picture of a contact; every other property keeps its bytes.
    package let setPhoto: SetContactPhoto
    /// Records the use of contacts, so that `query` can list the most used first.
    package let noteUse: RecordUsage
    /// Resolves the links of a card, such as group members and relatives, to contacts.
    package let nameLinks: ResolveRelations
    /// Finds addresses and numbers of contacts, for mail programs and scripts.
    package let findAddresses: FindAddresses
    /// Lists upcoming birthdays.
    package let getBirthdays: GetBirthdays
    /// Publishes reminders of upcoming birthdays, once per contact and year.
    package let remindOfBirthdays: RemindOfBirthdays
    /// Finds contacts that may be the same person.
    package let findDuplicates: FindDuplicates
    /// Marks contacts as different people, so that they are not reported as duplicates again.
    package let keepApart: MarkDistinct
    /// Merges contacts: the values of the others are added to one, and the others go to the trash.
    package let merge: MergeContacts
    /// Merges the duplicates that need no decision.
    package let mergeSafeDuplicates: MergeSafeDuplicates
    /// Checks the index rows against the cards.
    package let checkIndex: CheckIndex
    /// The address books of the accounts.
    package let books: AddressBooks
    /// The accounts, with their use cases.
    package let accounts: AccountManager<AddressBooks>
    /// Syncs one address book.
    package let syncBook: SyncBook
    /// Lists the conflicts that a sync has left to the user.
    package let getConflicts: GetConflicts
    /// Resolves a conflict by one edit of the contact.
    package let resolveConflict: ResolveConflict
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
        let contacts = ContactStore(store: context.store, rules: IndexingOptions(context.config))
        entities = Entities(Contact.kind, in: contacts, context: context)
        getContacts = GetContacts(contacts)
        filter = FilterContacts(contacts)
        search = SearchContacts(contacts)
        create = CreateContact(contacts)
        update = UpdateContact(contacts)
        importCards = ImportContacts(contacts)
        exportCards = ExportContacts(contacts)
        exportFolder = ExportFolder(contacts)
        addPeople = ImportFromMail(contacts)
        makeQRCode = MakeQRCode(contacts)
        setPhoto = SetContactPhoto(contacts)
        noteUse = RecordUsage(contacts, log: context.log)
        nameLinks = ResolveRelations(contacts)
        findAddresses = FindAddresses(contacts)
        getBirthdays = GetBirthdays(contacts)
        remindOfBirthdays = RemindOfBirthdays(contacts, leadDays: context.config[ContactsKeys.remindDays])
        findDuplicates = FindDuplicates(contacts)
        keepApart = MarkDistinct(contacts)
        merge = MergeContacts(contacts)
        mergeSafeDuplicates = MergeSafeDuplicates(contacts)
        checkIndex = CheckIndex(contacts)
        books = AddressBooks(
            contacts, registry: AccountRegistry(AddressBooks.kind, context: context), links: links)
        accounts = books.accounts
        syncBook = SyncBook(contacts, clock: context.clock)
        getConflicts = GetConflicts(contacts)
        resolveConflict = ResolveConflict(contacts)
        clock = context.clock
        config = context.config
        log = context.log
    }

    /// The commands, routes, services, settings and tables of the plugin.
    package static let descriptor = PluginDescriptor(
        id: "contacts", title: "Contacts", summary: "people and address books", content: "people",
        firstStep: "hub contacts import people.vcf", configKeys: ContactsKeys.all,
        schema: ContactsSchema.schema { try $1.announceContacts($0) },
        command: ContactsCommand.tree,
        services: [
            ServiceDeclaration("birthdays", summary: "remind of upcoming birthdays") {
                (contacts: ContactsPlugin) in
                BirthdayReminder(remind: contacts.remindOfBirthdays, clock: contacts.clock)
            },
            .accounts(of: ContactsPlugin.self),
        ],
        daily: [
            DailyJob("birthdays", summary: "remind of upcoming birthdays") { (contacts: ContactsPlugin) in
                try await contacts.remindOfBirthdays(on: contacts.clock.today)
            }
        ], routes: ContactRoutes.all, emits: ContactEvents.declarations,
        entities: [EntityDeclaration(Contact.kind) { (contacts: ContactsPlugin) in contacts.entities }],
        providers: ContactProviders.all,
        checks: [
            DoctorCheck("search index") { (contacts: ContactsPlugin) in
                do {
                    let breaches = try await contacts.checkIndex()
                    guard let first = breaches.first else { return .fine("the index matches every card") }
                    return .failure(first, remedy: "hub doctor --fix rebuilds it")
                } catch let error as HubError where HubError.unwritableStore.contains(error.code) {
                    return .warning("not checked: \(error.message)", remedy: error.hint ?? "try again later")
                }
            } fix: { (contacts: ContactsPlugin) in
                try await contacts.checkIndex.fix()
            }
        ])
}
