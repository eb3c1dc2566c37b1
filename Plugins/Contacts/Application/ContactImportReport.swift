package import ContactsDomain
package import HubKit

/// The result of an import, card by card.
package typealias ContactImportReport = ImportReport<ContactImportItem, InputProblem>

/// The result of one card.
package struct ContactImportItem: ImportedItem {
    /// The outcome; a contact restored from the trash counts as new.
    package let outcome: ImportOutcome
    /// The contact; in a dry run the id of a new contact is not stored.
    package let contact: ContactSummary
    /// The changes of a known contact, and values that were kept.
    package let changes: [String]
    /// The warnings of the reader.
    package let doubts: [InputProblem]
    /// The file in a folder.
    package let file: String?

    /// The id of the contact.
    package var id: String { contact.id }

    /// The name of the contact for output.
    package var name: String { contact.shownName }

    /// Changes and warnings, each once.
    package var words: [String] {
        var seen = Set<String>()
        return (changes + doubts.map(\.message)).filter { seen.insert($0).inserted }
    }
}
