package import HubKit

/// The address book: the list of its use cases.
package struct ContactsPlugin: Plugin {
    package let getContacts: GetContacts
    package let getDetails: GetContactDetails
    package let filter: FilterContacts
    package let search: SearchContacts
    package let resolve: ResolveContacts
    package let shortenIDs: ShortenIDs
    package let create: CreateContact
    package let update: UpdateContact
    package let delete: DeleteContacts
    package let restore: RestoreContacts
    package let getTrash: GetTrash
    package let emptyTrash: EmptyTrash
    package let setLabels: SetLabels
    package let getLabels: GetLabels
    package let importCards: ImportContacts
    package let exportCards: ExportContacts
    package let exportFolder: ExportFolder
    package let addPeople: AddPeople
    package let makeQRCode: MakeQRCode
    package let setPhoto: SetContactPhoto
    package let noteUse: NoteUse
    package let nameLinks: NameLinks
    package let findAddresses: FindAddresses
    package let getBirthdays: GetBirthdays
    package let remindOfBirthdays: RemindOfBirthdays
    package let getHistory: GetContactHistory
    package let restoreVersion: RestoreContactVersion
    package let nameContacts: NameContacts
    package let findDuplicates: FindDuplicates
    package let keepApart: KeepApart
    package let merge: MergeContacts
    package let mergeSafeDuplicates: MergeSafeDuplicates
    package let checkIndex: CheckIndex
    package let accountDesk: AccountDesk
    package let getAccounts: GetAccounts
    package let addAccount: AddAccount
    package let editAccount: EditAccount
    package let removeAccount: RemoveAccount
    package let testAccount: TestAccount
    package let resolveBook: ResolveBook
    package let createBook: CreateBook
    package let removeBook: RemoveBook
    package let moveContacts: MoveContacts
    package let syncAccount: SyncAccount
    package let syncBook: SyncBook
    package let getConflicts: GetConflicts
    package let resolveConflict: ResolveConflict
    package let clock: any Clock
    package let config: Config
    package let log: Log

    package init(context: Context) throws {
        self.init(context: context, links: SystemAccountLinks(clock: context.clock))
    }

    /// The plugin with other ways to accounts, for tests.
    package init(context: Context, links: any AccountLinks) {
        let contacts = ContactStore(store: context.store, rules: IndexRules(context.config))
        getContacts = GetContacts(contacts)
        getDetails = GetContactDetails(contacts)
        filter = FilterContacts(contacts)
        search = SearchContacts(contacts)
        resolve = ResolveContacts(contacts)
        shortenIDs = ShortenIDs(contacts)
        create = CreateContact(contacts)
        update = UpdateContact(contacts)
        delete = DeleteContacts(contacts)
        restore = RestoreContacts(contacts)
        getTrash = GetTrash(contacts)
        emptyTrash = EmptyTrash(contacts)
        setLabels = SetLabels(contacts)
        getLabels = GetLabels(contacts)
        importCards = ImportContacts(contacts)
        exportCards = ExportContacts(contacts)
        exportFolder = ExportFolder(contacts)
        addPeople = AddPeople(contacts)
        makeQRCode = MakeQRCode(contacts)
        setPhoto = SetContactPhoto(contacts)
        noteUse = NoteUse(contacts, log: context.log)
        nameLinks = NameLinks(contacts)
        findAddresses = FindAddresses(contacts)
        getBirthdays = GetBirthdays(contacts)
        remindOfBirthdays = RemindOfBirthdays(contacts, leadDays: context.config[ContactsKeys.remindDays])
        getHistory = GetContactHistory(contacts)
        restoreVersion = RestoreContactVersion(contacts)
        nameContacts = NameContacts(contacts)
        findDuplicates = FindDuplicates(contacts)
        keepApart = KeepApart(contacts)
        merge = MergeContacts(contacts)
        mergeSafeDuplicates = MergeSafeDuplicates(contacts)
        checkIndex = CheckIndex(contacts)
        let desk = AccountDesk(
            contacts, register: AccountRegister(AccountDesk.words, keys: .contacts, context: context), links: links)
        accountDesk = desk
        getAccounts = GetAccounts(desk)
        addAccount = AddAccount(desk)
        editAccount = EditAccount(desk)
        removeAccount = RemoveAccount(desk)
        testAccount = TestAccount(desk)
        resolveBook = ResolveBook(desk)
        createBook = CreateBook(desk)
        removeBook = RemoveBook(desk)
        moveContacts = MoveContacts(contacts)
        syncAccount = SyncAccount(desk)
        syncBook = SyncBook(contacts, clock: context.clock)
        getConflicts = GetConflicts(contacts)
        resolveConflict = ResolveConflict(contacts)
        clock = context.clock
        config = context.config
        log = context.log
    }

    package static var descriptor: PluginDescriptor {
        PluginDescriptor(
            id: "contacts", title: "Contacts", summary: "people and address books",
            firstStep: "hub contacts import people.vcf", configKeys: ContactsKeys.all,
            schema: ContactsSchema.schema { try $1.announceContacts($0) },
            command: ContactsCommand.tree,
            services: [
                ServiceDeclaration("birthdays", summary: "tells of birthdays that are near") {
                    (contacts: ContactsPlugin) in
                    BirthdayReminder(remind: contacts.remindOfBirthdays, clock: contacts.clock)
                },
                ServiceDeclaration("sync", summary: "keeps accounts in step") { (contacts: ContactsPlugin) in
                    AccountSync(contacts.accountDesk, sync: contacts.syncAccount, log: contacts.log)
                },
            ],
            daily: [
                DailyDuty("birthdays", summary: "tells of birthdays that are near") { (contacts: ContactsPlugin) in
                    try await contacts.remindOfBirthdays(on: contacts.clock.today(in: .local))
                }
            ], routes: ContactRoutes.all, emits: ContactEvents.declarations, providers: ContactProviders.all,
            checks: [
                DoctorCheck("search index") { (contacts: ContactsPlugin) in
                    do {
                        let breaches = try await contacts.checkIndex()
                        guard let first = breaches.first else { return .fine("agrees with every card") }
                        return .failure(first, remedy: "hub doctor --fix builds it anew")
                    } catch let error as HubError where HubError.unwritableStore.contains(error.code) {
                        return .warning("not checked: \(error.message)", remedy: error.hint ?? "try again later")
                    }
                } fix: { (contacts: ContactsPlugin) in
                    try await contacts.checkIndex.fix()
                }
            ])
    }
}
