import Commands
import HubKit
import MinteeDomain

/// The route of calendars of holidays, which the form of a task offers.
enum HolidayRoutes {
    static let all = [
        Route(
            .get, "/api/mintee/holidays", summary: "list calendars of holidays", fields: HolidaysCommands.fields
        ) { (mintee: MinteePlugin, _) in
            .output(.list(try await mintee.holidays(), HolidaysCommands.fields))
        }
    ]
}
