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

    /// All cards, by one query (RFC 6352 §8.6): servers that look up each card of a multiget by itself take ten times as
    /// long for that. Nil when the server refuses it, or the answer is too large.
    package func everything() async throws(LinkError) -> [RemoteCard]? {
        let answer: Multistatus
        do {
            let response = try await session.call(DAVMethod.report, url, depth: 1, body: DAVBody.query)
            guard response.status == 207 else { return nil }
            answer = try Multistatus(response.body)
        } catch .malformed(_) {
            return nil
        }
        var cards: [RemoteCard] = []
        for item in answer.items where !item.isGone {
            guard let href = try href(item.href), let card = CardDAVBook.card(item, at: href) else { continue }
            cards.append(card)
        }
        return cards
    }

    /// The card in an answer; nil when it comes without its text.
    private static func card(_ item: Multistatus.Item, at href: String) -> RemoteCard? {
        guard let text = item.properties[DAVName.addressData]?.text, !text.isEmpty else { return nil }
        let bytes = CardText.restored(text)
        return RemoteCard(href: href, tag: item.text(DAVName.getetag) ?? EntityTag.ofContent(bytes), bytes: bytes)
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
            if let card = CardDAVBook.card(item, at: href) { cards.append(card) } else { left.append(href) }
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
