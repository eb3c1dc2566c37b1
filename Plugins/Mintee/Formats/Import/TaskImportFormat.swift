/// The formats in which tasks come from other programs, in the order in which files are compared with them.
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
    /// A calendar, of hub or of any other program.
    case ics
    /// hub's own JSON.
    case json = "mintee-json"

    /// The format that the files look like; nil when they look like none.
    package init?(sniffing bundle: ImportBundle) {
        guard let format = TaskImportFormat.allCases.first(where: { $0.recognizes(bundle) }) else { return nil }
        self = format
    }

    /// What a person calls it.
    package var title: String {
        switch self {
        case .loop: "Loop Habit Tracker (zip, folder or database)"
        case .harsh: "harsh"
        case .habitctl: "habitctl"
        case .taskwarrior: "taskwarrior"
        case .habitica: "Habitica (userdata.json or history.csv)"
        case .habitbull: "HabitBull"
        case .ics: "iCalendar"
        case .json: "hub's own JSON"
        }
    }

    /// What reads it; nil for hub's own documents, which Store knows.
    private var reader: (any TaskReader.Type)? {
        switch self {
        case .loop: LoopReader.self
        case .harsh: HarshReader.self
        case .habitctl: HabitctlReader.self
        case .taskwarrior: TaskwarriorReader.self
        case .habitica: HabiticaReader.self
        case .habitbull: HabitBullReader.self
        case .ics: CalendarReader.self
        case .json: nil
        }
    }

    private func recognizes(_ bundle: ImportBundle) -> Bool {
        reader?.recognizes(bundle) ?? OwnExport.recognizes(bundle)
    }

    /// The tasks of files of this format as the program tells them; never fails as a whole. What Store reads is not
    /// among them: hub's own JSON, and Loop's database.
    package func read(_ bundle: ImportBundle, _ setting: ImportSetting) -> ImportedTasks {
        reader?.read(bundle, setting) ?? ImportedTasks()
    }
}

/// Reads the files of one program. What is wrong with an item is told, and the next one is read.
protocol TaskReader {
    /// Whether the files look like those of the program.
    static func recognizes(_ bundle: ImportBundle) -> Bool
    /// The tasks in the files, as the program tells them.
    static func read(_ bundle: ImportBundle, _ setting: ImportSetting) -> ImportedTasks
}
