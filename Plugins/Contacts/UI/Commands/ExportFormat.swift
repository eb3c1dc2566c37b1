import ContactsDomain
import HubKit

/// The export formats.
enum ExportFormat: String, ChoiceArgument, CaseIterable {
    /// The cards as stored, byte for byte.
    case vcard
    case vcard3, vcard4, jcard
    /// The CSV format of Google Contacts.
    case csv
    /// A folder with one file per contact.
    case vdir
    /// A calendar of birthdays.
    case ics

    /// Returns the writer of the format; nil for a folder. `isSingle`: exactly one contact is written.
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
