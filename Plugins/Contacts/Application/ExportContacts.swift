package import ContactsDomain
import HubKit

extension ContactsPlugin {
    /// Returns the cards of the contacts `ids`, or of all, in the order of names, converted to `version`; with nil byte
    /// for byte. A chunk contains whole cards.
    package func exportCards(
        _ ids: [String]? = nil, as version: VCardVersion? = nil
    ) -> AsyncThrowingStream<[UInt8], any Error> {
        exportCards(ids, by: VCardWriter(version))
    }

    /// Returns the contacts `ids`, or all, in the order of names, in the format of `writer`.
    package func exportCards(
        _ ids: [String]? = nil, by writer: any CardListWriter
    ) -> AsyncThrowingStream<[UInt8], any Error> {
        let export = Export(CardPages(contacts, ids), again: CardPages(contacts, ids), writer)
        return AsyncThrowingStream { try await export.next() }
    }

    /// The state of the export between two chunks.
    private actor Export {
        private enum Stage {
            case beginning, cards, end
        }

        private let surveyed: CardPages
        private let pages: CardPages
        private var writer: any CardListWriter
        private var stage = Stage.beginning

        init(_ pages: CardPages, again: CardPages, _ writer: any CardListWriter) {
            surveyed = pages
            self.pages = again
            self.writer = writer
        }

        func next() async throws -> [UInt8]? {
            switch stage {
            case .beginning:
                if writer.needsSurvey {
                    while let page = try await surveyed.next() {
                        for item in page { writer.survey(item.card) }
                    }
                }
                stage = .cards
                return writer.begin()
            case .cards:
                guard let page = try await pages.next() else {
                    stage = .end
                    return writer.end()
                }
                return page.flatMap { writer.add($0.card, id: $0.id) }
            case .end: return nil
            }
        }
    }
}
