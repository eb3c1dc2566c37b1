import HTTPClient
import Hashing
package import Sync
import XML

extension DAVCollection {
    /// The items, a hundred at a time (RFC 6352 §8.7, RFC 4791 §7.9). What a server leaves out of its answer is asked for by
    /// itself: an item counts as gone only when the server says so, and one that it does not give stops no other.
    package func fetch(_ hrefs: [String]) async throws(RemoteError) -> [RemoteItem] {
        var items: [RemoteItem] = []
        var start = 0
        while start < hrefs.count {
            let end = min(start + DAVCollection.itemsAtOnce, hrefs.count)
            items += try await fetchTogether(Array(hrefs[start..<end]))
            start = end
        }
        return items
    }

    /// All items, by one query (RFC 6352 §8.6, RFC 4791 §7.8): servers that look up each item of a multiget by itself take
    /// ten times as long for that. Nil when the server refuses it, or the answer is too large.
    package func everything() async throws(RemoteError) -> [RemoteItem]? {
        let answer: Multistatus
        do {
            let response = try await session.call(DAVMethod.report, url, depth: 1, body: DAVBody.query(kind))
            guard response.status == 207 else { return nil }
            answer = try Multistatus(response.body)
        } catch .malformed(_) {
            return nil
        }
        var items: [RemoteItem] = []
        for item in answer.items where !item.isGone {
            guard let href = try href(item.href), let found = remoteItem(item, at: href) else { continue }
            items.append(found)
        }
        return items
    }

    /// The item in an answer; nil when it comes without its text.
    private func remoteItem(_ item: Multistatus.Item, at href: String) -> RemoteItem? {
        guard let text = item.properties[kind.data]?.text, !text.isEmpty else { return nil }
        let bytes = ItemText.restored(text)
        return RemoteItem(href: href, etag: item.text(DAVName.getetag) ?? EntityTag.ofContent(bytes), bytes: bytes)
    }

    private func fetchTogether(_ hrefs: [String]) async throws(RemoteError) -> [RemoteItem] {
        guard hrefs.count > 1 else { return try await fetchSingly(hrefs) }
        let response: HTTPResponse
        do {
            response = try await session.call(DAVMethod.report, url, depth: 0, body: DAVBody.multiget(hrefs, kind))
        } catch .malformed(_) {
            // Too large, perhaps, for one answer.
            let half = hrefs.count / 2
            return try await fetchTogether(Array(hrefs[..<half])) + fetchTogether(Array(hrefs[half...]))
        }
        guard response.status == 207 else { return try await fetchSingly(hrefs) }
        var answers: [String: Multistatus.Item] = [:]
        for item in try Multistatus(response.body).items { answers[key(item.href)] = item }
        var (items, left) = ([RemoteItem](), [String]())
        for href in hrefs {
            guard let item = answers[key(href)] else {
                left.append(href)
                continue
            }
            if item.isGone { continue }
            if let found = remoteItem(item, at: href) { items.append(found) } else { left.append(href) }
        }
        return items + (try await fetchSingly(left))
    }

    private func fetchSingly(_ hrefs: [String]) async throws(RemoteError) -> [RemoteItem] {
        var items: [RemoteItem] = []
        for href in hrefs {
            let response = try await session.call(
                .get, place(href), headers: ["Accept": kind.mediaType], isItem: true)
            if [404, 410].contains(response.status) { continue }
            guard response.isSuccess else {
                items.append(RemoteItem(href: href, failure: DAVRefusal(response).reason))
                continue
            }
            let bytes = ItemText.restored(String(decoding: response.body, as: UTF8.self))
            let etag = response.headers["ETag"] ?? EntityTag.ofContent(bytes)
            items.append(RemoteItem(href: href, etag: etag, bytes: bytes))
        }
        return items
    }
}

/// The stored etag of an item: that of its server, or, if a server sends none, one of its content.
///
/// Only a strong etag of the server's can be made a condition (RFC 9110 §13.1.1).
enum EntityTag {
    /// Returns an etag for an item without one: FNV-1a over its bytes, after a character that no server's etag begins
    /// with.
    static func ofContent(_ bytes: [UInt8]) -> String {
        "~\(bytes.count)-\(String(FNV1a.hash(bytes), radix: 16))"
    }

    /// Returns the value for If-Match; nil when the server would not match it.
    static func condition(_ etag: String) -> String? {
        if etag.isEmpty || etag.hasPrefix("~") || etag.hasPrefix("W/")
            || etag.utf8.contains(where: { $0 < 0x21 || $0 == 0x7F })
        {
            return nil
        }
        return etag.hasPrefix("\"") ? etag : "\"\(etag)\""
    }
}

/// The text of an item on its way through XML.
enum ItemText {
    /// Line ends as vCard and iCalendar have them (RFC 6350 §3.2, RFC 5545 §3.1): XML makes each CRLF a single LF.
    static func restored(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + text.utf8.count / 32)
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if byte == 0x0A, previous != 0x0D { output.append(0x0D) }
            output.append(byte)
            previous = byte
        }
        return output
    }
}
