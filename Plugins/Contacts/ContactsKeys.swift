import ContactsDomain
import HubKit

/// The settings under `plugins.contacts`.
enum ContactsKeys {
    static let nameOrder = ConfigKey(
        "sort_by", ConfigType<NameOrder>.word, default: .familyFirst, help: "which part of a name is sorted by first")
    static let remindDays = ConfigKey(
        "remind_days", .integer(in: 0...60), default: 3, help: "how many days ahead a birthday is told of")

    static let all: [any ConfigDeclaration] =
        [nameOrder, remindDays, AccountKeys.defaultBook] + AccountKeys.contacts.all
}

extension IndexRules {
    /// How rows are derived for a person with these settings.
    init(_ config: Config) {
        self.init(
            locale: config[HubKeys.locale] ?? "en", nameOrder: config[ContactsKeys.nameOrder],
            region: config[HubKeys.region])
    }
}
