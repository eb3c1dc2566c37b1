package import ContactsDomain
import HTTPClient
import XML

extension CardDAVBook {
    /// The cards, a hundred at a time (RFC 6352 §8.7). What a server leaves out of its answer is asked for by itself: a
    /// card counts as gone only when the server says so.
    package func fetch(_ hrefs: [String]) async throws(LinkError) -> [RemoteCard] {
        var cards: [RemoteCard] = []
        var start = 0
        while start < hrefs.count {
            let end = min(start + CardDAVBook.cardsAtOnce, hrefs.count)
            cards += try await fetchTogether(Array(hrefs[start..<end]))
            start = end
        }
        return cards
    }

    private func fetchTogether(_ hrefs: [String]) async throws(LinkError) -> [RemoteCard] {
        guard hrefs.count > 1 else { return try await fetchSingly(hrefs) }
        let response: HTTPResponse
        do {
            response = try await session.call(DAVMethod.report, url, depth: 0, body: DAVBody.multiget(hrefs))
        } catch .malformed(_) {
            // Too large, perhaps, for one answer.
            let half = hrefs.count / 2
            return try await fetchTogether(Array(hrefs[..<half])) + fetchTogether(Array(hrefs[half...]))
        }
        guard response.status == 207 else { return try await fetchSingly(hrefs) }
        var answers: [String: Multistatus.Item] = [:]
        for item in try Multistatus(response.body).items { answers[key(item.href)] = item }
        var (cards, left) = ([RemoteCard](), [String]())
        for href in hrefs {
            guard let item = answers[key(href)] else {
                left.append(href)
                continue
            }
            if item.isGone { continue }
            guard let text = item.properties[DAVName.addressData]?.text, !text.isEmpty else {
                left.append(href)
                continue
            }
            let bytes = CardText.restored(text)
            let tag = item.text(DAVName.getetag) ?? EntityTag.ofContent(bytes)
            cards.append(RemoteCard(href: href, tag: tag, bytes: bytes))
        }
        return cards + (try await fetchSingly(left))
    }

    private func fetchSingly(_ hrefs: [String]) async throws(LinkError) -> [RemoteCard] {
        var cards: [RemoteCard] = []
        for href in hrefs {
            let response = try await session.call(.get, place(href), headers: ["Accept": "text/vcard"])
            if [404, 410].contains(response.status) { continue }
            guard response.isSuccess else { throw LinkError(DAVRefusal(response)) }
            let bytes = CardText.restored(String(decoding: response.body, as: UTF8.self))
            let tag = response.headers["ETag"] ?? EntityTag.ofContent(bytes)
            cards.append(RemoteCard(href: href, tag: tag, bytes: bytes))
        }
        return cards
    }
}
