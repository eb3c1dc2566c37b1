import ContactsDomain
import HubKit

/// The formats in which a card can be asked for.
enum CardFormat: String, ChoiceArgument, CaseIterable {
    /// As it is kept, byte for byte.
    case vcard
    case vcard3, vcard4, jcard

    /// What writes it; `isSingle` says that one contact alone is asked for.
    func writer(isSingle: Bool) -> any CardListWriter {
        switch self {
        case .vcard: VCardWriter(nil)
        case .vcard3: VCardWriter(.v3)
        case .vcard4: VCardWriter(.v4)
        case .jcard: JCardWriter(isSingle: isSingle)
        }
    }
}
