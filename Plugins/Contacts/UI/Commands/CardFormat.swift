import ContactsDomain
import HubKit

/// The output formats of a single card.
enum CardFormat: String, ChoiceArgument, CaseIterable {
    /// The card as stored, byte for byte.
    case vcard
    case vcard3, vcard4, jcard

    /// Returns the writer of the format. `isSingle`: exactly one contact is written.
    func writer(isSingle: Bool) -> any CardListWriter {
        switch self {
        case .vcard: VCardWriter(nil)
        case .vcard3: VCardWriter(.v3)
        case .vcard4: VCardWriter(.v4)
        case .jcard: JCardWriter(isSingle: isSingle)
        }
    }
}
