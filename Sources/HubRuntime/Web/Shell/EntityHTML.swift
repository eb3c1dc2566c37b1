import HubKit

/// The HTML of the page that an entity has without scripts of its plugin, and what pages need to know of entities.
struct EntityHTML: Sendable {
    private let entity: EntityWeb

    init(_ entity: EntityWeb) { self.entity = entity }

    /// The places for the buttons beside the heading.
    let toolbar = #"<span id="new" class="floating"></span><span id="more"></span>"#

    /// The list with its search field, and the place for details.
    var body: String {
        let many = HTML.escape(entity.many)
        return """
            <div class="split" data-pane="list">
              <section class="split-list" aria-label="List of \(many)">
                <search class="query">
                  <span id="query-icon"></span>
                  <label class="visually-hidden" for="query">Search \(many)</label>
                  <input id="query" type="search" placeholder="Search \(many)" autocomplete="off" spellcheck="false">
                </search>
                <div id="list-tools" class="list-tools"></div>
                <div class="list-box"><div id="list" class="list-scroll"></div></div>
                <div id="list-state" hidden></div>
              </section>
              <article id="details" class="split-details"></article>
            </div>
            """
    }

    /// The descriptions of the entities of a plugin.
    static func json(_ entities: [EntityWeb]) -> String {
        var json = JSONWriter()
        json.array { json in
            for entity in entities { entity.write(to: &json) }
        }
        return json.string
    }
}
