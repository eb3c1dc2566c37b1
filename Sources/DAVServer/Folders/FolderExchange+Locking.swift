import HTTPTypes
import Sync
import XML

extension FolderExchange {
    /// `LOCK`: a new lock, or more time for one that the program has.
    func lock() async throws -> DAVResponse {
        guard !device.isReadOnly else {
            throw DAVFailure.privilege("write-content", at: path.href(isCollection: false))
        }
        guard !request.body.isEmpty else { return try await refresh() }
        let root = try DAVBody.read(request.body)
        guard root.name == DAVName.dav("lockinfo"),
            root.child(DAVName.dav("locktype"))?.child(DAVName.dav("write")) != nil,
            let scope = root.child(DAVName.dav("lockscope"))?.children.first?.name,
            scope == DAVName.dav("exclusive") || scope == DAVName.dav("shared"), request.depth != .one
        else { throw DAVFailure(400) }
        let owner = root.child(DAVName.dav("owner")).map(DAVMarkup.inner) ?? ""
        guard owner.utf8.count <= 4096 else { throw DAVFailure(400) }
        try await condition()
        let file = try await file()
        if file == nil {
            let parent = try await self.file(at: Array(inner.dropLast()))
            guard let parent, parent.isFolder else { throw DAVFailure(409) }
            // A new name in a folder whose names are locked.
            try await require("bind", at: path, membership: true)
        }
        let seconds = timeout
        let lock = DAVLock(
            token: Self.newToken(), path: path, isExclusive: scope == DAVName.dav("exclusive"),
            isDeep: request.depth != .zero, owner: owner, device: device.author.device, isPlaceholder: file == nil,
            timeout: seconds, endsAt: trees.now + Int64(seconds) * 1000)
        let failure = try await trees.locks.withTable { table -> DAVFailure? in
            let conflicts = table.conflicts(of: lock)
            guard conflicts.isEmpty else {
                let hrefs = Set(conflicts.map { $0.path.href(isCollection: false) }).sorted().prefix(20)
                return DAVFailure(
                    423, "<d:no-conflicting-lock>\(hrefs.map(DAVMarkup.href).joined())</d:no-conflicting-lock>")
            }
            return table.add(lock) ? nil : DAVFailure(503, headers: ["Retry-After": "60"])
        }
        if let failure { throw failure }
        return answer(
            lock, file == nil ? 201 : 200,
            ["Lock-Token": "<\(lock.token)>", "ETag": file == nil ? "\"\(Self.emptyETag)\"" : ""])
    }

    private func refresh() async throws -> DAVResponse {
        guard let header = try await condition() else { throw DAVFailure(400) }
        let (path, seconds, now) = (path, timeout, trees.now)
        let lock = try await trees.locks.withTable { table -> DAVLock? in
            guard let lock = table.covering(path).first(where: { header.tokens.contains($0.token) }) else { return nil }
            table.refresh(lock.token, timeout: seconds, at: now)
            return table.lock(lock.token, covering: path)
        }
        guard let lock else { throw DAVFailure(412, "<d:lock-token-matches-request-uri/>") }
        return answer(lock, 200, [:])
    }

    private func answer(_ lock: DAVLock, _ status: Int, _ more: HTTPHeaders) -> DAVResponse {
        var headers = more
        headers["Content-Type"] = DAVMarkup.mediaType
        let text = "<d:lockdiscovery>\(FilePropertyWriter.activeLock(lock))</d:lockdiscovery>"
        return DAVResponse(status, headers: headers, body: .bytes(DAVMarkup.prop(text)))
    }

    /// The time that a lock is asked for, in seconds and within bounds.
    private var timeout: Int {
        for item in (request.headers["Timeout"] ?? "").split(separator: ",") {
            let item = item.filter { $0 != " " }.lowercased()
            if item == "infinite" { return DAVLockTable.longest }
            guard item.hasPrefix("second-"), let seconds = UInt64(item.dropFirst(7)) else { continue }
            return Int(min(max(seconds, 1), UInt64(DAVLockTable.longest)))
        }
        return DAVLockTable.usual
    }

    /// A random token (RFC 9562 §5.4).
    private static func newToken() -> String {
        var generator = SystemRandomNumberGenerator()
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return "urn:uuid:" + [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }

    /// `UNLOCK`.
    func unlock() async throws -> DAVResponse {
        guard !device.isReadOnly else {
            throw DAVFailure.privilege("write-content", at: path.href(isCollection: false))
        }
        guard let field = request.headers["Lock-Token"] else { throw DAVFailure(400) }
        let token = field.filter { $0 != "<" && $0 != ">" && $0 != " " }
        let path = path
        let isRemoved = try await trees.locks.withTable { table in
            guard table.lock(token, covering: path) != nil else { return false }
            table.remove(token)
            return true
        }
        guard isRemoved else { throw DAVFailure(409, "<d:lock-token-matches-request-uri/>") }
        return DAVResponse(204)
    }
}
