import HTTPTypes
import Sync
import XML

/// What a device that sees each address book by itself does with books.
extension DAVService {
    /// `MKCOL`, also as RFC 5689 extends it: everything among address books is one.
    func makeBook(_ request: DAVRequest, _ path: DAVPath, _ books: any ServedBooks) async throws -> DAVResponse {
        let home = "/\(DAVCollection.Home.contacts.rawValue)/"
        guard !device.isReadOnly else { throw DAVFailure.privilege("bind", at: home) }
        guard request.method == "MKCOL" else { throw DAVFailure(403, "<cal:calendar-collection-location-ok/>") }
        var (title, description) = (path.segments[1], String?.none)
        if !request.body.isEmpty {
            let root = try DAVBody.read(request.body)
            guard root.name == DAVName.dav("mkcol") else { throw DAVFailure(415) }
            let set = root.children(DAVName.dav("set")).flatMap { $0.children(DAVName.dav("prop")) }.flatMap(\.children)
            for property in set {
                switch property.name {
                case DAVName.dav("resourcetype"):
                    guard property.child(DAVName.card("addressbook")) != nil else {
                        throw DAVFailure(403, "<d:valid-resourcetype/>")
                    }
                case DAVName.dav("displayname") where !property.trimmedText.isEmpty: title = property.trimmedText
                case DAVName.card("addressbook-description"): description = property.text
                default: break
                }
            }
        }
        guard title.utf8.count <= 1024, description?.utf8.count ?? 0 <= 65_536 else { throw DAVFailure(403) }
        guard try await books.make(path.segments[1], title: title, by: device.author) else { throw DAVFailure(405) }
        if let description {
            let name = DAVName.card("addressbook-description").key
            try await device.setProperties([name: description], of: path.href(isCollection: true))
        }
        return DAVResponse(201, headers: ["Cache-Control": "no-cache"])
    }

    /// `DELETE` of a book: one with contacts stays, and so do those of accounts.
    func remove(_ collection: DAVCollection, _ books: any ServedBooks) async throws -> DAVResponse {
        guard !device.isReadOnly, try await books.remove(collection.id, by: device.author) else {
            throw DAVFailure.privilege("unbind", at: collection.href)
        }
        return DAVResponse(204)
    }

    /// `MOVE` and `COPY` of a contact, mostly to another book.
    func move(
        _ request: DAVRequest, _ name: String, of collection: DAVCollection, _ books: any ServedBooks
    ) async throws -> DAVResponse {
        let isCopy = request.method == "COPY"
        let path = try request.destination()
        guard path.segments.first == DAVCollection.Home.contacts.rawValue, path.segments.count == 3,
            path.segments != collection.path.segments + [name]
        else { throw DAVFailure(403) }
        guard let target = collections.first(where: { $0.path.segments == Array(path.segments.prefix(2)) }) else {
            throw DAVFailure(409)
        }
        guard !device.isReadOnly, !target.isReadOnly else { throw DAVFailure.privilege("bind", at: target.href) }
        guard isCopy || !collection.isReadOnly else { throw DAVFailure.privilege("unbind", at: collection.href) }
        var move = ServedMove(
            from: (collection.id, name), to: (target.id, path.segments[2]), author: device.author)
        move.isCopy = isCopy
        move.overwrites = request.headers["Overwrite"]?.uppercased() != "F"
        move.condition = Self.condition(request)
        let base = try await device.base(of: name, etag: nil, in: collection.href).content
        switch try await books.move(move) {
        case .missing: throw DAVFailure(404)
        case .refused: throw DAVFailure(412)
        case .sameUID(let other): throw DAVFailure(409, Self.uidConflict("card", at: target.href(of: other)))
        case .moved(let item, let isNew):
            // What the device was given there is what it has here; a copy it has not seen yet.
            if let base, !isCopy {
                let etag = base == item.content ? item.entry.etag : ""
                let given = ServedEntry(
                    name: item.entry.name, id: item.entry.id, etag: etag, length: base.count,
                    changedAt: item.entry.changedAt)
                try await device.noteServed([ServedItem(given, content: base)], of: target.href, words: [])
            }
            return DAVResponse(isNew ? 201 : 204)
        }
    }
}
