import CivilDate
import HubKit
import WebServer

extension WebRoute {
    /// `GET /`: what is due today in all plugins, and for a plugin that holds nothing the way to begin.
    static func home(in shell: WebShell) -> WebRoute {
        let layout = HTMLLayout(
            title: "Today", place: "", body: "<div id=\"today\" aria-busy=\"true\"></div>",
            styles: ["/assets/home.css"],
            script: "/assets/today.js")
        return WebRoute(.get, "/") { _, _ in await shell.page(layout) }
    }

    /// `GET /api/today`: what `hub today` lists, for each plugin with a page, and the invitation of a plugin that holds nothing.
    static func today(_ hub: Hub) -> WebRoute {
        WebRoute(.get, "/api/today") { _, _ in
            let date = hub.clock.today
            var parts: [TodayPart] = []
            for descriptor in try hub.enabledDescriptors() {
                guard let page = descriptor.page else { continue }
                let due = try await descriptor.providers.today?.items(hub, date, nil)
                let items = due?.items ?? []
                let isEmpty = items.isEmpty ? try await page.firstUse?.isEmpty(hub) ?? false : false
                parts.append(
                    TodayPart(
                        plugin: descriptor, day: due?.day ?? date, items: items,
                        firstUse: isEmpty ? page.firstUse : nil))
            }
            return .json { json in
                json.object { json in
                    json.name("date")
                    json.value("\(date)")
                    json.name("plugins")
                    json.array { json in
                        for part in parts { part.write(to: &json) }
                    }
                }
            }
        }
    }
}

/// The part of a plugin in Today.
private struct TodayPart {
    let plugin: PluginDescriptor
    let day: CivilDate
    let items: [TodayItem]
    let firstUse: FirstUse?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.name("plugin")
            json.value(plugin.id)
            json.name("title")
            json.value(plugin.title)
            json.name("date")
            json.value("\(day)")
            json.name("items")
            json.array { json in
                for item in items { write(item, to: &json) }
            }
            json.name("firstUse")
            guard let firstUse else { return json.null() }
            json.object { json in
                json.name("title")
                json.value(firstUse.title)
                json.name("text")
                json.value(firstUse.text)
                json.name("import")
                if let path = firstUse.importPath { json.value(path) } else { json.null() }
                json.name("steps")
                json.array { json in
                    for step in firstUse.steps {
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

    private func write(_ item: TodayItem, to json: inout JSONWriter) {
        json.object { json in
            json.name("title")
            json.value(item.title)
            json.name("detail")
            json.value(item.detail)
            json.name("path")
            json.value(plugin.path(of: item.id))
            json.name("action")
            guard let action = item.action else { return json.null() }
            json.object { json in
                json.name("words")
                json.value(action.words)
                json.name("path")
                json.value(action.path)
                json.name("body")
                json.object { json in
                    for (name, value) in action.body.sorted(by: { $0.key < $1.key }) {
                        json.name(name)
                        json.value(value)
                    }
                }
            }
        }
    }
}
