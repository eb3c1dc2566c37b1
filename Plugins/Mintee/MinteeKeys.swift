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

    static let all: [any ConfigDeclaration] = [dayStarts, birthdayTask, birthdayTag, birthdayRemind]
}
