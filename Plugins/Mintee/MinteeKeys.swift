import Commands

/// The settings under `plugins.mintee`.
enum MinteeKeys {
    static let dayStarts = ConfigKey(
        "day_starts", ConfigType<TimeOfDay>.timeOfDay, otherwise: "midnight",
        help: "time at which a day begins", example: #""04:00""#)

    /// What a day without an entry is for a target that 0 reaches.
    enum UntouchedLimits: String, CaseIterable, Sendable { case reached, unknown }

    static let untouchedLimits = ConfigKey(
        "untouched_limits", ConfigType<UntouchedLimits>.word, default: .reached,
        help: "state of a day without an entry whose target 0 would reach")
    static let openFirst = ConfigKey(
        "open_first", .bool, default: false, help: "show open tasks of a day before those that are done")

    static let partialScore = ConfigKey(
        "score.partial", .bool, default: false, help: "count the share of a missed target in the score")

    static let birthdayTask = ConfigKey(
        "birthday.task", .text, default: "Wish {name} a happy birthday", help: "name of the task created for a birthday"
    )
    static let birthdayTag = ConfigKey(
        "birthday.tag", .text, default: "birthday", help: "tag of the birthday task; empty for none")
    static let birthdayRemind = ConfigKey(
        "birthday.remind", ConfigType<TimeOfDay>.timeOfDay, otherwise: "no reminder",
        help: "reminder time of the birthday task",
        example: #""09:00""#)

    static let daysBack = ConfigKey(
        "sync.days_back", .integer(in: 0...365), default: 1,
        help: "number of past days to show in calendars")
    static let daysAhead = ConfigKey(
        "sync.days_ahead", .integer(in: 0...365), default: 14,
        help: "number of future days to show in calendars")
    static let filledBack = ConfigKey(
        "sync.filled_days_back", .integer(in: 0...3660), default: 90,
        help: "number of past days with entries to show in calendars")

    /// The settings besides those of the accounts.
    static let all: [any ConfigDeclaration] = [
        dayStarts, untouchedLimits, openFirst, partialScore, birthdayTask, birthdayTag, birthdayRemind, daysBack,
        daysAhead,
        filledBack,
    ]
}
