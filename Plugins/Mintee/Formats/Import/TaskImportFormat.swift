/// The import formats, in the order of detection.
package enum TaskImportFormat: String, CaseIterable, Sendable {
    /// Loop Habit Tracker: the zip of its CSV export, its folder, or its database.
    case loop
    /// The `habits` and `log` files of harsh.
    case harsh
    /// The `habits` and `log` files of habitctl.
    case habitctl
    /// The JSON of `task export`.
    case taskwarrior
    /// `userdata.json` or `history.csv` of Habitica.
    case habitica
    /// The CSV of HabitBull.
    case habitbull
    /// The CSV of Streaks.
    case streaks
    /// The backup of TickTick.
    case ticktick
    /// The CSV of a project of Todoist.
    case todoist
    /// A calendar, of hub or of any other program.
    case ics
    /// hub's own JSON.
    case json = "mintee-json"

    /// Detects the format of files; nil if it is unknown.
    package init?(sniffing bundle: ImportBundle) {
        // Most of the other readers would look through all of a large file first.
        if let file = bundle.single, ImportBundle.isOwnExport(startingWith: file.bytes) {
            self = .json
            return
        }
        guard let format = TaskImportFormat.allCases.first(where: { $0.recognizes(bundle) }) else { return nil }
        self = format
    }

    /// The display name.
    package var title: String {
        switch self {
        case .loop: "Loop Habit Tracker (zip, folder or database)"
        case .harsh: "harsh"
        case .habitctl: "habitctl"
        case .taskwarrior: "taskwarrior"
        case .habitica: "Habitica (userdata.json or history.csv)"
        case .habitbull: "HabitBull"
        case .streaks: "Streaks (CSV)"
        case .ticktick: "TickTick (backup)"
        case .todoist: "Todoist (CSV of a project)"
        case .ics: "iCalendar"
        case .json: "hub's own JSON"
        }
    }

    /// The reader of the format; nil for hub's own JSON, which Store reads.
    private var reader: (any TaskReader.Type)? {
        switch self {
        case .loop: LoopReader.self
        case .harsh: HarshReader.self
        case .habitctl: HabitctlReader.self
        case .taskwarrior: TaskwarriorReader.self
        case .habitica: HabiticaReader.self
        case .habitbull: HabitBullReader.self
        case .streaks: StreaksReader.self
        case .ticktick: TickTickReader.self
        case .todoist: TodoistReader.self
        case .ics: CalendarReader.self
        case .json: nil
        }
    }

    private func recognizes(_ bundle: ImportBundle) -> Bool {
        reader?.recognizes(bundle) ?? OwnExport.recognizes(bundle)
    }

    /// Returns the tasks in files of this format; never fails as a whole. Formats that Store reads are excluded: hub's
    /// own JSON, and Loop's database.
    package func read(_ bundle: ImportBundle, _ setting: ImportSetting) -> ImportedTasks {
        reader?.read(bundle, setting) ?? ImportedTasks()
    }
}

/// Reads the files of one program. A problem with an item is recorded, and the next item is read.
protocol TaskReader {
    /// Whether the files match the format of the program.
    static func recognizes(_ bundle: ImportBundle) -> Bool
    /// Returns the tasks in the files.
    static func read(_ bundle: ImportBundle, _ setting: ImportSetting) -> ImportedTasks
}
