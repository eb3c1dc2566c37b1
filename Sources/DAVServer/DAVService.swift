import HTTPTypes
package import Sync
package import Time

/// Answers the requests of devices by CardDAV (RFC 6352), CalDAV (RFC 4791), WebDAV (RFC 4918) and collection synchronization (RFC 6578).
///
/// It has no sockets and no store: who sends a request is known, and collections are asked for what they have.
package struct DAVService: Sendable {
    /// The largest item, in bytes.
    package static let maximumSize = 10 << 20
    /// The number of items that are asked for at once, which bounds the memory of an answer.
    static let page = 100
    /// The number of items that are asked for at once without their content.
    static let longPage = 1000

    /// The collections, those first that clients take which take only one.
    let collections: [DAVCollection]
    let device: any DAVDevice
    /// The trees of files; nil for none.
    let trees: DAVFolders?
    /// What makes calendars of other programs; nil for none.
    let calendars: (any DAVCalendars)?
    /// What makes and moves address books, for a device that sees each by itself; nil for others.
    let books: (any ServedBooks)?
    /// The zone of days and of times without one.
    let zone: TimeZoneRules

    package init(
        _ collections: [DAVCollection], folders: DAVFolders? = nil, calendars: (any DAVCalendars)? = nil,
        books: (any ServedBooks)? = nil, for device: any DAVDevice, zone: TimeZoneRules = .system
    ) {
        self.collections = collections
        trees = folders
        self.calendars = calendars
        self.books = books
        self.device = device
        self.zone = zone
    }

    /// The classes of the protocol (RFC 4918 §18): clients look for those of their collections everywhere.
    private static func classes(of homes: [DAVCollection.Home], hasBooks: Bool = false) -> String {
        (homes.contains(where: \.isFolder) ? "1, 2, 3" : "1, 3") + (homes.contains(.tasks) ? ", calendar-access" : "")
            + (homes.contains(.contacts) ? ", addressbook" : "")
            + (homes.contains(.tasks) || hasBooks && homes.contains(.contacts) ? ", extended-mkcol" : "")
    }

    /// The current time, in milliseconds since 1970 UTC.
    var now: Int64 { trees?.now ?? 0 }

    /// The homes that the device may use.
    var homes: [DAVCollection.Home] {
        DAVCollection.Home.allCases.filter { home in
            device.mayUse(home) && (!home.isFolder || trees?.folders.contains { $0.home == home } ?? false)
        }
    }

    /// Answers what needs no password and tells nothing: the addresses that clients know without being told (RFC 6764 §5), and what
    /// the server speaks. Nil for all else.
    package static func open(_ request: DAVRequest) -> DAVResponse? {
        if request.method == "OPTIONS", request.path == "/" {
            let allowed = DAVResource.root.allowed(isReadOnly: true)
            return DAVResponse(
                200,
                headers: ["DAV": classes(of: DAVCollection.Home.allCases), "Allow": allowed, "MS-Author-Via": "DAV"])
        }
        let known = ["/.well-known/carddav", "/.well-known/caldav"]
        guard known.contains(where: { request.path == $0 || request.path == $0 + "/" }) else { return nil }
        return DAVResponse(301, headers: ["Location": "/"])
    }

    /// Answers one request.
    package func respond(to request: DAVRequest) async throws -> DAVResponse {
        do {
            return try await answer(request)
        } catch let failure as DAVFailure {
            return failure.response
        }
    }

    private func answer(_ request: DAVRequest) async throws -> DAVResponse {
        guard let path = DAVPath(request.path) else { throw DAVFailure(400) }
        if request.method == "POST", path.segments.count == 3, path.segments[2] == ";add-member",
            case .collection(let collection) = try resource(DAVPath(Array(path.segments.prefix(2))))
        {
            return try await put(request, name: nil, in: collection)
        }
        if let trees, let folder = trees.folders.first(where: { $0.home.rawValue == path.segments.first }) {
            guard device.mayUse(folder.home) else {
                throw DAVFailure.privilege("read", at: folder.href([], isFolder: true))
            }
            return try await FolderExchange(self, folder, trees, request, path).answer()
        }
        if ["MKCOL", "MKCALENDAR"].contains(request.method), path.segments.count == 2,
            let home = DAVCollection.Home(rawValue: path.segments[0]),
            !collections.contains(where: { $0.path == path })
        {
            guard device.mayUse(home) else { throw DAVFailure.privilege("read", at: "/\(home.rawValue)/") }
            if home == .contacts, let books { return try await makeBook(request, path, books) }
            if home == .tasks, let calendars { return try await makeCalendar(request, path, calendars) }
            // There are no other collections than those of the plugins.
            if home == .tasks { throw DAVFailure(403, "<cal:calendar-collection-location-ok/>") }
            throw DAVFailure.privilege("bind", at: "/\(home.rawValue)/")
        }
        let resource = try resource(path)
        switch request.method {
        case "OPTIONS": return options(resource)
        case "GET", "HEAD": return try await get(request, resource)
        case "PROPFIND": return try await propfind(request, resource)
        case "PROPPATCH": return try await proppatch(request, resource)
        case "REPORT":
            return try await report(request, resource)
        case "PUT":
            guard case .item(let collection, let name) = resource else { throw wrongMethod(resource) }
            return try await put(request, name: name, in: collection)
        case "COPY", "MOVE":
            guard case .item(let collection, let name) = resource, let books, collection.kind == .addressBook else {
                throw wrongMethod(resource)
            }
            return try await move(request, name, of: collection, books)
        case "DELETE":
            if case .collection(let collection) = resource, collection.isOwnBook, let books {
                return try await remove(collection, books)
            }
            if case .collection(let collection) = resource, collection.isKept, let calendars {
                guard !device.isReadOnly else { throw DAVFailure.privilege("unbind", at: resource.href) }
                try await calendars.remove(collection.id, by: device.author)
                return DAVResponse(204)
            }
            guard case .item(let collection, let name) = resource else {
                throw DAVFailure.privilege("unbind", at: resource.href)
            }
            return try await delete(request, name, in: collection)
        case "MKCOL":
            switch resource {
            case .item(let collection, _): throw DAVFailure.privilege("bind", at: collection.href)
            default: throw wrongMethod(resource)
            }
        default: throw wrongMethod(resource)
        }
    }

    /// Finds what a path names. Throws 404 for a collection that does not exist, and 403 for one that the device may not use.
    func resource(_ path: DAVPath) throws(DAVFailure) -> DAVResource {
        let segments = path.segments
        switch (segments.first, segments.count) {
        case (nil, _): return .root
        case ("principals", 1): return .principals
        case ("principals", 2) where segments[1] == "me": return .principal
        default: break
        }
        guard let home = DAVCollection.Home(rawValue: segments[0]), segments.count <= 3, !home.isFolder else {
            throw DAVFailure(404)
        }
        guard device.mayUse(home) else { throw .privilege("read", at: path.href(isCollection: segments.count < 3)) }
        if segments.count == 1 { return .home(home) }
        guard let collection = collections.first(where: { $0.kind.home == home && $0.id == segments[1] }) else {
            throw DAVFailure(404)
        }
        return segments.count == 2 ? .collection(collection) : .item(collection, name: segments[2])
    }

    private func wrongMethod(_ resource: DAVResource) -> DAVFailure {
        DAVFailure(405, headers: ["Allow": resource.allowed(isReadOnly: device.isReadOnly, hasBooks: books != nil)])
    }

    private func options(_ resource: DAVResource) -> DAVResponse {
        DAVResponse(
            200,
            headers: [
                "DAV": Self.classes(of: homes, hasBooks: books != nil),
                "Allow": resource.allowed(isReadOnly: device.isReadOnly, hasBooks: books != nil),
                "MS-Author-Via": "DAV",
            ])
    }

    /// The writer of the answers to a request.
    func writer(_ properties: PropertyRequest, _ request: DAVRequest) -> PropertyWriter {
        PropertyWriter(
            request: properties, isMinimal: request.isMinimal, isReadOnly: device.isReadOnly,
            homes: homes, zone: zone)
    }

    /// A multistatus whose pieces are written as they are made.
    func multistatus(
        _ request: DAVRequest, _ body: @escaping @Sendable ((String) async throws -> Void) async throws -> Void
    ) -> DAVResponse {
        var headers: HTTPHeaders = [
            "Content-Type": DAVMarkup.mediaType, "DAV": Self.classes(of: homes, hasBooks: books != nil),
        ]
        if request.prefers("return=minimal") { headers["Preference-Applied"] = "return=minimal" }
        return DAVResponse(
            207, headers: headers,
            body: .stream { write in
                try await write(Array(DAVMarkup.multistatusStart.utf8))
                try await body { text in try await write(Array(text.utf8)) }
                try await write(Array(DAVMarkup.multistatusEnd.utf8))
            })
    }
}
