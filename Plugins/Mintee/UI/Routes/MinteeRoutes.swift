import CivilDate
import HubKit
import MinteeDomain

/// The HTTP routes of Mintee: the page, and the JSON that it and other programs read. Each route calls the use case of
/// the corresponding command.
enum MinteeRoutes {
    static let all = pages + DayRoutes.all + TaskRoutes.all + FormRoutes.all + AnalysisRoutes.all + settings

    private static let pages =
        [
            asset("/mintee", "the page", PackageResources.mintee_html, "text/html; charset=utf-8"),
            asset(
                "/mintee/mintee.css", "style sheet of the page", PackageResources.mintee_css, "text/css; charset=utf-8"),
            asset("/mintee/themes.css", "themes of the page", PackageResources.themes_css, "text/css; charset=utf-8"),
        ]
        + scripts.map { name, bytes in
            asset("/mintee/\(name).js", "a script", bytes, "text/javascript; charset=utf-8")
        }

    /// The modules of the page.
    private static let scripts = [
        ("mintee", PackageResources.mintee_js),
        ("page", PackageResources.page_js),
        ("text", PackageResources.text_js),
        ("today", PackageResources.today_js),
        ("card", PackageResources.card_js),
        ("entry", PackageResources.entry_js),
        ("manage", PackageResources.manage_js),
        ("task", PackageResources.task_js),
        ("values", PackageResources.values_js),
        ("form", PackageResources.form_js),
        ("taskform", PackageResources.taskform_js),
        ("span", PackageResources.span_js),
        ("tags", PackageResources.tags_js),
        ("sets", PackageResources.sets_js),
        ("popup", PackageResources.popup_js),
        ("bubbles", PackageResources.bubbles_js),
        ("bounds", PackageResources.bounds_js),
        ("dates", PackageResources.dates_js),
        ("losses", PackageResources.losses_js),
        ("analyses", PackageResources.analyses_js),
        ("arrange", PackageResources.arrange_js),
        ("analysisform", PackageResources.analysisform_js),
        ("legend", PackageResources.legend_js),
        ("chart", PackageResources.chart_js),
        ("settings", PackageResources.settings_js),
        ("keys", PackageResources.keys_js),
    ]

    private static let settings = [
        Route(.get, "/api/mintee/theme", summary: "get the theme of the page") { (mintee: MinteePlugin, _) in
            .output(.record(try await mintee.theme(), themeFields))
        },
        Route(.put, "/api/mintee/theme", summary: "set the theme of the page") { (mintee: MinteePlugin, request) in
            let name = try request.json()["theme"]?.string ?? ""
            return .output(.record(try await mintee.setTheme(name, operation: request.operation), themeFields))
        },
        Route(.get, "/api/mintee/check", summary: "list rule violations") {
            (mintee: MinteePlugin, _) in
            .output(.list(try await mintee.ruleViolations(), CheckCommand.fields))
        },
    ]

    private static let themeFields = [
        Field<Theme>("theme", "THEME", help: "current theme") { .text($0.rawValue) },
        Field<Theme>("themes", "THEMES", help: "available themes") { _ in FieldValue(Theme.allCases.map(\.rawValue)) },
    ]

    private static func asset(_ path: String, _ summary: String, _ bytes: [UInt8], _ type: String) -> Route {
        Route(.get, path, summary: summary) { (_: MinteePlugin, _) in .asset(bytes, contentType: type) }
    }
}

extension Entities {
    /// Returns the item with the id of a path, or the only one whose id begins with it, as in `hub web mintee:7kt`.
    func item(_ id: String) async throws -> Record {
        do {
            return try await get(id)
        } catch let error as HubError where error.kind == .notFound && Identifier.isPrefix(id) {
            let found = try await resolve(id)
            guard found.count == 1 else { throw error }
            return try await get(found[0].id)
        }
    }
}
