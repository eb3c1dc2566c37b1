import HTTPClient
import Hashing
package import Sync
import Text
import XML

extension DAVCollection {
    /// Writes an item at a new place (RFC 6352 §6.3.2, RFC 4791 §5.3.2). Servers give an etag although they keep other bytes
    /// than they were sent, so what they keep must be looked at.
    package func create(_ item: [UInt8], name: String) async throws(RemoteError) -> PutResult {
        let place = try place(href(named: name))
        let response = try await put(item, place, ["If-None-Match": "*"])
        guard response.isSuccess else {
            let answer = try refused(response)
            return answer == .changedMeanwhile ? .nameTaken(href: try href(place.path) ?? place.path) : answer
        }
        let told = response.headers["Location"].flatMap { place.meaning(of: $0) }
        let moved = told.flatMap { $0.hasSameOrigin(as: url) ? $0.path : nil }
        return .stored(href: try href(moved ?? place.path) ?? place.path, etag: response.headers["ETag"])
    }

    /// Returns the href for a new item of this name.
    package func href(named name: String) -> String { url.path + fileName(name) }

    /// Replaces the item at `href`, unless its etag is no longer `etag`.
    package func update(
        _ href: String, to item: [UInt8], ifMatch etag: String
    ) async throws(RemoteError) -> PutResult {
        var headers = HTTPHeaders()
        if let condition = EntityTag.condition(etag) {
            headers["If-Match"] = condition
        } else {
            guard let current = try await fetch([href]).first else { return .gone }
            if let failure = current.failure { return .refused(.failed(reason: failure)) }
            guard current.etag.hasSameBytes(as: etag) else { return .changedMeanwhile }
        }
        let response = try await put(item, place(href), headers)
        if [404, 410].contains(response.status) { return .gone }
        return response.isSuccess ? .stored(href: href, etag: response.headers["ETag"]) : try refused(response)
    }

    /// Deletes the item at `href`, unless its etag is no longer `etag`.
    package func remove(_ href: String, ifMatch etag: String) async throws(RemoteError) -> DeleteResult {
        var headers = HTTPHeaders()
        if let condition = EntityTag.condition(etag) {
            headers["If-Match"] = condition
        } else {
            guard let current = try await fetch([href]).first else { return .gone }
            if let failure = current.failure { return .refused(.failed(reason: failure)) }
            guard current.etag.hasSameBytes(as: etag) else { return .changedMeanwhile }
        }
        let response = try await session.call(.delete, place(href), headers: headers, isItem: true)
        switch response.status {
        case 200..<300, 404, 410: return .gone
        case 412: return .changedMeanwhile
        default:
            let refusal = DAVRefusal(response)
            return .refused(refusal.itemRefusal ?? .failed(reason: refusal.reason))
        }
    }

    private func put(
        _ item: [UInt8], _ place: HTTPURL, _ conditions: HTTPHeaders
    ) async throws(RemoteError) -> HTTPResponse {
        var headers = conditions
        headers["Content-Type"] = "\(kind.mediaType); charset=utf-8"
        return try await session.call(.put, place, headers: headers, body: item, isItem: true)
    }

    private func refused(_ response: HTTPResponse) throws(RemoteError) -> PutResult {
        let refusal = DAVRefusal(response)
        if let conflict = refusal.uidConflict {
            let twin = conflict.child(DAVName.href)?.trimmedText ?? ""
            return .uidTaken(href: twin.isEmpty ? nil : try href(twin))
        }
        if let reason = refusal.itemRefusal { return .refused(reason) }
        if refusal.status == 412 { return .changedMeanwhile }
        // Also 404 and 409, which mean that the collection is missing (RFC 4918 §9.7.1); only a request for the
        // collection itself can confirm that.
        return .refused(.failed(reason: refusal.reason))
    }

    /// A name of letters, digits and a few signs that every server and file system takes, and that is never escaped.
    func fileName(_ name: String) -> String {
        let safe = name.utf8.map { byte -> UInt8 in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): byte
            default: UInt8(ascii: "-")
            }
        }
        guard !safe.isEmpty else { return "item\(kind.suffix)" }
        // Names that were changed or cut might meet; their own hash keeps them apart.
        guard safe == Array(name.utf8), safe.count <= 80 else {
            let hash = FNV1a.hash(name.utf8)
            return String(decoding: safe.prefix(60), as: UTF8.self) + "-\(String(hash, radix: 16))\(kind.suffix)"
        }
        return name + kind.suffix
    }
}
