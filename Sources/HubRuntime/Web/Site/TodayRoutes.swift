import CivilDate
import Commands
import HubKit
import WebServer

extension WebRoute {
    /// `GET /`: what is due today in all plugins, and for a plugin that holds nothing the way to begin.
    static func home(in shell: WebShell) -> WebRoute {
        // On a phone what is added most floats within reach of the thumb.
        let floating = """
            <span class="floating on-phone"><button class="main" type="button" data-shell="add">\
            \(Icon.svg(Icon.add))<span>Add</span></button></span>
            """
        let layout = HTMLLayout(
            title: "Today", place: "", toolbar: floating,
            body: "<div id=\"today\" aria-busy=\"true\"></div>",
            styles: ["/assets/home.css"],
            script: "/assets/today.js")
        return WebRoute(.get, "/") { _, _ in await shell.page(layout) }
    }

    /// `GET /api/today`: the sections of all plugins with a page in the order of the settings, and the invitation of each plugin
    /// that holds nothing. A section that is hidden is named and not read.
    static func today(_ hub: Hub) -> WebRoute {
        WebRoute(.get, "/api/today", use: .scope(.everything)) { _, _ in
            let date = hub.clock.today
            let layout = TodayLayout(hub)
            let plugins = try hub.enabledDescriptors().filter { $0.page != nil }
            var sections: [TodayPart] = []
            for (plugin, section) in layout.arranged(plugins) {
                let part = try await TodayPart(
                    plugin, section, isHidden: layout.hidden.contains(TodayLayout.id(plugin, section)), on: date, hub)
                sections.append(part)
            }
            let busy = Set(sections.filter { !$0.items.isEmpty }.map(\.plugin.id))
            var invitations: [(plugin: String, firstUse: FirstUse)] = []
            for plugin in plugins where !busy.contains(plugin.id) {
                guard let firstUse = plugin.page?.firstUse, try await firstUse.isEmpty(hub) else { continue }
                invitations.append((plugin.id, firstUse))
            }
            return .json { json in
                json.object { json in
                    json.name("date")
                    json.value("\(date)")
                    json.name("is_new")
                    json.value(!plugins.isEmpty && invitations.count == plugins.count)
                    json.name("sections")
                    json.array { json in
                        for section in sections { section.write(to: &json) }
                    }
                    json.name("invitations")
                    json.array { json in
                        for (plugin, firstUse) in invitations { firstUse.write(of: plugin, to: &json) }
                    }
                }
            }
        }
    }
}

/// The order of the sections of Today, and those that are hidden, as the settings say.
struct TodayLayout: Sendable {
    let order: [String]
    let hidden: Set<String>

    init(order: [String], hidden: Set<String>) {
        self.order = order
        self.hidden = hidden
    }

    init(_ hub: Hub) {
        let config = try? hub.configManager.load().checked().core
        order = config?[HubKeys.todayOrder] ?? []
        hidden = Set(config?[HubKeys.todayHidden] ?? [])
    }

    /// The name of a section in the settings: that of the plugin for what is due, `PLUGIN/ID` for a further one.
    static func id(_ plugin: PluginDescriptor, _ section: TodaySection?) -> String {
        section.map { "\(plugin.id)/\($0.id)" } ?? plugin.id
    }

    /// All sections: those of the settings, then what is due in each plugin, then the further sections. Nil stands for what is
    /// due.
    func arranged(_ plugins: [PluginDescriptor]) -> [(plugin: PluginDescriptor, section: TodaySection?)] {
        var all: [(plugin: PluginDescriptor, section: TodaySection?)] =
            plugins.filter { $0.providers.today != nil }.map { ($0, nil) }
        for plugin in plugins { all += plugin.providers.sections.map { (plugin, $0) } }
        let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
        return all.enumerated().sorted { one, other in
            let places = [one, other].map { places[Self.id($0.element.plugin, $0.element.section)] ?? .max }
            return (places[0], one.offset) < (places[1], other.offset)
        }.map(\.element)
    }
}

/// A section of Today with its rows.
private struct TodayPart {
    let plugin: PluginDescriptor
    let section: TodaySection?
    let isHidden: Bool
    let day: CivilDate
    let items: [TodayItem]

    init(
        _ plugin: PluginDescriptor, _ section: TodaySection?, isHidden: Bool, on date: CivilDate, _ hub: Hub
    ) async throws {
        self.plugin = plugin
        self.section = section
        self.isHidden = isHidden
        if isHidden {
            (day, items) = (date, [])
        } else if let section {
            (day, items) = (date, try await section.items(hub, date))
        } else {
            let due = try await plugin.providers.today?.items(hub, date, nil)
            (day, items) = (due?.day ?? date, due?.items ?? [])
        }
    }

    func write(to json: inout JSONWriter) {
        let due = plugin.providers.today
        json.object { json in
            json.name("id")
            json.value(TodayLayout.id(plugin, section))
            json.name("plugin")
            json.value(plugin.id)
            json.name("title")
            json.value(section?.title ?? due?.title ?? plugin.pageTitle)
            json.name("is_due")
            json.value(section == nil)
            json.name("is_hidden")
            json.value(isHidden)
            json.name("path")
            json.value("/\(plugin.id)\(section?.place ?? "")")
            json.name("date")
            json.value("\(day)")
            json.name("rows")
            json.value(section?.rows ?? due?.rows ?? 0)
            json.name("items")
            json.array { json in
                for item in items { item.write(of: plugin, to: &json) }
            }
        }
    }
}

extension TodayItem {
    fileprivate func write(of plugin: PluginDescriptor, to json: inout JSONWriter) {
        json.object { json in
            json.name("title")
            json.value(title)
            json.name("detail")
            json.value(detail)
            json.name("path")
            json.value(place.map { "/\(plugin.id)\($0)" } ?? plugin.path(of: id))
            json.name("day")
            if let day { json.value("\(day)") } else { json.null() }
            json.name("time")
            if let time { json.value(time.clock) } else { json.null() }
            json.name("trend")
            if let trend {
                json.object { json in
                    json.name("words")
                    json.value(trend.words)
                    json.name("is_good")
                    json.value(trend.isGood)
                }
            } else {
                json.null()
            }
            json.name("links")
            json.array { json in
                for link in links {
                    json.object { json in
                        json.name("words")
                        json.value(link.words)
                        json.name("icon")
                        json.value(link.icon)
                        json.name("address")
                        json.value(link.address)
                    }
                }
            }
            json.name("action")
            if let action { action.write(to: &json) } else { json.null() }
            json.name("counter")
            guard let counter else { return json.null() }
            json.object { json in
                json.name("value")
                json.number(counter.text)
                json.name("more")
                counter.more.write(to: &json)
                json.name("fewer")
                counter.fewer.write(to: &json)
            }
        }
    }
}

extension TodayItem.Counter {
    /// The count as JSON.
    fileprivate var text: String {
        Int(exactly: value).map { String($0) } ?? String(value)
    }
}

extension TodayItem.Action {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.name("words")
            json.value(words)
            json.name("path")
            json.value(path)
            json.name("body")
            json.object { json in
                for (name, value) in body.sorted(by: { $0.key < $1.key }) {
                    json.name(name)
                    json.value(value)
                }
            }
        }
    }
}

extension FirstUse {
    fileprivate func write(of plugin: String, to json: inout JSONWriter) {
        json.object { json in
            json.name("plugin")
            json.value(plugin)
            json.name("title")
            json.value(title)
            json.name("text")
            json.value(text)
            json.name("import")
            if let path = importPath { json.value(path) } else { json.null() }
            json.name("steps")
            json.array { json in
                for step in steps {
                    json.object { json in
                        json.name("words")
                        json.value(step.words)
                        json.name("path")
                        json.value(step.path)
                    }
                }
            }
        }
    }
}
