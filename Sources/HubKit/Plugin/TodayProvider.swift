package import CivilDate
package import Commands

/// One line of `hub today`, and one row of Today in the web app.
package struct TodayItem: Sendable {
    /// What a row offers to do at once: a `POST` to a route of the plugin.
    package struct Action: Sendable {
        /// The words for it, such as `Done`.
        package let words: String
        /// The path of the route.
        package let path: String
        /// The members of the JSON object that is sent.
        package let body: [String: String]

        package init(_ words: String, path: String, body: [String: String]) {
            self.words = words
            self.path = path
            self.body = body
        }
    }

    /// A count that a row changes by one.
    package struct Counter: Sendable {
        /// The count.
        package let value: Double
        /// What adds one.
        package let more: Action
        /// What takes one away.
        package let fewer: Action

        package init(_ value: Double, more: Action, fewer: Action) {
            self.value = value
            self.more = more
            self.fewer = fewer
        }
    }

    /// A link beside a row that leaves hub, such as a number to call.
    package struct Link: Sendable {
        /// The words for it, such as `Call`.
        package let words: String
        /// The name of an icon of the components.
        package let icon: String
        /// The address, such as `tel:+48123456789`.
        package let address: String

        package init(_ words: String, icon: String, address: String) {
            self.words = words
            self.icon = icon
            self.address = address
        }
    }

    /// A change that is good or bad news, such as a gain.
    package struct Trend: Sendable {
        /// The change in words, such as `+1.2 %`.
        package let words: String
        /// Whether it is good news.
        package let isGood: Bool

        package init(_ words: String, isGood: Bool) {
            self.words = words
            self.isGood = isGood
        }
    }

    /// The id of the item.
    package let id: String
    /// The line as a terminal shows it.
    package let text: String
    /// The main words of the row in the web app.
    package let title: String
    /// The words beside the title.
    package let detail: String
    /// What the row offers to do; nil for nothing.
    package let action: Action?
    /// The count that the row changes; nil for none.
    package var counter: Counter?
    /// The links beside the row.
    package var links: [Link] = []
    /// The day of the item, in front of the detail; nil for the day of the section.
    package var day: CivilDate?
    /// The time of the item, in front of the detail; nil for none.
    package var time: LocalTime?
    /// A change beside the detail; nil for none.
    package var trend: Trend?
    /// The part of the plugin's page that shows the item, such as `?view=portfolio`; nil for the item's own address.
    package var place: String?

    /// Creates an item; without a title the whole text is the title.
    package init(id: String, text: String, title: String? = nil, detail: String = "", action: Action? = nil) {
        self.id = id
        self.text = text
        self.title = title ?? text
        self.detail = detail
        self.action = action
    }
}

/// What a plugin has on a day.
package struct TodayItems: Sendable {
    /// The day that it shows: at night it may be another one than that of the calendar.
    package let day: CivilDate
    /// What is due then.
    package let items: [TodayItem]
}

/// A plugin's part of `hub today`, and its first section of Today in the web app.
package struct TodayProvider: Sendable {
    /// The heading of the section; nil for the title of the plugin.
    package let title: String?
    /// The number of rows that the section shows at first.
    package let rows: Int
    /// Returns what is due on the current day, or on the one that is `asked` for; a relative one counts from the current
    /// day of the plugin, which is `today` unless it has a day of its own.
    package let items:
        @Sendable (any PluginHost, _ today: CivilDate, _ asked: DateExpression?) async throws -> TodayItems

    /// Creates the provider for the plugin `P`. `today` is the current day of the plugin if it does not begin at midnight.
    package init<P: Plugin>(
        title: String? = nil, rows: Int = 5, today: (@Sendable (P) -> CivilDate)? = nil,
        _ body: @escaping @Sendable (P, CivilDate) async throws -> [TodayItem]
    ) {
        self.title = title
        self.rows = rows
        items = { host, calendarDay, asked in
            let plugin = try host.plugin(P.self)
            let current = today?(plugin) ?? calendarDay
            let day = asked?.day(today: current) ?? current
            return TodayItems(day: day, items: try await body(plugin, day))
        }
    }
}

/// A further section of Today in the web app: what is worth a look, without being due, such as the coming birthdays.
package struct TodaySection: Sendable {
    /// The name of the section among those of the plugin. The settings name it `PLUGIN/ID`.
    package let id: String
    /// The heading.
    package let title: String
    /// The number of rows that it shows at first.
    package let rows: Int
    /// The part of the plugin's page that shows all of it, such as `?view=dates`; empty for the page.
    package let place: String
    /// Returns the rows of the current day.
    package let items: @Sendable (any PluginHost, _ today: CivilDate) async throws -> [TodayItem]

    /// Creates the section of the plugin `P`.
    package init<P: Plugin>(
        _ id: String, title: String, rows: Int = 3, place: String = "",
        _ body: @escaping @Sendable (P, CivilDate) async throws -> [TodayItem]
    ) {
        self.id = id
        self.title = title
        self.rows = rows
        self.place = place
        items = { host, today in try await body(host.plugin(P.self), today) }
    }
}
