import HTTPTypes
import Sync
import XML

/// One request to a tree of files (RFC 4918, classes 1 and 2).
struct FolderExchange: Sendable {
    let service: DAVService
    let folder: DAVFolder
    let trees: DAVFolders
    let request: DAVRequest
    /// The path with the home.
    let path: DAVPath
    /// The path in the tree.
    var inner: [String] { Array(path.segments.dropFirst()) }
    var device: any DAVDevice { service.device }

    /// The number of files that one answer may list below a folder.
    static let mostFiles = 10_000
    /// The number of files that are asked for at once: each time may cost a look at all.
    static let page = 10_000

    init(_ service: DAVService, _ folder: DAVFolder, _ trees: DAVFolders, _ request: DAVRequest, _ path: DAVPath) {
        (self.service, self.folder, self.trees, self.request, self.path) = (service, folder, trees, request, path)
    }

    /// Answers the request.
    func answer() async throws -> DAVResponse {
        // What comes after it would be cut off, and a folder removed in place of what is in it.
        guard !request.path.utf8.contains(UInt8(ascii: "#")) else { throw DAVFailure(400) }
        let now = trees.now
        try await trees.locks.withTable { $0.expire(at: now) }
        switch request.method {
        case "OPTIONS": return try await options()
        case "GET", "HEAD": return try await get()
        case "PROPFIND": return try await propfind()
        case "PROPPATCH": return try await proppatch()
        case "MKCOL": return try await makeFolder()
        case "PUT": return try await put()
        case "DELETE": return try await delete()
        case "COPY": return try await transfer(isCopy: true)
        case "MOVE": return try await transfer(isCopy: false)
        case "LOCK": return try await lock()
        case "UNLOCK": return try await unlock()
        case "REPORT": throw DAVFailure(403, "<d:supported-report/>")
        default: throw DAVFailure(405, headers: ["Allow": allowed(try await file())])
        }
    }

    /// The file or folder at a path; the empty file of a lock where nothing is.
    func file(at inner: [String]) async throws -> ServedFile? {
        if let file = try await folder.files.file(at: inner) { return file }
        let path = DAVPath([folder.home.rawValue] + inner)
        guard try await trees.locks.withTable({ $0.placeholder(at: path) }) != nil else { return nil }
        var file = ServedFile(inner.last ?? "", id: "", isFolder: false, etag: Self.emptyETag)
        (file.changedAt, file.createdAt, file.mediaType) = (trees.now, trees.now, "application/octet-stream")
        return file
    }

    /// The etag of no content.
    static let emptyETag = "e3b0c44298fc1c149afbf4c8996fb924"

    func file() async throws -> ServedFile? { try await file(at: inner) }

    func existing() async throws -> ServedFile {
        guard let file = try await file() else { throw DAVFailure(404) }
        return file
    }

    private func allowed(_ file: ServedFile?) -> String {
        var methods = ["OPTIONS"]
        if let file {
            methods += ["GET", "HEAD", "PROPFIND"]
            if !device.isReadOnly {
                methods +=
                    ["PROPPATCH", "COPY", "LOCK", "UNLOCK"] + (file.isFolder ? [] : ["PUT"])
                    + (inner.isEmpty ? [] : ["DELETE", "MOVE"])
            }
        } else if !device.isReadOnly {
            methods += ["PUT", "MKCOL", "LOCK"]
        }
        return methods.joined(separator: ", ")
    }

    private func options() async throws -> DAVResponse {
        DAVResponse(
            200,
            headers: ["DAV": "1, 2, 3, extended-mkcol", "Allow": allowed(try await file()), "MS-Author-Via": "DAV"])
    }
}

extension FolderExchange {
    /// `GET` and `HEAD`, of a part if one is asked for (RFC 9110 §14).
    private func get() async throws -> DAVResponse {
        let file = try await existing()
        if file.isFolder { return try await listing() }
        var content = try await folder.files.content(at: inner) ?? ServedContent(file, [])
        let tag = "\"\(content.file.etag)\""
        var headers: HTTPHeaders = [
            "Content-Type": content.file.mediaType, "ETag": tag, "Accept-Ranges": "bytes",
            "Last-Modified": HTTPDate.text(content.file.changedAt), "Cache-Control": "private, no-cache",
            // A page that is stored here must not act as one of this server.
            "Content-Security-Policy": "sandbox",
        ]
        let fields = request.headers.values("If-None-Match")
        if !fields.isEmpty, DAVRequest.etags(fields)?.contains(content.file.etag) ?? true {
            return DAVResponse(304, headers: headers)
        }
        if request.method == "GET", let prepare = content.prepare {
            // Its length may be known only now.
            try await prepare()
            content = try await folder.files.content(at: inner) ?? content
        }
        let given = content
        let length = given.file.length
        var range = 0..<length
        var status = 200
        if let asked = request.headers["Range"],
            Self.isFresh(request.headers["If-Range"], tag, headers["Last-Modified"])
        {
            switch ByteRange(asked, length: length) {
            case .whole: break
            case .part(let part):
                (range, status) = (part, 206)
                headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)"
            case .none: return DAVResponse(416, headers: ["Content-Range": "bytes */\(length)"])
            }
        }
        if folder.files.merges, request.method == "GET", status == 200 { try await noteServed(given) }
        var response = DAVResponse(status, headers: headers)
        let part = range
        // What is not here yet cannot be read, and HEAD fetches nothing.
        let isUnread = request.method == "HEAD" && given.prepare != nil
        if part.count <= Self.pieceSize, !isUnread {
            response.body = .bytes(part.isEmpty ? [] : try await given.read(part))
            return response
        }
        response.length = part.count
        response.body = .stream { write in
            var start = part.lowerBound
            while start < part.upperBound {
                let end = min(part.upperBound, start + Self.pieceSize)
                let bytes = try await given.read(start..<end)
                guard !bytes.isEmpty else { throw DAVFailure(503) }
                try await write(bytes)
                start += bytes.count
            }
        }
        return response
    }

    private static let pieceSize = 256 << 10

    private static func isFresh(_ condition: String?, _ etag: String, _ date: String?) -> Bool {
        guard let condition else { return true }
        return condition == etag || condition == date
    }

    /// Remembers what the device has now, over which it will write. It is a text, and small.
    func noteServed(_ content: ServedContent) async throws {
        guard content.file.length <= DAVService.maximumSize else { return }
        let bytes = try await content.read(0..<content.file.length)
        let entry = ServedEntry(
            name: inner.joined(separator: "/"), id: content.file.id, etag: content.file.etag, length: bytes.count,
            changedAt: content.file.changedAt)
        try await device.noteServed(
            [ServedItem(entry, content: bytes)], of: folder.href([], isFolder: true), words: [])
    }

    /// The names in a folder, one a line, for a person who looks.
    private func listing() async throws -> DAVResponse {
        var text = ""
        var last: String?
        while text.utf8.count < 1 << 20 {
            let files = try await folder.files.files(in: inner, after: last, limit: Self.page)
            if files.isEmpty { break }
            text += files.map { $0.name + ($0.isFolder ? "/" : "") + "\n" }.joined()
            last = files.last?.name
        }
        return DAVResponse(
            200, headers: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "private, no-cache"],
            body: .bytes(Array(text.utf8)))
    }

    /// `PROPFIND`, of a whole tree too as long as it is of a moderate size.
    private func propfind() async throws -> DAVResponse {
        let properties = try PropertyRequest(request.body)
        let file = try await existing()
        let writer = FilePropertyWriter(
            request: properties, isMinimal: request.isMinimal, isReadOnly: device.isReadOnly, folder: folder,
            locks: try await trees.locks.withTable { $0 }, quota: try await folder.files.quota(),
            state: try await folder.files.state())
        let isDeep = request.depth == .infinity || request.depth == nil
        var found = [writer.response(file, at: inner)]
        if request.depth != .zero, request.prefers("depth-noroot") { found = [] }
        var waiting = file.isFolder && request.depth != .zero ? [inner] : []
        while let next = waiting.popLast() {
            var last: String?
            while true {
                let files = try await folder.files.files(in: next, after: last, limit: Self.page)
                if files.isEmpty { break }
                last = files.last?.name
                for child in files {
                    found.append(writer.response(child, at: next + [child.name]))
                    if isDeep, child.isFolder { waiting.append(next + [child.name]) }
                }
                guard found.count <= Self.mostFiles || !isDeep else {
                    throw DAVFailure(403, "<d:propfind-finite-depth/>")
                }
            }
            for lock in writer.locks.locks where lock.isPlaceholder {
                let place = Array(lock.path.segments.dropFirst())
                guard lock.path.segments.first == folder.home.rawValue, !place.isEmpty, Array(place.dropLast()) == next,
                    try await folder.files.file(at: place) == nil, let file = try await self.file(at: place)
                else { continue }
                found.append(writer.response(file, at: place))
            }
        }
        return multistatus(found)
    }
}

extension FolderExchange {
    /// A multistatus of answers that are known: at once if it is short.
    func multistatus(_ answers: [String]) -> DAVResponse {
        var response = service.multistatus(request) { write in
            for start in stride(from: 0, to: answers.count, by: 200) {
                try await write(answers[start..<min(answers.count, start + 200)].joined())
            }
        }
        if answers.count <= 200 {
            let text = DAVMarkup.multistatusStart + answers.joined() + DAVMarkup.multistatusEnd
            response.body = .bytes(Array(text.utf8))
        }
        return response
    }
}

/// The part of a content that a request asks for.
enum ByteRange: Equatable {
    /// All of it, as more than one part or something unknown is asked for.
    case whole
    case part(Range<Int>)
    /// The part that is asked for is not there.
    case none

    init(_ field: String, length: Int) {
        let text = field.filter { $0 != " " }
        guard text.lowercased().hasPrefix("bytes="), !text.contains(",") else {
            self = .whole
            return
        }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }), ends != ["", ""] else {
            self = .whole
            return
        }
        if ends[0].isEmpty {
            let count = min(Int(ends[1]) ?? Int.max, length)
            self = count == 0 ? .none : .part(length - count..<length)
        } else if let start = Int(ends[0]), start < length {
            let last = ends[1].isEmpty ? length - 1 : min(Int(ends[1]) ?? Int.max, length - 1)
            self = last < start ? .whole : .part(start..<last + 1)
        } else {
            self = .none
        }
    }
}
