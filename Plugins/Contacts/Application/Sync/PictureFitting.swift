import ContactsDomain
import Sync

/// Makes the pictures of cards for an account as small as its server wants them. The contacts keep theirs.
package struct PictureFitting: Sendable {
    /// The largest picture of the account in bytes; nil if only the size of whole cards is limited.
    private let limit: Int?
    private let scaler: PictureScaler

    package init(limit: Int?, scaler: PictureScaler = PictureScaler()) {
        self.limit = limit
        self.scaler = scaler
    }

    /// What becomes of a picture.
    enum Outcome {
        /// It is sent as it is.
        case kept
        /// This one is sent instead; `isNew` unless the server has it already.
        case replaced([UInt8], isNew: Bool)
        /// It is too large and cannot be made smaller.
        case tooLarge(PictureScaler.Failure)
    }

    /// Decides about the picture of `card`, whose state when it was last sent is `base`.
    func outcome(for card: Card, base: SyncBase?, in book: Book) async -> Outcome {
        guard limit != nil || book.remote.maximumCardSize != nil, card.hasPicture,
            case .picture(let picture)? = card.photo, let limit = limit(of: card, picture.count, in: book),
            picture.count > limit
        else { return .kept }
        if let base, base.ours.photo == card.photo, case .picture(let sent)? = base.theirs.photo, sent.count <= limit {
            return .replaced(sent, isNew: false)
        }
        do throws(PictureScaler.Failure) {
            return .replaced(try await scaler.jpeg(picture, atMost: limit), isNew: true)
        } catch {
            return .tooLarge(error)
        }
    }

    /// The largest picture in bytes for this card; nil if any is small enough.
    private func limit(of card: Card, _ picture: Int, in book: Book) -> Int? {
        var limit = limit
        if let size = book.remote.maximumCardSize, card.bytes.count > size {
            // Three bytes are four letters of a card, and each line has an end.
            let rest = max(0, card.bytes.count - picture / 3 * 4 * 78 / 75)
            limit = min(limit ?? .max, max(0, size - rest - 1024) / 4 * 3 * 75 / 78)
        }
        return limit
    }
}
