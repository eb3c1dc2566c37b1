import HubKit
import MinteeDomain

/// The page of Mintee in the web app.
enum MinteeWebPage {
    static let declaration = PageDeclaration(
        name: "Habits", icon: #"<circle cx="12" cy="12" r="8.5"/><path d="m8 12.3 2.8 2.8L16 9.6"/>"#,
        toolbar: PackageResources.toolbar_html, content: PackageResources.mintee_html, modules: modules,
        styles: [("mintee", PackageResources.mintee_css)], firstUse: firstUse,
        additions: [
            QuickAddition(
                "Task for today", icon: "check", label: "Name",
                .send(path: "/api/mintee/tasks", body: #"{"name":"$text","taskType":1,"dates":["$today"]}"#)),
            QuickAddition("Habit", icon: "target", .open(path: "/mintee?view=new")),
        ],
        shares: [
            ShareTarget(
                "Task for today", icon: "check", path: "/api/mintee/tasks",
                .text(body: #"{"name":"$title","taskType":1,"dates":["$today"]}"#))
        ])

    private static let modules = [
        ("mintee", PackageResources.mintee_js),
        ("page", PackageResources.page_js),
        ("words", PackageResources.words_js),
        ("today", PackageResources.today_js),
        ("entry", PackageResources.entry_js),
        ("month", PackageResources.month_js),
        ("tasks", PackageResources.tasks_js),
        ("task", PackageResources.task_js),
        ("charts", PackageResources.charts_js),
        ("taskform", PackageResources.taskform_js),
        ("targets", PackageResources.targets_js),
        ("analyses", PackageResources.analyses_js),
        ("analysisform", PackageResources.analysisform_js),
        ("legend", PackageResources.legend_js),
    ]

    private static let firstUse = FirstUse(
        "Your habits and tasks",
        text:
            "What you want to do, on the days that you choose. Each day you see what is open, and how often you did it.",
        steps: [FirstUse.Step("Add your first habit", path: "/mintee?view=new")]
    ) { (mintee: MinteePlugin) in try await mintee.listTasks(limit: 1).isEmpty }

    /// Puts the themes of Mintee on all pages.
    static let themes = ThemeProvider(
        Theme.allCases.map(\.rawValue), current: { (mintee: MinteePlugin) in try await mintee.theme().rawValue },
        choose: { mintee, name, operation in _ = try await mintee.setTheme(name, operation: operation) })
}
