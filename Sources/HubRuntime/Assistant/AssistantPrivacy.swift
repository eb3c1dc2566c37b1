import Commands
import HubKit
import Storage

/// What the person keeps from assistants: items by tag, by folder, or one by one. To an assistant they do not exist.
struct AssistantPrivacy: Sendable {
    private enum Rule: Sendable {
        /// Items with this label, such as `tag:private`; for a folder those of its subfolders, too.
        case label(String)
        /// One item, such as `contacts:7kt`.
        case item(plugin: String, id: String)
    }

    private let rules: [Rule]

    /// Whether anything is kept.
    var isNeeded: Bool { !rules.isEmpty }

    /// Reads the rules of `hub.assistants.hide`. Throws `config` for one that cannot be read: an assistant must not see what a typing
    /// error leaves open.
    init(_ texts: [String], plugins: [String]) throws(HubError) {
        var rules: [Rule] = []
        for text in texts {
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw Self.unreadable(text) }
            switch parts[0] {
            case "tag": rules.append(.label("tag:" + parts[1].lowercased()))
            case "folder": rules.append(.label("folder:" + parts[1].lowercased()))
            case let plugin where plugins.contains(plugin) && Identifier.isPrefix(parts[1]) && parts[1].utf8.count >= 3:
                rules.append(.item(plugin: plugin, id: parts[1]))
            default: throw Self.unreadable(text)
            }
        }
        self.rules = rules
    }

    private static func unreadable(_ text: String) -> HubError {
        HubError(
            .config, code: "rule-unreadable", "hub.assistants.hide: cannot read \"\(text.prefix(60))\"",
            hint: "write tag:private, folder:Diary, or an item such as contacts:7kt")
    }

    /// Whether an item of a plugin is kept from assistants.
    func hides(_ id: String, of plugin: PluginDescriptor, _ host: any PluginHost) async throws -> Bool {
        if rules.isEmpty { return false }
        for case .item(plugin.id, let start) in rules where id.hasPrefix(start) { return true }
        let labels = try await plugin.labels(of: id, host)
        return rules.contains { rule in
            guard case .label(let hidden) = rule else { return false }
            return labels.contains { $0 == hidden || hidden.hasPrefix("folder:") && $0.hasPrefix(hidden + "/") }
        }
    }
}
