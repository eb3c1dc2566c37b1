package import HubKit
import MinteeDomain

/// The plugin for tasks and habits, with its use cases.
package struct MinteePlugin: Plugin {
    package let getDay: GetDay
    package let getTasks: GetTasks
    package let search: SearchTasks
    package let resolve: ResolveTasks
    package let shortenIDs: ShortenTaskIDs
    package let getDetails: GetTaskDetails
    package let getHistory: GetTaskHistory
    package let create: CreateTask
    package let update: UpdateTask
    package let delete: DeleteTasks
    package let restore: RestoreTasks
    package let restoreVersion: RestoreTaskVersion
    package let compareVersions: CompareTaskVersions
    package let emptyTrash: EmptyTaskTrash
    package let enter: EnterCompletion
    package let tag: TagTasks
    package let getTags: GetTags
    package let checkRules: CheckRules
    package let getAnalyses: GetAnalyses
    package let chart: ChartAnalysis
    package let saveAnalysis: SaveAnalysis
    package let arrangeAnalyses: ArrangeAnalyses
    package let theme: SetTheme
    package let saveDocument: SaveDocument
    package let importTasks: ImportTasks
    package let fillForm: FillForm
    package let readSet = ReadTargetSet()
    package let export: ExportTasks
    package let remind: RemindOfTasks
    package let makeBirthdayTask: MakeBirthdayTask
    package let calendarDesk: CalendarDesk
    package let getAccounts: GetCalendarAccounts
    package let addAccount: AddCalendarAccount
    package let editAccount: EditCalendarAccount
    package let removeAccount: RemoveCalendarAccount
    package let testAccount: TestCalendarAccount
    package let syncAccount: SyncCalendar
    package let day: MinteeDay
    package let config: Config
    package let clock: any Clock
    package let log: Log

    package init(context: Context) throws {
        self.init(context: context, links: SystemCalendarLinks(clock: context.clock))
    }

    /// Creates the plugin with a different connection to calendar servers, for tests.
    package init(context: Context, links: any CalendarLinks) {
        let store = context.store
        day = MinteeDay(clock: context.clock, startsAt: context.config[MinteeKeys.dayStarts]?.minutes ?? 0)
        getDay = GetDay(store, day: day)
        getTasks = GetTasks(store)
        search = SearchTasks(store)
        resolve = ResolveTasks(store)
        shortenIDs = ShortenTaskIDs(store)
        getDetails = GetTaskDetails(store, day: day)
        getHistory = GetTaskHistory(store)
        create = CreateTask(store)
        update = UpdateTask(store)
        delete = DeleteTasks(store)
        restore = RestoreTasks(store)
        restoreVersion = RestoreTaskVersion(store)
        compareVersions = CompareTaskVersions(store)
        emptyTrash = EmptyTaskTrash(store)
        enter = EnterCompletion(store, day: day)
        tag = TagTasks(store)
        getTags = GetTags(store)
        checkRules = CheckRules(store)
        getAnalyses = GetAnalyses(store)
        chart = ChartAnalysis(store, day: day)
        saveAnalysis = SaveAnalysis(store)
        arrangeAnalyses = ArrangeAnalyses(store)
        theme = SetTheme(store)
        saveDocument = SaveDocument(store, day: day)
        importTasks = ImportTasks(store, day: day)
        fillForm = FillForm(day: day)
        export = ExportTasks(store)
        remind = RemindOfTasks(store, day: day)
        makeBirthdayTask = MakeBirthdayTask(
            store,
            MakeBirthdayTask.Settings(
                name: context.config[MinteeKeys.birthdayTask], tag: context.config[MinteeKeys.birthdayTag],
                remindAt: context.config[MinteeKeys.birthdayRemind]?.minutes), clock: context.clock)
        let desk = CalendarDesk(
            store, day: day, register: AccountRegister(CalendarDesk.words, keys: .mintee, context: context),
            links: links, back: context.config[MinteeKeys.daysBack], ahead: context.config[MinteeKeys.daysAhead],
            filledBack: context.config[MinteeKeys.filledBack])
        calendarDesk = desk
        getAccounts = GetCalendarAccounts(desk)
        addAccount = AddCalendarAccount(desk)
        editAccount = EditCalendarAccount(desk)
        removeAccount = RemoveCalendarAccount(desk)
        testAccount = TestCalendarAccount(desk)
        syncAccount = SyncCalendar(desk)
        config = context.config
        clock = context.clock
        log = context.log
    }

    package static var descriptor: PluginDescriptor {
        PluginDescriptor(
            id: "mintee", title: "Mintee", summary: "tasks and habits", firstStep: "hub mintee new Read",
            configKeys: MinteeKeys.all, schema: MinteeSchema.schema { try $1.announceTasks($0) },
            command: MinteeCommand.tree,
            services: [
                ServiceDeclaration("reminders", summary: "remind of due tasks") { (mintee: MinteePlugin) in
                    TaskReminder(remind: mintee.remind, clock: mintee.clock)
                },
                ServiceDeclaration("sync", summary: "sync calendars in the background") { (mintee: MinteePlugin) in
                    CalendarService(mintee.calendarDesk, sync: mintee.syncAccount, log: mintee.log)
                },
            ], routes: MinteeRoutes.all, emits: MinteeEvents.declarations,
            flows: [
                FlowDeclaration(
                    "birthday-to-task", summary: "create a task for each upcoming birthday",
                    on: ["app.contacts/birthday-upcoming"], isOnByDefault: false
                ) { (mintee: MinteePlugin, event) in try await mintee.makeBirthdayTask(event) }
            ], providers: MinteeProviders.all,
            checks: [
                DoctorCheck("task rules") { (mintee: MinteePlugin) in
                    let breaches = try await mintee.checkRules()
                    guard let first = breaches.first else { return .fine("all \(Rule.all.count) hold") }
                    return .failure(
                        "\(first.subject) violates \(first.rule)", remedy: "hub mintee check lists all violations")
                },
                DoctorCheck("task year cache") { (mintee: MinteePlugin) in
                    let stale = try await mintee.checkRules.staleTasks()
                    guard let first = stale.first else { return .fine("up to date") }
                    return .failure("the cache of \(first) is stale", remedy: "hub doctor --fix rebuilds it")
                } fix: { (mintee: MinteePlugin) in
                    try await mintee.checkRules.fix()
                },
            ])
    }
}
