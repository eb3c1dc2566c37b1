import Commands
import HubKit
import Storage
import WebServer

extension WebRoute {
    /// `GET /settings`: the settings of all pages, and the browsers that are logged in.
    static func settingsPage(in shell: WebShell) -> WebRoute {
        let layout = HTMLLayout(
            title: "Settings", place: "settings", body: "<div id=\"settings\" aria-busy=\"true\"></div>",
            styles: ["/assets/home.css"], script: "/assets/settings.js")
        return WebRoute(.get, "/settings") { _, _ in await shell.page(layout) }
    }

    /// `GET` and `PUT /api/settings`: `{"scheme": "auto", "shortcuts": true, "week_start": "mon", "clock": "auto", "locale": null,
    /// "theme": …}`. Of a change only the members that it has are set, and also `today_order` and `today_hidden`, the sections of
    /// Today.
    static func settings(_ hub: Hub) -> [WebRoute] {
        let settings = WebSettings(hub)
        return [
            WebRoute(.get, "/api/settings") { _, _ in try await settings.response() },
            WebRoute(.put, "/api/settings") { request, _ in
                let operation = Operation("web settings", commandLine: "page: change the settings")
                try await settings.change(request.body, operation: operation)
                return try await settings.response()
            },
        ]
    }
}

/// The settings that the page shows: three in the config file, and the theme, which a plugin keeps.
private struct WebSettings: Sendable {
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    private var themes: ThemeProvider? {
        get throws { try hub.enabledDescriptors().lazy.compactMap { $0.providers.theme }.first }
    }

    func response() async throws -> HTTPResponse {
        let config = try hub.configManager.load().checked().core
        let themes = try themes
        let theme = try await themes?.current(hub)
        return .json { json in
            json.object { json in
                json.name("scheme")
                json.value(config[HubKeys.colorScheme].rawValue)
                json.name("shortcuts")
                json.value(config[HubKeys.shortcuts])
                json.name("week_start")
                json.value(config[HubKeys.weekStart].rawValue)
                json.name("clock")
                json.value(config[HubKeys.clock].rawValue)
                json.name("locale")
                if let locale = config[HubKeys.locale] { json.value(locale) } else { json.null() }
                json.name("theme")
                if let theme { json.value(theme) } else { json.null() }
                json.name("themes")
                json.array { json in
                    for name in themes?.names ?? [] { json.value(name) }
                }
            }
        }
    }

    func change(_ body: [UInt8], operation: Operation) async throws {
        guard let json = try? JSONReader.read(body, limits: JSONReader.Limits(bytes: 1 << 12, depth: 3)),
            case .object = json
        else {
            throw HubError(
                .invalid, code: "json-invalid", "the body is not a JSON object",
                hint: #"send an object such as {"scheme": "dark"}"#)
        }
        if let scheme = json["scheme"]?.string { try await set("hub.web.color_scheme", to: scheme) }
        if let shortcuts = json["shortcuts"]?.bool { try await set("hub.web.shortcuts", to: String(shortcuts)) }
        if let day = json["week_start"]?.string { try await set("hub.week_start", to: day) }
        if let clock = json["clock"]?.string { try await set("hub.web.clock", to: clock) }
        if let locale = json["locale"] {
            if let name = locale.string { try await set("hub.locale", to: name) } else { try await unset("hub.locale") }
        }
        for setting in ["today_order", "today_hidden"] {
            guard let sections = json[setting]?.array?.compactMap(\.string) else { continue }
            try await set("hub.web.\(setting)", to: sections.joined(separator: ","))
        }
        if let theme = json["theme"]?.string { try await themes?.choose(hub, theme, operation) }
    }

    private func unset(_ setting: String) async throws {
        let manager = hub.configManager
        let parts = setting.split(separator: ".").map(String.init)
        try await BackgroundThread.run { try manager.apply([.remove(ConfigPath(parts))], below: []) }
    }

    private func set(_ setting: String, to value: String) async throws {
        let manager = hub.configManager
        let change = try await BackgroundThread.run { try manager.set(setting, to: value) }
        guard let variable = change.hiddenBy else { return }
        throw HubError(
            .config, code: "setting-hidden",
            "\(setting) is saved, but the environment variable \(variable) is still used",
            hint: "remove \(variable) and restart hub serve")
    }
}
