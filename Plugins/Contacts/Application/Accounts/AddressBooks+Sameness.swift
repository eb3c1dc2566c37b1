import ContactsDomain
import HubKit
import Sync

extension AddressBooks {
    /// The number of cards of a book that are compared.
    private static let sample = 60

    /// Throws `conflict` if one of `books` is already connected in another way: at the same address in another account, or
    /// in a folder that another program syncs with a server that is an account here.
    ///
    /// Otherwise each contact would be stored twice, and merging the two would delete one on the server.
    func requireOtherBooks(_ books: [RemoteBook], of account: Account, over link: any AccountClient) async throws {
        let accounts = try registry.accounts().filter { $0.name != account.name }
        guard !accounts.isEmpty else { return }
        let known = try await contacts.read { try $0.books() }
        var places: [String: Book] = [:]
        for other in accounts {
            // No request is sent, so no password is read.
            guard let way = try? links.link(to: other.account, password: nil, isBrief: true) else { continue }
            for book in known where book.account == other.name { places[way.place(book.remote.href)] = book }
        }
        for book in books where account.wants(book.name) {
            if let same = places[link.place(book.href)] {
                throw Self.same(account, same, "both are at \(TerminalSanitizer.line(link.place(book.href)))")
            }
        }
        let ids = Set(known.filter { book in accounts.contains { $0.name == book.account } }.map(\.id))
        guard !ids.isEmpty else { return }
        for book in books where account.wants(book.name) {
            guard let sources = await sources(of: book, over: link), !sources.isEmpty else { continue }
            let counts = try await contacts.read { transaction in
                try sources.reduce(into: [String: Int]()) { counts, source in
                    for id in try transaction.booksWithContact(from: source) where ids.contains(id) {
                        counts[id, default: 0] += 1
                    }
                }
            }
            guard let most = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }),
                most.value * 2 > sources.count,
                let same = known.first(where: { $0.id == most.key })
            else { continue }
            throw Self.same(account, same, "\(most.value) of \(sources.count) cards of \(book.name) are also in it")
        }
    }

    /// The sources of some cards of a book; nil if it cannot be read now, which a sync will report.
    private func sources(of book: RemoteBook, over link: any AccountClient) async -> Set<Int>? {
        let way = link.open(book)
        do throws(RemoteError) {
            let hrefs = try await way.changes(since: nil).entries.map(\.href)
            let step = max(1, hrefs.count / Self.sample)
            let some = stride(from: 0, to: hrefs.count, by: step).prefix(Self.sample).map { hrefs[$0] }
            return Set(
                try await way.fetch(some).map { item in
                    let card = Card(item.bytes)
                    return CardSource.key(uid: card.details.uid, contentHash: card.syncHash)
                })
        } catch {
            return nil
        }
    }

    private static func same(_ account: Account, _ book: Book, _ reason: String) -> HubError {
        HubError(
            .conflict, code: "same-collection",
            "\(account.name) has the same contacts as \(TerminalSanitizer.line(book.fullName)); nothing was changed",
            details: [reason],
            hint: "connect only one of them; --force connects both and duplicates every contact")
    }
}
