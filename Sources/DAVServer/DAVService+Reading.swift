import HTTPTypes
import Sync
import XML

extension DAVService {
    /// `GET` and `HEAD`: an item as stored, all items of a collection as one file, else a line of text.
    func get(_ request: DAVRequest, _ resource: DAVResource) async throws -> DAVResponse {
        switch resource {
        case .item(let collection, let name):
            guard let item = try await collection.items.items(named: [name]).first else { throw DAVFailure(404) }
            let etag = "\"\(item.entry.etag)\""
            let headers: HTTPHeaders = [
                "Content-Type": collection.kind.mediaType, "ETag": etag,
                "Last-Modified": HTTPDate.text(item.entry.changedAt), "Cache-Control": "private, no-cache",
            ]
            let known = DAVRequest.etags(request.headers.values("If-None-Match"))
            if !request.headers.values("If-None-Match").isEmpty, known?.contains(item.entry.etag) ?? true {
                return DAVResponse(304, headers: headers)
            }
            if request.method == "GET" { try await device.noteServed([item], of: collection.href, words: []) }
            return DAVResponse(200, headers: headers, body: .bytes(item.content))
        case .collection(let collection):
            let state = try await collection.items.state()
            return DAVResponse(
                200,
                headers: [
                    "Content-Type": collection.kind.mediaType, "ETag": "\"\(state.epoch)-\(state.number)\"",
                    "Cache-Control": "private, no-cache",
                ],
                body: .stream { write in
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
                    Array("hub serves contacts by CardDAV here. Set this address up in an address book.\n".utf8)))
        }
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
            try await eachPage(of: collection) { entries in
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
        if properties.needsContent { try await device.noteServed([item], of: collection.href, words: []) }
        let text = writer(properties, request).response(resource, item: item)
        return multistatus(request) { try await $0(text) }
    }

    /// The answer for a resource that is not an item.
    private func head(of resource: DAVResource, _ writer: PropertyWriter) async throws -> String {
        var (state, ownCard): (ServedState?, String?)
        if case .collection(let collection) = resource { state = try await collection.items.state() }
        if case .home = resource { ownCard = try await device.ownCard() }
        return writer.response(resource, state: state, ownCard: ownCard)
    }

    private func children(of resource: DAVResource) -> [DAVResource] {
        switch resource {
        case .root: [.principals] + DAVCollection.Kind.allCases.filter(device.mayUse).map { .home($0) }
        case .principals: [.principal]
        case .home(let kind): collections.filter { $0.kind == kind }.map { .collection($0) }
        case .principal, .collection, .item: []
        }
    }

    /// Gives all items to `body`, a page at a time and by their names: one that is changed meanwhile is not passed over.
    func eachPage(
        of collection: DAVCollection, _ body: ([ServedEntry]) async throws -> Void
    ) async throws {
        var last: String?
        while true {
            let entries = try await collection.items.entries(after: last, limit: Self.page)
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
        try await device.noteServed(items, of: collection.href, words: [])
        return items.map { writer.response(.item(collection, name: $0.entry.name), item: $0) }.joined()
    }

    /// `PROPPATCH`: the card of the person is kept; all else is protected, and all or nothing is done (RFC 4918 §9.2).
    func proppatch(_ request: DAVRequest, _ resource: DAVResource) async throws -> DAVResponse {
        let root = try DAVBody.read(request.body)
        guard root.name == DAVName.dav("propertyupdate") else { throw DAVFailure(400) }
        guard !device.isReadOnly else { throw DAVFailure.privilege("write-properties", at: resource.href) }
        var (allowed, protected): ([XMLElement], [XMLElement]) = ([], [])
        for update in root.children {
            for property in update.children(DAVName.dav("prop")).flatMap(\.children) {
                var isOwnCard = false
                if case .home(.addressBook) = resource { isOwnCard = property.name == DAVName.server("me-card") }
                if isOwnCard {
                    var property = property
                    if update.name == DAVName.dav("remove") { property.children = [] }
                    allowed.append(property)
                } else {
                    protected.append(property)
                }
            }
        }
        func names(_ elements: [XMLElement]) -> String { elements.map { DAVMarkup.element($0.name) }.joined() }
        var text = "<d:response>" + DAVMarkup.href(resource.href)
        if protected.isEmpty {
            for property in allowed {
                try await device.setOwnCard(property.child(DAVName.dav("href"))?.trimmedText)
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
}
