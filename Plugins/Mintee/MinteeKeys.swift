import HubKit

/// The settings under `plugins.mintee`.
enum MinteeKeys {
    static let dayStarts = ConfigKey(
        "day_starts", ConfigType<TimeOfDay>.timeOfDay, otherwise: "midnight",
        help: "until then it is still yesterday", example: #""04:00""#)

    static let all: [any ConfigDeclaration] = [dayStarts]
}
