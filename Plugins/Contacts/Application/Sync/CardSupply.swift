import ContactsDomain
import Links

/// Where a sync gets cards from: some were fetched with the whole book, the others are asked for.
struct CardSupply: Sendable {
    private let link: any AddressBookLink
    private let known: [String: RemoteCard]

    /// `isWhole` says that most of the book is wanted, so that all of it is asked for at once where that is cheaper.
    init(_ link: any AddressBookLink, isWhole: Bool) async throws(LinkError) {
        self.link = link
        let cards = isWhole ? try await link.everything() ?? [] : []
        known = Dictionary(cards.map { ($0.href, $0) }) { first, _ in first }
    }

    /// The cards at `places`; one that is gone is left out.
    func cards(at places: [String]) async throws(LinkError) -> [RemoteCard] {
        let missing = places.filter { known[$0] == nil }
        let found = places.compactMap { known[$0] }
        return missing.isEmpty ? found : found + (try await link.fetch(missing))
    }
}
