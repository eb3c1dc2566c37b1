import CivilDate
package import Commands
package import HubKit
package import MinteeDomain
import Storage

/// The plugin for tasks and habits. Its use cases are methods, each in a file of `Application`.
package struct MinteePlugin: Plugin {
    /// The tables of the plugin.
    let store: Store
    /// The tasks, with the use cases that all entities share.
    package let tasks: Entities<TaskRecord>
    /// The analyses, likewise.
    package let analyses: Entities<AnalysisRecord>
    /// The calendar accounts, with their use cases.
    package let accounts: AccountManager<Calendars>
    /// The current day, which starts at `mintee.day_starts`.
    package let day: DayBoundary
    /// The settings in their file.
    let settings: any Settings
    /// The settings of the process.
    package let config: Config
    /// The source of the current time.
    package let clock: any Clock
    /// The log of the background services.
    package let log: Log
    /// The operation of tasks created for birthdays.
    let birthdays = BirthdayOperation()

    /// Creates the plugin with connections to real servers.
    package init(context: Context) throws {
        self.init(context: context, links: SystemCalendarClients(clock: context.clock))
    }

    /// Creates the plugin with a different connection to calendar servers, for tests.
    package init(context: Context, links: any CalendarClients) {
        store = context.store
        tasks = Entities(TaskRecord.kind, in: context.store, context: context)
        analyses = Entities(AnalysisRecord.kind, in: context.store, context: context)
        config = context.config
        clock = context.clock
        log = context.log
        day = DayBoundary(clock: context.clock, startsAt: context.config[MinteeKeys.dayStarts]?.minutes ?? 0)
        settings = context.settings
        let registry = AccountRegistry(Calendars.kind, context: context)
        accounts = AccountManager(
            Calendars(
                store, day: day, registry: registry, links: links, back: context.config[MinteeKeys.daysBack],
                ahead: context.config[MinteeKeys.daysAhead], filledBack: context.config[MinteeKeys.filledBack],
                weekStart: { [settings = context.settings, config = context.config] in
                    MinteePlugin.weekStart(settings, config)
                }),
            registry: registry, store: store)
    }

    /// The commands, services, routes, events and checks of the plugin.
    package static let descriptor = PluginDescriptor(
        id: "mintee", title: "Mintee", summary: "tasks and habits", content: "habits",
        firstStep: "hub mintee new Read",
        configKeys: MinteeKeys.all, schema: MinteeSchema.schema { try $1.announceTasks($0) },
        command: MinteeCommand.tree, services: services,
        page: MinteeWebPage.declaration, routes: MinteeRoutes.all, collections: [ServedTasks.declaration],
        emits: MinteeEvents.declarations,
        flows: flows, entities: entities, accounts: AccountDeclaration(of: MinteePlugin.self),
        providers: MinteeProviders.all, checks: checks,
        openers: [FileOpener(["ics"], command: "import")], demo: DemoHabits.declaration,
        tools: HabitTools.declarations, export: export)

    private static let entities = [
        EntityDeclaration(TaskCommands.entity, web: TaskRoutes.entity),
        EntityDeclaration(AnalysesCommands.entity, web: AnalysisRoutes.entity),
    ]

    private static let services = [
        ServiceDeclaration("reminders", summary: "remind of due tasks", every: .seconds(60), clock: { $0.clock }) {
            (mintee: MinteePlugin) in try await mintee.remindOfTasks()
        },
        ServiceDeclaration(
            "holidays", summary: "read subscribed calendars of holidays again", every: .seconds(86_400),
            clock: { $0.clock }
        ) { (mintee: MinteePlugin) in try await mintee.refreshSubscribedHolidays() },
    ]

    private static let flows = [
        FlowDeclaration(
            "birthday-to-task", summary: "create a task for each upcoming birthday",
            on: ["app.contacts/birthday-upcoming"], isOnByDefault: false
        ) { (mintee: MinteePlugin, event, _) in try await mintee.createBirthdayTask(event) }
    ]

    private static let checks = [
        DoctorCheck("task rules") { (mintee: MinteePlugin) in
            let violations = try await mintee.ruleViolations()
            guard let first = violations.first else { return .fine("all \(Rule.all.count) hold") }
            return .failure(
                "\(first.subject) violates a rule: \(Rule.named(first.rule)?.text ?? "\(first.rule)")",
                remedy: "hub mintee check lists all violations")
        },
        DoctorCheck(derived: "task year cache", fine: "up to date") { (mintee: MinteePlugin) in
            try await mintee.tasksWithStaleYears().map { "the cache of \($0) is stale" }
        } rebuild: { mintee in
            try await mintee.rebuildYears()
        },
    ]
}
