import HTTPTypes
import Sync
import XML

extension DAVService {
    /// `PUT` of an item, and `POST` to the address that chooses its name (RFC 5995).
    func put(_ request: DAVRequest, name: String?, in collection: DAVCollection) async throws -> DAVResponse {
        let href = name.map(collection.href(of:)) ?? collection.href
        let (kind, prefix) = (collection.kind, collection.kind.prefix)
        guard !device.isReadOnly, !collection.isReadOnly else {
            throw DAVFailure.privilege(name == nil ? "bind" : "write-content", at: href)
        }
        guard request.headers["Content-Range"] == nil else { throw DAVFailure(400) }
        guard request.body.count <= Self.maximumSize else { throw DAVFailure(403, "<\(prefix):max-resource-size/>") }
        guard kind.acceptedTypes.contains(request.mediaType) else {
            throw DAVFailure(415, "<\(prefix):supported-\(kind.data)/>")
        }
        var put = ServedPut(name: name, content: request.body, author: device.author)
        put.condition = Self.condition(request)
        if let name {
            // The version that the client names; else what it was last given.
            var etag: String?
            if case .matches(let etags?) = put.condition { etag = etags.first }
            (put.base, put.known) = try await device.base(of: name, etag: etag, in: collection.href)
        }
        switch try await collection.items.put(put) {
        case .stored(let report): return try await stored(report, put, request, in: collection)
        case .refused(let entry): return try await refused(put, entry, in: collection)
        case .sameUID(let other):
            throw DAVFailure(409, Self.uidConflict(prefix, at: collection.href(of: other)))
        case .otherUID: throw DAVFailure(403, Self.uidConflict(prefix, at: href))
        case .wrongType: throw DAVFailure(415, "<\(prefix):supported-\(kind.data)/>")
        case .wrongComponent: throw DAVFailure(403, "<\(prefix):supported-calendar-component/>")
        case .invalid: throw DAVFailure(403, "<\(prefix):valid-\(kind.data)/>")
        }
    }

    /// The element that names the item which has the `UID`.
    static func uidConflict(_ prefix: String, at href: String) -> String {
        "<\(prefix):no-uid-conflict>\(DAVMarkup.href(href))</\(prefix):no-uid-conflict>"
    }

    /// The condition of a request. `If-None-Match` with tags does not matter to a change: one client sends it with every request.
    static func condition(_ request: DAVRequest) -> ServedCondition {
        let matches = request.headers.values("If-Match")
        if !matches.isEmpty { return .matches(DAVRequest.etags(matches)) }
        let others = request.headers.values("If-None-Match")
        return !others.isEmpty && DAVRequest.etags(others) == nil ? .isNew : .always
    }

    private func stored(
        _ report: ServedPutReport, _ put: ServedPut, _ request: DAVRequest, in collection: DAVCollection
    ) async throws -> DAVResponse {
        let isAsSent = report.content == put.content
        // What the device has now is what it sent, until it asks again.
        let etag = isAsSent ? report.entry.etag : ""
        let given = ServedEntry(
            name: report.entry.name, id: report.entry.id, etag: etag, length: put.content.count,
            changedAt: report.entry.changedAt)
        try await device.noteServed(
            [ServedItem(given, content: put.content)], of: collection.href, words: report.words)
        var reasons: [String] = []
        if !report.conflicts.isEmpty {
            reasons.append("replaced what was changed here: \(report.conflicts.joined(separator: ", "))")
        }
        if !report.ignored.isEmpty { reasons.append("not taken: \(report.ignored.joined(separator: ", "))") }
        if !reasons.isEmpty {
            try await device.keepRefused(
                put.content, as: report.entry.name, id: report.entry.id, in: collection.href,
                reason: reasons.joined(separator: "; "))
        }
        var headers: HTTPHeaders = [:]
        if isAsSent || request.prefers("return=representation") { headers["ETag"] = "\"\(report.entry.etag)\"" }
        if put.name == nil { headers["Location"] = collection.href(of: report.entry.name) }
        guard request.prefers("return=representation") else {
            return DAVResponse(report.isNew ? 201 : 204, headers: headers)
        }
        headers["Preference-Applied"] = "return=representation"
        headers["Content-Type"] = collection.kind.mediaType
        headers["Content-Location"] = collection.href(of: report.entry.name)
        try await device.noteServed(
            [ServedItem(report.entry, content: report.content)], of: collection.href, words: [])
        return DAVResponse(report.isNew ? 201 : 200, headers: headers, body: .bytes(report.content))
    }

    /// The answer is 412, and nothing that the request asked for was done. Most programs drop their change then; so what does not
    /// conflict is merged as a change of its own, and if anything does, all of it is kept for the person.
    private func refused(
        _ put: ServedPut, _ entry: ServedEntry?, in collection: DAVCollection
    ) async throws -> DAVResponse {
        var id = entry?.id ?? ""
        var reason = "an item of this name is there already"
        if case .matches = put.condition {
            var retry = put
            (retry.condition, retry.keepsStored) = (.always, true)
            reason = "the item cannot be changed so"
            if case .stored(let report) = try await collection.items.put(retry) {
                if report.conflicts.isEmpty { throw DAVFailure(412) }
                id = report.entry.id
                reason = "also changed here: \(report.conflicts.joined(separator: ", "))"
            }
        }
        if let name = put.name {
            try await device.keepRefused(put.content, as: name, id: id, in: collection.href, reason: reason)
        }
        throw DAVFailure(412)
    }

    /// `MKCALENDAR` (RFC 4791 §5.3.1), and `MKCOL` with the type of a calendar (RFC 5689).
    func makeCalendar(
        _ request: DAVRequest, _ path: DAVPath, _ calendars: any DAVCalendars
    ) async throws -> DAVResponse {
        let href = path.href(isCollection: true)
        guard !device.isReadOnly else { throw DAVFailure.privilege("bind", at: href) }
        var components = ["VEVENT", "VTODO", "VJOURNAL"]
        var properties: [String: String] = [:]
        var isCalendar = request.method == "MKCALENDAR"
        if !request.body.isEmpty {
            let root = try DAVBody.read(request.body)
            guard root.name == (isCalendar ? DAVName.calendar("mkcalendar") : DAVName.dav("mkcol")) else {
                throw DAVFailure(415)
            }
            let set = root.children(DAVName.dav("set")).flatMap { $0.children(DAVName.dav("prop")) }.flatMap(\.children)
            for property in set {
                switch property.name {
                case DAVName.dav("resourcetype"):
                    isCalendar = property.child(DAVName.calendar("calendar")) != nil
                    guard isCalendar else { throw DAVFailure(403, "<d:valid-resourcetype/>") }
                case DAVName.calendar("supported-calendar-component-set"):
                    let names = property.children(DAVName.calendar("comp"))
                        .compactMap { $0.attributes[XMLName("", "name")]?.uppercased() }
                    components = components.filter(names.contains)
                    guard !components.isEmpty else { throw DAVFailure(403, "<cal:supported-calendar-component/>") }
                default:
                    let value = DAVMarkup.inner(property)
                    if !PropertyWriter.protected.contains(property.name.key), value.utf8.count <= 65_536,
                        properties.count < 100
                    {
                        properties[property.name.key] = value
                    }
                }
            }
        }
        guard isCalendar else { throw DAVFailure(403, "<d:valid-resourcetype/>") }
        let isNew = try await calendars.make(
            path.segments[1], components: components, properties: properties, by: device.author)
        guard isNew else { throw DAVFailure(409, "<d:resource-must-be-null/>") }
        return DAVResponse(201, headers: ["Cache-Control": "no-cache"])
    }

    /// `DELETE` of an item, which goes to the trash.
    func delete(_ request: DAVRequest, _ name: String, in collection: DAVCollection) async throws -> DAVResponse {
        let href = collection.href(of: name)
        guard !device.isReadOnly, !collection.isReadOnly else {
            throw DAVFailure.privilege("unbind", at: collection.href)
        }
        // A calendar of other programs is theirs; undo brings back what they remove.
        let count = collection.isKept ? nil : try await collection.items.count()
        guard count.map({ device.mayRemove(from: collection.href, count: $0) }) ?? true else {
            // The device has dropped it already: with a new number it gets it back.
            try await collection.items.renumber(name)
            throw DAVFailure.privilege("unbind", at: href)
        }
        switch try await collection.items.remove(name, if: Self.condition(request), by: device.author) {
        case .removed: return DAVResponse(204)
        case .missing: throw DAVFailure(404)
        case .refused: throw DAVFailure(412)
        }
    }
}
