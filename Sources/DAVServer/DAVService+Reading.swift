import HTTPTypes
import ICalendar
import Sync
import XML

extension DAVService {
    /// `GET` and `HEAD`: an item as stored, all items of a collection as one file, else a line of text.
    func get(_ request: DAVRequest, _ resource: DAVResource) async throws -> DAVResponse {
        switch resource {
        case .item(let collection, let name):
            guard let item = try await collection.items.items(named: [name]).first else { throw DAVFailure(404) }
            let etag = "\"\(item.entry.etag)\""
            var headers: HTTPHeaders = [
                "Content-Type": collection.kind.mediaType, "ETag": etag,
                "Last-Modified": HTTPDate.text(item.entry.changedAt), "Cache-Control": "private, no-cache",
            ]
            let known = DAVRequest.etags(request.headers.values("If-None-Match"))
            if !request.headers.values("If-None-Match").isEmpty, known?.contains(item.entry.etag) ?? true {
                return DAVResponse(304, headers: headers)
            }
            if request.method == "GET" { try await device.noteServed([item], of: collection.href, words: []) }
            guard collection.kind == .addressBook else {
                return DAVResponse(200, headers: headers, body: .bytes(item.content))
            }
            headers["Vary"] = "Accept"
            let content = request.cardVersion.map { collection.items.content(item.content, in: $0) } ?? item.content
            return DAVResponse(200, headers: headers, body: .bytes(content))
        case .collection(let collection):
            let state = try await collection.items.state()
            return DAVResponse(
                200,
                headers: [
                    "Content-Type": collection.kind.mediaType, "ETag": "\"\(state.epoch)-\(state.number)\"",
                    "Cache-Control": "private, no-cache",
                ],
                body: .stream { write in
                    guard collection.kind == .addressBook else { return try await writeCalendar(collection, write) }
                    try await eachPage(of: collection) { entries in
                        for item in try await collection.items.items(named: entries.map(\.name)) {
                            try await write(item.content + (item.content.last == 0x0A ? [] : [0x0D, 0x0A]))
                        }
                    }
                })
        case .root, .principals, .principal, .home:
            return DAVResponse(
                200, headers: ["Content-Type": "text/plain; charset=utf-8"],
                body: .bytes(
                    Array(
                        "hub serves contacts by CardDAV and tasks by CalDAV here. Set this address up in a program for them.\n"
                            .utf8)))
        }
    }

    /// Writes all items of a calendar as one, which is what programs subscribe to.
    private func writeCalendar(_ collection: DAVCollection, _ write: DAVResponse.Writer) async throws {
        try await write(Array("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//hub//hub//EN\r\n".utf8))
        var zones: Set<String> = []
        try await eachPage(of: collection) { entries in
            for item in try await collection.items.items(named: entries.map(\.name)) {
                let calendars = (try? ICalReader.read(item.content, limits: .item)) ?? []
                for part in calendars.flatMap(\.components) {
                    if part.name == "VTIMEZONE", !zones.insert(part["TZID"]?.text ?? "").inserted { continue }
                    try await write(ICalWriter.write(part))
                }
            }
        }
        try await write(Array("END:VCALENDAR\r\n".utf8))
    }

    /// `PROPFIND`: the properties of a resource, and with depth 1 of what is in it.
    func propfind(_ request: DAVRequest, _ resource: DAVResource) async throws -> DAVResponse {
        let properties = try PropertyRequest(request.body)
        guard let depth = request.depth, depth != .infinity else {
            guard case .item = resource else { throw DAVFailure(403, "<d:propfind-finite-depth/>") }
            return try await propfindItem(request, resource, properties)
        }
        if case .item = resource { return try await propfindItem(request, resource, properties) }
        let writer = writer(properties, request)
        var heads: [String] = []
        if depth == .zero || !request.prefers("depth-noroot") { heads.append(try await head(of: resource, writer)) }
        if depth == .one {
            for child in children(of: resource) { heads.append(try await head(of: child, writer)) }
        }
        let start = heads.joined()
        return multistatus(request) { write in
            try await write(start)
            guard depth == .one, case .collection(let collection) = resource else { return }
            try await eachPage(of: collection, limit: properties.needsContent ? Self.page : Self.longPage) { entries in
                try await write(try await responses(entries, of: collection, writer))
            }
        }
    }

    private func propfindItem(
        _ request: DAVRequest, _ resource: DAVResource, _ properties: PropertyRequest
    ) async throws -> DAVResponse {
        guard case .item(let collection, let name) = resource,
            let item = try await collection.items.items(named: [name]).first
        else { throw DAVFailure(404) }
        if properties.givesContent { try await device.noteServed([item], of: collection.href, words: []) }
        let text = writer(properties, request).response(resource, item: item)
        return multistatus(request) { try await $0(text) }
    }

    /// What is set of a collection: of a kept calendar for all, of another one by this device.
    private func properties(of collection: DAVCollection) async throws -> [String: String] {
        if collection.isKept { return try await calendars?.properties(of: collection.id) ?? [:] }
        return collection.kind == .addressBook && books == nil ? [:] : try await device.properties(of: collection.href)
    }

    /// The answer for a resource that is not an item.
    func head(
        of resource: DAVResource, _ writer: PropertyWriter, expansions: [XMLName: String] = [:]
    ) async throws -> String {
        switch resource {
        case .collection(let collection):
            let set = try await properties(of: collection)
            return writer.response(
                resource, state: try await collection.items.state(), set: set, expansions: expansions)
        case .home(.contacts):
            return writer.response(resource, ownCard: try await device.ownCard(), expansions: expansions)
        default: return writer.response(resource, expansions: expansions)
        }
    }

    private func children(of resource: DAVResource) -> [DAVResource] {
        switch resource {
        case .root: [.principals] + homes.map { .home($0) }
        case .principals: [.principal]
        case .home(let home): collections.filter { $0.kind.home == home }.map { .collection($0) }
        case .principal, .collection, .item: []
        }
    }

    /// Gives all items to `body`, a page at a time and by their names: one that is changed meanwhile is not passed over.
    func eachPage(
        of collection: DAVCollection, limit: Int = page, _ body: ([ServedEntry]) async throws -> Void
    ) async throws {
        var last: String?
        while true {
            let entries = try await collection.items.entries(after: last, limit: limit)
            if entries.isEmpty { return }
            try await body(entries)
            last = entries.last?.name
        }
    }

    /// The answers for items, with their content when it is asked for.
    func responses(
        _ entries: [ServedEntry], of collection: DAVCollection, _ writer: PropertyWriter
    ) async throws -> String {
        guard writer.request.needsContent else {
            return entries.map { writer.response(.item(collection, name: $0.name), entry: $0) }.joined()
        }
        let items = try await collection.items.items(named: entries.map(\.name))
        // It is noted before it is sent: a change may come back before this request has ended.
        if writer.request.givesContent { try await device.noteServed(items, of: collection.href, words: []) }
        return items.map { writer.response(.item(collection, name: $0.entry.name), item: $0) }.joined()
    }

    /// `PROPPATCH`: the card of the person is kept, and name and color of a calendar or book for the device that sets them; all else is
    /// protected, and all or nothing is done (RFC 4918 §9.2).
    func proppatch(_ request: DAVRequest, _ resource: DAVResource) async throws -> DAVResponse {
        let root = try DAVBody.read(request.body)
        guard root.name == DAVName.dav("propertyupdate") else { throw DAVFailure(400) }
        guard !device.isReadOnly else { throw DAVFailure.privilege("write-properties", at: resource.href) }
        var (allowed, protected): ([XMLElement], [XMLElement]) = ([], [])
        var changes: [String: String?] = [:]
        for update in root.children {
            for property in update.children(DAVName.dav("prop")).flatMap(\.children) {
                guard isSettable(property.name, of: resource), property.text.utf8.count <= 65_536 else {
                    protected.append(property)
                    continue
                }
                var property = property
                if update.name == DAVName.dav("remove") { (property.children, property.text) = ([], "") }
                allowed.append(property)
                changes[property.name.key] =
                    update.name == DAVName.dav("remove") ? .some(nil) : .some(DAVMarkup.inner(property))
            }
        }
        func names(_ elements: [XMLElement]) -> String { elements.map { DAVMarkup.element($0.name) }.joined() }
        var text = "<d:response>" + DAVMarkup.href(resource.href)
        if protected.isEmpty {
            if case .collection(let collection) = resource, collection.isKept, let calendars {
                guard changes.count <= 100 else { throw DAVFailure(507) }
                try await calendars.setProperties(changes, of: collection.id, by: device.author)
            } else if case .collection(let collection) = resource, collection.isOwnBook, let books {
                try await set(allowed, of: collection, books)
            } else {
                try await set(allowed, of: resource)
            }
            text += PropertyWriter.propstat(names(allowed), 200)
        } else {
            text += PropertyWriter.propstat(
                names(protected), 403, error: "<d:cannot-modify-protected-property/>")
            if !allowed.isEmpty { text += PropertyWriter.propstat(names(allowed), 424) }
        }
        let answer = text + "</d:response>"
        return multistatus(request) { try await $0(answer) }
    }

    private func isSettable(_ name: XMLName, of resource: DAVResource) -> Bool {
        switch resource {
        case .home(.contacts): name == DAVName.server("me-card")
        case .collection(let collection):
            collection.isKept
                ? !PropertyWriter.protected.contains(name.key)
                : collection.kind == .addressBook
                    ? books != nil && PropertyWriter.settableOfBooks.contains(name.key)
                    : PropertyWriter.settable.contains(name.key)
        default: false
        }
    }

    private func set(_ properties: [XMLElement], of resource: DAVResource) async throws {
        guard case .collection = resource else {
            for property in properties {
                try await device.setOwnCard(property.child(DAVName.dav("href"))?.trimmedText)
            }
            return
        }
        // An empty one, such as a name, gives way to that of the collection.
        try await setForDevice(properties, of: resource.href)
    }

    private func setForDevice(_ properties: [XMLElement], of href: String) async throws {
        let values = properties.map { ($0.name.key, $0.trimmedText.isEmpty ? nil : $0.text) }
        try await device.setProperties(Dictionary(values) { $1 }, of: href)
    }

    /// The name of a book of no account holds for all; the rest for this device.
    private func set(
        _ properties: [XMLElement], of collection: DAVCollection, _ books: any ServedBooks
    ) async throws {
        let isName = { (property: XMLElement) in property.name == DAVName.dav("displayname") }
        if let name = properties.last(where: isName) {
            let title = name.trimmedText.isEmpty ? collection.id : name.trimmedText
            try await books.rename(collection.id, to: title, by: device.author)
        }
        try await setForDevice(properties.filter { !isName($0) }, of: collection.href)
    }
}
