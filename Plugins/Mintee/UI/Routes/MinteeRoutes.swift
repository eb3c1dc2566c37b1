import CivilDate
import Commands
import HubKit
import MinteeDomain

/// The HTTP routes of Mintee: the JSON that the page and other programs read. Each route calls the use case of
/// the corresponding command.
enum MinteeRoutes {
    static let all = DayRoutes.all + TaskRoutes.all + FormRoutes.all + AnalysisRoutes.all + HolidayRoutes.all + settings

    private static let settings = [
        Route(
            .get, "/api/mintee/theme", summary: "get the theme of the page",
            fields: themeFields
        ) { (mintee: MinteePlugin, _) in
            .output(.record(try await mintee.theme(), themeFields))
        },
        Route(
            .put, "/api/mintee/theme", summary: "set the theme of the page",
            fields: themeFields, isForPages: true
        ) { (mintee: MinteePlugin, request) in
            let name = try request.json()["theme"]?.string ?? ""
            return .output(.record(try await mintee.setTheme(name, operation: request.operation), themeFields))
        },
        Route(
            .get, "/api/mintee/check", summary: "list rule violations",
            fields: CheckCommand.fields
        ) {
            (mintee: MinteePlugin, _) in
            .output(.list(try await mintee.ruleViolations(), CheckCommand.fields))
        },
    ]

    private static let themeFields = [
        Field<Theme>("theme", "THEME", help: "current theme") { .text($0.rawValue) },
        Field<Theme>("themes", "THEMES", help: "available themes") { _ in FieldValue(Theme.allCases.map(\.rawValue)) },
    ]
}
