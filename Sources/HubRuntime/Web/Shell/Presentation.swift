import Commands
import HubKit

/// The look and behaviour of all pages, as the settings say. The server writes it into each page, so that nothing changes after
/// the first paint.
package struct Presentation: Hashable, Sendable {
    /// The name of the theme; empty for the default one.
    var theme = ""
    /// Whether pages are light, dark, or as the system is set.
    var scheme = HubKeys.ColorScheme.auto
    /// Whether single keys act on pages.
    var hasShortcuts = true
    /// The first day of the week.
    var weekStart = HubKeys.WeekStart.mon
    /// Whether times have twelve or twenty-four hours.
    var clock = HubKeys.Clock.auto
    /// The language tag for dates and numbers, such as `en-GB` (BCP 47); nil for that of the browser.
    var locale: String?

    /// The presentation of a page without settings.
    package init() {}

    /// Reads the presentation from the config file and from the plugin that offers themes.
    ///
    /// A file that cannot be used gives the defaults: the page on which it can be repaired must not fail for it.
    init(_ hub: Hub) async {
        if let config = try? hub.configManager.load().checked().core {
            scheme = config[HubKeys.colorScheme]
            hasShortcuts = config[HubKeys.shortcuts]
            weekStart = config[HubKeys.weekStart]
            clock = config[HubKeys.clock]
            locale = config[HubKeys.locale].flatMap(Self.languageTag)
        }
        for descriptor in (try? hub.enabledDescriptors()) ?? [] {
            guard let provider = descriptor.providers.theme else { continue }
            let current = try? await provider.current(hub)
            if let current, current != provider.names.first { theme = current }
        }
    }

    /// `sr_RS@latin` as a language tag: `sr-RS`; nil for `C`.
    private static func languageTag(_ locale: String) -> String? {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        return name.count < 2 || name == "POSIX" ? nil : String(name).replacing("_", with: "-")
    }

    /// The attributes of the element `html`.
    var attributes: String {
        var text = "data-theme=\"\(HTML.escape(theme))\" data-week-start=\"\(weekStart.rawValue)\""
        if scheme != .auto { text += " data-scheme=\"\(scheme.rawValue)\"" }
        if !hasShortcuts { text += " data-shortcuts=\"off\"" }
        if clock != .auto { text += " data-clock=\"\(clock.rawValue)\"" }
        if let locale { text += " data-locale=\"\(HTML.escape(locale))\"" }
        return text
    }

    /// The elements that colour what is around the page: the bar of a phone's browser.
    var themeColor: String {
        let (light, dark) = Self.paper[theme] ?? ("#fbfbfa", "#17181a")
        func meta(_ color: String, _ media: String = "") -> String {
            "<meta name=\"theme-color\" content=\"\(color)\"\(media)>"
        }
        switch scheme {
        case .light: return meta(light)
        case .dark: return meta(dark)
        case .auto:
            return meta(light, " media=\"(prefers-color-scheme: light)\"")
                + meta(dark, " media=\"(prefers-color-scheme: dark)\"")
        }
    }

    /// The colours of the bar at the top, by theme; themes.css has them too.
    private static let paper = ["Jungle": ("#f7fbf5", "#0f1a12"), "Ocean": ("#f6fafd", "#0c1620")]
}
