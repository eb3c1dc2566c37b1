package import HubKit

/// The settings that only the runtime reads.
package enum CoreKeys {
    package static let alias = ConfigKey<String?>(
        "alias.*", .text, help: "a command line that one word stands for", example: #""contacts search""#, scope: .hub)
    package static let flow = ConfigKey<Bool?>(
        "flows.*", .bool, help: "whether facts of one plugin make things in another", example: "true", scope: .hub)
    package static let hookTopic = ConfigKey<String?>(
        "hooks.*.on", .text, help: "the topic of the events that run a command; * stands for any part",
        example: #""app.market/alert-raised""#, scope: .hub)
    package static let hookCommand = ConfigKey<String?>(
        "hooks.*.run", .text, help: "the shell command; it gets the event as JSON on its standard input",
        example: #""notify-phone""#, scope: .hub)
    package static let webAddress = ConfigKey(
        "hub.web.listen", .text(#"an address and a port such as "127.0.0.1:4820""#, isValid: isAddress),
        default: "127.0.0.1:4820", help: "where hub serve serves the web page", scope: .hub)

    /// The plugins that are on, among those that are built in. A name that none of them has means nothing: the hub that
    /// knows it may be an older or a newer one.
    package static func enabledPlugins(among ids: [String]) -> ConfigKey<[String]> {
        let words = ConfigType<String>.word(of: ids)
        let anyWord = ConfigType(
            words.expectation, shape: .text, choices: words.choices, write: words.write,
            read: ConfigType<String>.text(words.expectation) { !$0.isEmpty }.read)
        return ConfigKey(
            "plugins.enabled", .list(of: anyWord), default: ids,
            help: "the plugins that are on; the data of the others stays", scope: .hub)
    }

    /// The path of ``enabledPlugins(among:)``.
    static let enabledPluginsPath = ConfigPath(["plugins", "enabled"])

    /// All of them, with those that plugins may read as well, in the order of the file that `config init` writes.
    static func all(plugins ids: [String]) -> [any ConfigDeclaration] {
        HubKeys.all + [webAddress, alias, flow, hookTopic, hookCommand, enabledPlugins(among: ids)]
    }

    /// `host:port`, an IPv6 address in brackets.
    @Sendable private static func isAddress(_ text: String) -> Bool {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return false
        }
        let host = text[..<colon]
        return port > 0 && !host.isEmpty && (host.hasPrefix("[") && host.hasSuffix("]") || !host.contains(":"))
    }
}
