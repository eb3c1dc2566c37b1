import HubKit

/// The settings under `plugins.mintee`.
enum MinteeKeys {
    static let dayStarts = ConfigKey(
        "day_starts", ConfigType<TimeOfDay>.timeOfDay, otherwise: "midnight",
        help: "until then it is still yesterday", example: #""04:00""#)

    static let birthdayTask = ConfigKey(
        "birthday.task", .text, default: "Congratulate {name}", help: "the task that a birthday makes")
    static let birthdayTag = ConfigKey("birthday.tag", .text, default: "birthday", help: "its tag; empty for none")
    static let birthdayRemind = ConfigKey(
        "birthday.remind", ConfigType<TimeOfDay>.timeOfDay, otherwise: "no reminder", help: "when to be reminded of it",
        example: #""09:00""#)

    static let daysBack = ConfigKey(
        "sync.days_back", .integer(in: 0...365), default: 30,
        help: "how many days back a calendar shows what was due")
    static let daysAhead = ConfigKey(
        "sync.days_ahead", .integer(in: 0...365), default: 14,
        help: "how many days ahead a calendar shows what is due")
    static let filledBack = ConfigKey(
        "sync.filled_days_back", .integer(in: 0...3660), default: 90,
        help: "how many days back a calendar shows what was done")

    static let all: [any ConfigDeclaration] =
        [dayStarts, birthdayTask, birthdayTag, birthdayRemind, daysBack, daysAhead, filledBack]
        + AccountKeys.mintee.all
}
