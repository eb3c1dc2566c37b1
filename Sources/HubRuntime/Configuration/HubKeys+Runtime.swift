package import Commands

// The settings that only the runtime reads.
extension HubKeys {
    /// `alias.NAME`: the command line of an alias.
    package static let alias = ConfigKey<String?>(
        "alias.*", .text, help: "command line that the alias expands to", example: #""contacts search""#, scope: .hub)
    /// `flows.NAME`: whether a flow is enabled.
    package static let flow = ConfigKey<Bool?>(
        "flows.*", .bool, help: "whether this flow is enabled", example: "true", scope: .hub)
    /// `hooks.NAME.on`: the topic pattern of a hook.
    package static let hookTopic = ConfigKey<String?>(
        "hooks.*.on", .text, help: "topic of the events that run the command; * matches any part",
        example: #""app.market/alert-raised""#, scope: .hub)
    /// `hooks.NAME.run`: the shell command of a hook.
    package static let hookCommand = ConfigKey<String?>(
        "hooks.*.run", .text, help: "shell command to run; it gets the event as JSON on stdin",
        example: #""notify-phone""#, scope: .hub)
    /// `hub.log`: the form of the log of background work on standard error.
    package static let logFormat = ConfigKey(
        "hub.log", .word(of: ["text", "json"]), default: "text",
        help: "form of the log of hub serve and hub notes serve on standard error", scope: .hub)
    /// `hub.web.listen`: the address and port of the web page.
    package static let webAddress = ConfigKey(
        "hub.web.listen", .text(#"an address and a port such as "127.0.0.1:4820""#, isValid: isAddress),
        default: "127.0.0.1:4820", help: "address on which hub serve serves the web page", scope: .hub)
    /// `hub.web.certificate`: the certificate of the web page.
    package static let webCertificate = ConfigKey<String?>(
        "hub.web.certificate", .path,
        help: "PEM file with the certificate and chain of the web page; created if needed",
        example: #""/etc/ssl/hub.pem""#, scope: .hub)
    /// `hub.web.key`: the key of ``webCertificate``.
    package static let webKey = ConfigKey<String?>(
        "hub.web.key", .path, help: "PEM file with the key of that certificate", example: #""/etc/ssl/hub.key""#,
        scope: .hub)
    /// `hub.web.names`: the names by which browsers call the web page, besides its address.
    package static let webNames = ConfigKey(
        "hub.web.names", .list(of: hostName), default: [],
        help: "host names of the web page, such as that of a proxy before it", example: #"["box.tail1234.ts.net"]"#,
        scope: .hub)
    /// `hub.web.push_contact`: the address that push services are told, to reach the operator of this server.
    package static let pushContact = ConfigKey<String?>(
        "hub.web.push_contact",
        .text(#"an address such as "mailto:ann@example.org""#) { $0.hasPrefix("mailto:") || $0.hasPrefix("https://") },
        otherwise: "own address", help: "your address for the push services of browsers",
        example: #""mailto:ann@example.org""#, scope: .hub)
    /// `hub.web.push_services`: push services besides those of the known browsers.
    package static let pushServices = ConfigKey(
        "hub.web.push_services", .list(of: hostName), default: [],
        help: "hosts of further push services, besides those of the known browsers", example: #"["ntfy.example.org"]"#,
        scope: .hub)

    /// The name of a host, without a port.
    private static let hostName = ConfigType<String>.text(#"a host name such as "box.example.org""#) { text in
        !text.isEmpty && text.utf8.count <= 253
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) || "-.0123456789".utf8.contains($0)
            }
    }

    /// `hub.dav.listen`: the address and port of the server for devices; nil turns it off.
    package static let devicesAddress = ConfigKey<String?>(
        "hub.dav.listen", .text(#"an address and a port such as "192.168.1.20:4843""#, isValid: isAddress),
        otherwise: "off", help: "address on which hub serve serves contacts to phones and other programs",
        example: #""192.168.1.20:4843""#, scope: .hub)
    /// `hub.dav.names`: the names by which devices call ``devicesAddress``.
    package static let devicesNames = ConfigKey(
        "hub.dav.names", .list(of: .text), default: [],
        help: "host names by which devices call that address, besides the address itself",
        example: #"["hub.example.org"]"#, scope: .hub)
    /// `hub.assistants.hide`: what assistants do not see.
    package static let assistantsHide = ConfigKey(
        "hub.assistants.hide", .list(of: .text), default: [],
        help: "items that hub mcp keeps from assistants, by tag, folder or reference",
        example: #"["tag:private", "folder:Diary", "contacts:7kt"]"#, scope: .hub)
    /// `hub.dav.certificate`: the certificate of the server for devices.
    package static let devicesCertificate = ConfigKey<String?>(
        "hub.dav.certificate", .path,
        help: "PEM file with the certificate and chain of the server for devices; created if needed",
        example: #""/etc/ssl/hub.pem""#, scope: .hub)
    /// `hub.dav.key`: the key of ``devicesCertificate``.
    package static let devicesKey = ConfigKey<String?>(
        "hub.dav.key", .path, help: "PEM file with the key of that certificate", example: #""/etc/ssl/hub.key""#,
        scope: .hub)
    /// `hub.dav.files_limit`: the megabytes of all files that devices may store for their programs.
    package static let devicesFilesLimit = ConfigKey(
        "hub.dav.files_limit", .integer(in: 0...1_000_000), default: 2000,
        help: "megabytes of all files that devices may store for programs of others", scope: .hub)
    /// `hub.join.audio`: the sounds of records that come from the machine that this one has joined before they are needed.
    package static let joinAudio = ConfigKey(
        "hub.join.audio", .word, default: FetchedFiles.all,
        help:
            "sounds of records that come from a joined machine by themselves: all, those of 30 days, or none until they are played",
        scope: .hub)
    /// `hub.backup.folder`: the folder of backups that `hub serve` makes.
    package static let backupFolder = ConfigKey<String?>(
        "hub.backup.folder", .path, help: "folder into which hub serve backs up the store",
        example: #""/mnt/backup/hub""#,
        scope: .hub)
    /// `hub.backup.every`: the time between two backups.
    package static let backupEvery = ConfigKey(
        "hub.backup.every", .duration, default: .seconds(86_400), help: "time between two backups by hub serve",
        scope: .hub)
    /// `hub.backup.keep`: which backups stay.
    package static let backupKeep = ConfigKey(
        "hub.backup.keep",
        .text(#"numbers of days, weeks and months such as "7d 4w 12m""#) { BackupRetention($0) != nil },
        default: "7d 4w 12m", help: "days, weeks and months of which hub serve keeps the newest backup", scope: .hub)
    /// The values of `hub.web.color_scheme`: light or dark pages, or as the system is set.
    package enum ColorScheme: String, CaseIterable, Sendable { case auto, light, dark }
    /// `hub.web.color_scheme`: whether pages are light or dark.
    package static let colorScheme = ConfigKey(
        "hub.web.color_scheme", ConfigType<ColorScheme>.word, default: .auto,
        help: "whether pages are light or dark; auto follows the system", scope: .hub)
    /// `hub.web.shortcuts`: whether single keys act on pages (WCAG 2.2, 2.1.4).
    package static let shortcuts = ConfigKey(
        "hub.web.shortcuts", .bool, default: true, help: "whether single-key shortcuts such as n or / work", scope: .hub
    )

    /// The values of `hub.web.clock`: whether times have twelve or twenty-four hours.
    package enum Clock: String, CaseIterable, Sendable {
        case auto
        case twelve = "12h"
        case twentyFour = "24h"
    }
    /// `hub.web.clock`: how pages write times.
    package static let clock = ConfigKey(
        "hub.web.clock", ConfigType<Clock>.word, default: .auto,
        help: "hours of times on pages; auto follows the locale", scope: .hub)
    /// `hub.web.today_order`: the sections of Today that come first, in their order.
    package static let todayOrder = ConfigKey(
        "hub.web.today_order", .list(of: section), default: [], help: "sections of Today that come first",
        example: #"["mintee", "contacts/coming"]"#, scope: .hub)
    /// `hub.web.today_hidden`: the sections of Today that are not shown.
    package static let todayHidden = ConfigKey(
        "hub.web.today_hidden", .list(of: section), default: [], help: "sections of Today that are hidden",
        example: #"["market/portfolio"]"#, scope: .hub)

    /// A section of Today: a plugin, or a plugin and the name of one of its further sections.
    private static let section = ConfigType<String>.text(#"a section such as "contacts/coming""#) { text in
        !text.isEmpty
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || "-/_0123456789".utf8.contains($0)
            }
    }

    /// The enabled plugins among the built-in ones. An unknown name is ignored: the hub that
    /// knows it may be an older or a newer one.
    package static func enabledPlugins(among ids: [String]) -> ConfigKey<[String]> {
        let words = ConfigType<String>.word(of: ids)
        let anyWord = ConfigType(
            words.expectation, shape: .text, choices: words.choices, write: words.write,
            read: ConfigType<String>.text(words.expectation) { !$0.isEmpty }.read)
        return ConfigKey(
            "plugins.enabled", .list(of: anyWord), default: ids,
            help: "enabled plugins; data of the others is kept", scope: .hub)
    }

    /// The path of ``enabledPlugins(among:)``.
    static let enabledPluginsPath = ConfigPath(["plugins", "enabled"])

    /// All core settings, including those that plugins may read, in the order in which `config init` writes them.
    static func all(plugins ids: [String]) -> [any ConfigDeclaration] {
        HubKeys.all + [
            logFormat, webAddress, webNames, webCertificate, webKey, pushContact, pushServices, LiveKey(colorScheme),
            LiveKey(shortcuts), LiveKey(clock),
            LiveKey(todayOrder), LiveKey(todayHidden), LiveKey(alias), flow,
            hookTopic, hookCommand, devicesAddress, devicesNames, devicesCertificate, devicesKey, devicesFilesLimit,
            joinAudio,
            backupFolder, backupEvery, backupKeep, assistantsHide,
            enabledPlugins(among: ids),
        ]
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
