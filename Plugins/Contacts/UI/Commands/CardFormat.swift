import ContactsDomain
import HubKit

/// The formats in which a card can be asked for.
enum CardFormat: String, ChoiceArgument, CaseIterable {
    /// As it is kept, byte for byte.
    case vcard
    case vcard3, vcard4

    /// The version to convert to; nil leaves the card as it is.
    var version: VCardVersion? {
        switch self {
        case .vcard: nil
        case .vcard3: .v3
        case .vcard4: .v4
        }
    }
}
