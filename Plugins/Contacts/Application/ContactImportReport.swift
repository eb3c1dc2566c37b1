package import ContactsDomain
package import HubKit

/// What became of the cards of an import.
package typealias ContactImportReport = ImportReport<ContactImportItem, InputProblem>

/// One card of an import.
package struct ContactImportItem: ImportedItem {
    /// What became of it; one that brought a contact back from the trash is new.
    package let outcome: ImportOutcome
    /// The contact; of a plan for a new one its id is not kept.
    package let contact: ContactSummary
    /// What the import changed of a known contact, and what it left.
    package let changes: [String]
    /// What was read with a doubt.
    package let doubts: [InputProblem]
    /// The file in a folder.
    package let file: String?

    package var id: String { contact.id }

    package var name: String { contact.shownName }

    /// Changes and doubts, each once.
    package var words: [String] {
        var seen = Set<String>()
        return (changes + doubts.map(\.message)).filter { seen.insert($0).inserted }
    }
}
