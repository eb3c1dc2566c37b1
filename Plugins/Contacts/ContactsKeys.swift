import ContactsDomain
import HubKit

/// The settings under `plugins.contacts`.
enum ContactsKeys {
    static let nameOrder = ConfigKey(
        "sort_by", ConfigType<NameOrder>.word, default: .familyFirst, help: "part of the name to sort by first")
    static let remindDays = ConfigKey(
        "remind_days", .integer(in: 0...60), default: 3, help: "days in advance to remind of a birthday")

    /// The settings besides those of the accounts.
    static let all: [any ConfigDeclaration] = [nameOrder, remindDays, AddressBooks.defaultBook]
}

extension IndexingOptions {
    /// The options with which index rows are derived under these settings.
    init(_ config: Config) {
        self.init(
            locale: config[HubKeys.locale] ?? "en", nameOrder: config[ContactsKeys.nameOrder],
            region: config[HubKeys.region])
    }
}
