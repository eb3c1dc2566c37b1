import ContactsDomain
import Sync

/// Supplies the cards of a sync: some were fetched with the whole book, the others are requested.
struct CardSupply: Sendable {
    private let link: any AddressBookClient
    private let rules: IndexingOptions
    private let known: [String: RemoteCard]

    /// The preferred number of cards per call: for a book that is already fetched, more than for one request.
    var batch: Int { known.isEmpty ? SyncEngine.batch : 4 * SyncEngine.batch }

    /// `isWhole` says that most of the book is needed, so that all of it is requested at once where that is cheaper.
    init(_ link: any AddressBookClient, _ rules: IndexingOptions, isWhole: Bool) async throws(RemoteError) {
        self.link = link
        self.rules = rules
        let cards = isWhole ? try await link.everything() ?? [] : []
        known = Dictionary(cards.map { ($0.href, $0) }) { first, _ in first }
    }

    /// Returns the parsed cards at `places`; missing ones are left out.
    func cards(at places: [String]) async throws(RemoteError) -> [FetchedCard] {
        let missing = places.filter { known[$0] == nil }
        let found = places.compactMap { known[$0] }
        let cards = missing.isEmpty ? found : found + (try await link.fetch(missing))
        return cards.map { FetchedCard($0, rules) }
    }
}
