import HTTPTypes
import Sync
import XML

extension FolderExchange {
    /// Checks what a change needs: the right to change, the conditions of `If`, and the tokens of locks that are in its way.
    ///
    /// `membership` says that what is in the folder around the path changes, and `isDeep` that all below the path does.
    func require(
        _ privilege: String, at path: DAVPath, membership: Bool = false, isDeep: Bool = false
    ) async throws {
        guard !device.isReadOnly else { throw DAVFailure.privilege(privilege, at: path.href(isCollection: false)) }
        let header = try await condition()
        let tokens = header?.tokens ?? []
        let barrier = try await trees.locks.withTable { table -> DAVLock? in
            var locks = table.covering(path) + (isDeep ? table.inside(path) : [])
            if membership { locks += table.covering(path.parent) }
            // Of several shared locks the token of one is enough.
            let roots = Dictionary(grouping: locks, by: \.path)
            return roots.values.first { !$0.contains { tokens.contains($0.token) } }?.first
        }
        if let barrier {
            throw DAVFailure(
                423,
                "<d:lock-token-submitted>\(DAVMarkup.href(barrier.path.href(isCollection: false)))</d:lock-token-submitted>"
            )
        }
    }

    /// Checks the conditions of `If`, `If-Match` and `If-None-Match` for the resource of the request.
    @discardableResult
    func condition() async throws -> IfHeader? {
        guard let field = request.headers["If"] else { return nil }
        guard let header = IfHeader(field) else { throw DAVFailure(400) }
        for list in header.lists where try await holds(list) { return header }
        throw DAVFailure(412)
    }

    private func holds(_ list: IfHeader.List) async throws -> Bool {
        guard let path = list.resource.map({ DAVPath($0) }) ?? path else { return false }
        var etag: String??
        for condition in list.conditions {
            var isTrue: Bool
            switch condition.state {
            case .token(let token):
                isTrue = try await trees.locks.withTable { $0.lock(token, covering: path) != nil }
            case .etag(let text):
                if etag == nil, path.segments.first == folder.home.rawValue {
                    etag = .some(try await file(at: Array(path.segments.dropFirst()))?.etag)
                }
                isTrue = (etag ?? nil).map { text == "\"\($0)\"" } ?? false
            }
            if condition.isNegated { isTrue.toggle() }
            guard isTrue else { return false }
        }
        return true
    }

    /// `PUT`.
    func put() async throws -> DAVResponse {
        guard request.headers["Content-Range"] == nil else { throw DAVFailure(400) }
        guard !inner.isEmpty else { throw DAVFailure(405, headers: ["Allow": "OPTIONS, PROPFIND"]) }
        let old = try await file()
        if let old, old.isFolder { throw DAVFailure(405, headers: ["Allow": "OPTIONS, PROPFIND"]) }
        let isPlaceholder = old?.id.isEmpty ?? false
        try await require("write-content", at: path, membership: old == nil)
        var write = ServedWrite(
            inner, request.bodyFile.map { .file(path: $0.path, size: $0.size) } ?? .bytes(request.body),
            author: device.author)
        write.mediaType = request.mediaType
        write.condition = DAVService.condition(request)
        if isPlaceholder {
            // To the client an empty file is there, to the store none.
            guard write.condition != .isNew, write.condition.holds(for: Self.emptyEntry) else { throw DAVFailure(412) }
            write.condition = .always
        }
        if folder.files.merges {
            var etag: String?
            if case .matches(let etags?) = write.condition { etag = etags.first }
            write.base = try await device.base(
                of: inner.joined(separator: "/"), etag: etag, in: folder.href([], isFolder: true)
            ).content
        }
        let result = try await folder.files.write(write)
        if case .refused = result, folder.files.merges { try await keepRefused(write) }
        let (isNew, etag) = try done(result)
        let path = path
        try await trees.locks.withTable { $0.filled(path) }
        if folder.files.merges, case .bytes(let bytes) = write.content {
            // What the device has now is what it sent, until it asks again.
            let entry = ServedEntry(
                name: inner.joined(separator: "/"), id: try await folder.files.file(at: inner)?.id ?? "", etag: etag,
                length: bytes.count, changedAt: trees.now)
            try await device.noteServed(
                [ServedItem(entry, content: bytes)], of: folder.href([], isFolder: true), words: [])
        }
        return DAVResponse(
            isNew && !isPlaceholder ? 201 : 204, headers: etag.isEmpty ? [:] : ["ETag": "\"\(etag)\""])
    }

    private static let emptyEntry = ServedEntry(name: "", id: "", etag: emptyETag, length: 0, changedAt: 0)

    /// Most programs drop what they wanted to write when it is refused.
    private func keepRefused(_ write: ServedWrite) async throws {
        guard case .bytes(let bytes) = write.content, !bytes.isEmpty else { return }
        try await device.keepRefused(
            bytes, as: inner.joined(separator: "/"), id: try await folder.files.file(at: inner)?.id ?? "",
            in: folder.href([], isFolder: true), reason: "it was based on another version")
    }

    /// What a result means to the client; throws what is not done.
    private func done(_ result: ServedFileResult) throws -> (isNew: Bool, etag: String) {
        switch result {
        case .done(let isNew, let etag): return (isNew, etag)
        case .missing: throw DAVFailure(404)
        case .noParent: throw DAVFailure(409)
        case .exists: throw DAVFailure(405)
        case .refused: throw DAVFailure(412)
        case .noRoom: throw DAVFailure(507, "<d:quota-not-exceeded/>")
        case .forbidden, .partial: throw DAVFailure(403)
        }
    }

    /// `MKCOL`, with properties if there are any (RFC 5689).
    func makeFolder() async throws -> DAVResponse {
        guard try await file() == nil else { throw DAVFailure(405, headers: ["Allow": "OPTIONS, PROPFIND, PROPPATCH"]) }
        try await require("bind", at: path, membership: true)
        var properties: [String: String] = [:]
        if !request.body.isEmpty {
            guard let root = try? DAVBody.read(request.body), root.name == DAVName.dav("mkcol") else {
                throw DAVFailure(415)
            }
            let set = root.children(DAVName.dav("set")).flatMap { $0.children(DAVName.dav("prop")) }.flatMap(\.children)
            for property in set {
                if property.name == DAVName.dav("resourcetype") {
                    guard property.children.map(\.name) == [DAVName.dav("collection")] else {
                        throw DAVFailure(403, "<d:valid-resourcetype/>")
                    }
                } else if folder.files.keepsProperties, Self.isSettable(property) {
                    properties[property.name.key] = DAVMarkup.inner(property)
                }
            }
        }
        _ = try done(try await folder.files.makeFolder(at: inner, properties: properties, by: device.author))
        return DAVResponse(201)
    }

    /// `DELETE`.
    func delete() async throws -> DAVResponse {
        guard !inner.isEmpty else { throw DAVFailure.privilege("unbind", at: path.href(isCollection: true)) }
        let file = try await existing()
        try await require("unbind", at: path, membership: true, isDeep: true)
        if !file.id.isEmpty {
            let result = try await folder.files.remove(
                inner, if: DAVService.condition(request), by: device.author)
            if case .partial(let failures) = result { return multistatus(failures) }
            _ = try done(result)
        }
        let path = path
        try await trees.locks.withTable { $0.removeAll(at: path) }
        return DAVResponse(204)
    }

    private func multistatus(_ failures: [ServedFileFailure]) -> DAVResponse {
        let text = failures.map { failure in
            "<d:response>\(DAVMarkup.href(folder.href(failure.path, isFolder: false)))"
                + "\(DAVMarkup.status(failure.status))</d:response>"
        }
        return multistatus(text)
    }

    /// `COPY` and `MOVE`.
    func transfer(isCopy: Bool) async throws -> DAVResponse {
        let target = try request.destination()
        let file = try await existing()
        guard target.segments.first == folder.home.rawValue, target.segments.count > 1, !inner.isEmpty,
            target != path, !target.isInside(path), !path.isInside(target)
        else { throw DAVFailure(403) }
        guard request.depth != .one, isCopy || request.depth != .zero || !file.isFolder else { throw DAVFailure(400) }
        if isCopy {
            try await condition()
        } else {
            try await require("unbind", at: path, membership: true, isDeep: true)
        }
        let place = Array(target.segments.dropFirst())
        let old = try await self.file(at: place)
        let overwrites = request.headers["Overwrite"]?.uppercased() != "F"
        guard overwrites || old == nil else { throw DAVFailure(412) }
        try await require("bind", at: target, membership: old == nil, isDeep: old != nil)
        var transfer = ServedTransfer(from: inner, to: place, isCopy: isCopy, author: device.author)
        (transfer.isDeep, transfer.overwrites) = (!isCopy || request.depth != .zero, overwrites)
        if file.id.isEmpty {
            // An empty file that is shown for a lock: its new place has a real one, which the program writes next.
            let write = ServedWrite(place, .bytes([]), author: device.author)
            let (isNew, _) = try done(try await folder.files.write(write))
            let path = path
            try await trees.locks.withTable { $0.removeAll(at: path) }
            return DAVResponse(isNew ? 201 : 204)
        }
        if folder.files.merges, old?.isFolder == false {
            transfer.base = try await device.base(
                of: place.joined(separator: "/"), etag: nil, in: folder.href([], isFolder: true)
            ).content
        }
        let result = try await folder.files.transfer(transfer)
        if case .partial(let failures) = result { return multistatus(failures) }
        if case .exists = result { throw DAVFailure(412) }
        let (isNew, _) = try done(result)
        let path = path
        try await trees.locks.withTable { table in
            if !isCopy { table.removeAll(at: path) }
            table.filled(target)
        }
        return DAVResponse(isNew ? 201 : 204)
    }

    /// `PROPPATCH`: all is done or nothing.
    func proppatch() async throws -> DAVResponse {
        let root = try DAVBody.read(request.body)
        guard root.name == DAVName.dav("propertyupdate") else { throw DAVFailure(400) }
        let file = try await existing()
        try await require("write-properties", at: path)
        var (names, refused): ([XMLName], [XMLName]) = ([], [])
        var changes: [String: String?] = [:]
        for update in root.children {
            for property in update.children(DAVName.dav("prop")).flatMap(\.children) {
                guard Self.isSettable(property), folder.files.keepsProperties || Self.isForgotten(property.name) else {
                    refused.append(property.name)
                    continue
                }
                if !names.contains(property.name) { names.append(property.name) }
                switch update.name {
                case DAVName.dav("set"): changes[property.name.key] = .some(DAVMarkup.inner(property))
                case DAVName.dav("remove"): changes[property.name.key] = .some(nil)
                default: throw DAVFailure(400)
                }
            }
        }
        func elements(_ names: [XMLName]) -> String { names.map { DAVMarkup.element($0) }.joined() }
        var text = "<d:response>" + DAVMarkup.href(folder.href(inner, isFolder: file.isFolder))
        if refused.isEmpty {
            if folder.files.keepsProperties {
                let count = file.properties.merging(changes.compactMapValues(\.self)) { $1 }.count
                guard count <= Self.mostProperties else { throw DAVFailure(507) }
                // What is shown for a lock only has no place for them.
                guard !file.id.isEmpty || inner.isEmpty else { throw DAVFailure(409) }
                _ = try done(try await folder.files.setProperties(changes, of: inner, by: device.author))
            }
            text += PropertyWriter.propstat(elements(names), 200)
        } else {
            text += PropertyWriter.propstat(
                elements(refused), 403, error: "<d:cannot-modify-protected-property/>")
            if !names.isEmpty { text += PropertyWriter.propstat(elements(names), 424) }
        }
        return multistatus([text + "</d:response>"])
    }

    /// The most properties of one file.
    private static let mostProperties = 100

    private static func isSettable(_ property: XMLElement) -> Bool {
        !FilePropertyWriter.protected.contains(property.name.key) && DAVMarkup.inner(property).utf8.count <= 65_536
    }

    /// Windows sets the times and attributes of each file that it writes, and cannot do without.
    private static func isForgotten(_ name: XMLName) -> Bool { name.namespace == "urn:schemas-microsoft-com:" }
}
