import ContactsDomain
import HubKit

/// The formats in which contacts can be written.
enum ExportFormat: String, ChoiceArgument, CaseIterable {
    /// As they are kept, byte for byte.
    case vcard
    case vcard3, vcard4, jcard
    /// The table that Google Contacts imports.
    case csv
    /// A folder with a file for each.
    case vdir
    /// A calendar of birthdays.
    case ics

    /// What writes it; nil for a folder. `isSingle` says that one contact alone is asked for.
    func writer(isSingle: Bool, isSpreadsheetSafe: Bool) -> (any CardListWriter)? {
        switch self {
        case .vcard: VCardWriter(nil)
        case .vcard3: VCardWriter(.v3)
        case .vcard4: VCardWriter(.v4)
        case .jcard: JCardWriter(isSingle: isSingle)
        case .csv: GoogleWriter(isSpreadsheetSafe: isSpreadsheetSafe)
        case .ics: BirthdayCalendar()
        case .vdir: nil
        }
    }
}
