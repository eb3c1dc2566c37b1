package import HubKit
import MinteeDomain

/// The plugin for tasks and habits, with its use cases.
package struct MinteePlugin: Plugin {
    /// The use case that returns the due tasks of a day with their entries.
    package let getDay: GetDay
    /// The use case that returns the tasks that match a filter.
    package let getTasks: GetTasks
    /// The use case that searches tasks by name, tag and note.
    package let search: SearchTasks
    /// The use case that resolves a selector to tasks.
    package let resolve: ResolveTasks
    /// The use case that shortens task ids to their unique prefixes.
    package let shortenIDs: ShortenTaskIDs
    /// The use case that returns a task with statistics and timeline.
    package let getDetails: GetTaskDetails
    /// The use case that returns the operations that changed a task.
    package let getHistory: GetTaskHistory
    /// The use case that creates a task.
    package let create: CreateTask
    /// The use case that changes a task.
    package let update: UpdateTask
    /// The use case that moves tasks to the trash.
    package let delete: DeleteTasks
    /// The use case that restores tasks from the trash.
    package let restore: RestoreTasks
    /// The use case that restores a task to an earlier version.
    package let restoreVersion: RestoreTaskVersion
    /// The use case that compares two versions of a task.
    package let compareVersions: CompareTaskVersions
    /// The use case that permanently deletes trashed tasks and analyses.
    package let emptyTrash: EmptyTaskTrash
    /// The use case that changes the entry of a task on a day.
    package let enter: LogCompletion
    /// The use case that adds and removes tags of a task.
    package let tag: TagTasks
    /// The use case that returns the tags with their number of tasks.
    package let getTags: GetTags
    /// The use case that checks the stored data against the business rules.
    package let checkRules: CheckRules
    /// The use case that returns the analyses, live or in the trash.
    package let getAnalyses: GetAnalyses
    /// The use case that computes the chart of an analysis or a task.
    package let chart: ChartAnalysis
    /// The use case that creates and changes analyses.
    package let saveAnalysis: SaveAnalysis
    /// The use case that orders the home page, and removes and restores analyses.
    package let arrangeAnalyses: ReorderAnalyses
    /// The use case that returns and sets the theme of the page.
    package let theme: SetTheme
    /// The use case that stores a task or an analysis from JSON.
    package let saveDocument: SaveTask
    /// The use case that imports tasks from files of other programs.
    package let importTasks: ImportTasks
    /// The use case that converts between tasks and form fields.
    package let fillForm: EditForm
    /// The use case that parses target sets and targets of forms.
    package let readSet = ParseTargetSet()
    /// The use case that exports tasks in a file format.
    package let export: ExportTasks
    /// The use case that publishes an event for each task that is due.
    package let remind: RemindOfTasks
    /// The use case that creates a task for an upcoming birthday.
    package let makeBirthdayTask: MakeBirthdayTask
    /// The calendar accounts, with their use cases.
    package let accounts: AccountManager<CalendarAccountManager>
    /// The current day, which starts at `mintee.day_starts`.
    package let day: DayBoundary
    /// The settings of the process.
    package let config: Config
    /// The source of the current time.
    package let clock: any Clock
    /// The log of the background services.
    package let log: Log

    /// Creates the plugin with connections to real servers.
    package init(context: Context) throws {
        self.init(context: context, links: SystemCalendarClients(clock: context.clock))
    }

    /// Creates the plugin with a different connection to calendar servers, for tests.
    package init(context: Context, links: any CalendarClients) {
        let store = context.store
        day = DayBoundary(clock: context.clock, startsAt: context.config[MinteeKeys.dayStarts]?.minutes ?? 0)
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
        enter = LogCompletion(store, day: day)
        tag = TagTasks(store)
        getTags = GetTags(store)
        checkRules = CheckRules(store)
        getAnalyses = GetAnalyses(store)
        chart = ChartAnalysis(store, day: day)
        saveAnalysis = SaveAnalysis(store)
        arrangeAnalyses = ReorderAnalyses(store)
        theme = SetTheme(store)
        saveDocument = SaveTask(store, day: day)
        importTasks = ImportTasks(store, day: day)
        fillForm = EditForm(day: day)
        export = ExportTasks(store)
        remind = RemindOfTasks(store, day: day)
        makeBirthdayTask = MakeBirthdayTask(
            store,
            MakeBirthdayTask.Settings(
                name: context.config[MinteeKeys.birthdayTask], tag: context.config[MinteeKeys.birthdayTag],
                remindAt: context.config[MinteeKeys.birthdayRemind]?.minutes), clock: context.clock)
        let registry = AccountRegistry(CalendarAccountManager.kind, context: context)
        accounts = AccountManager(
            CalendarAccountManager(
                store, day: day, registry: registry, links: links, back: context.config[MinteeKeys.daysBack],
                ahead: context.config[MinteeKeys.daysAhead], filledBack: context.config[MinteeKeys.filledBack]),
            registry: registry, store: store)
        config = context.config
        clock = context.clock
        log = context.log
    }

    /// The commands, services, routes, events and checks of the plugin.
    package static let descriptor = PluginDescriptor(
        id: "mintee", title: "Mintee", summary: "tasks and habits", content: "habits",
        firstStep: "hub mintee new Read",
        configKeys: MinteeKeys.all, schema: MinteeSchema.schema { try $1.announceTasks($0) },
        command: MinteeCommand.tree,
        services: [
            ServiceDeclaration("reminders", summary: "remind of due tasks") { (mintee: MinteePlugin) in
                TaskReminder(remind: mintee.remind, clock: mintee.clock)
            },
            .accounts(of: MinteePlugin.self),
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
                    "\(first.subject) violates a rule: \(Rule.named(first.rule)?.text ?? "\(first.rule)")",
                    remedy: "hub mintee check lists all violations")
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
