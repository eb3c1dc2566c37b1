/// The columns of Google Contacts, in the current format (since 2024) and the previous one.
struct GoogleColumns: Sendable {
    /// The separator of several values in a cell.
    static let joint = " ::: "

    /// A column of a numbered group: `E-mail 1 - Value`.
    private struct Slot: Hashable {
        let group: String
        let number: Int
        let part: String
    }

    /// The columns that a table of Google may begin with, in lower case.
    static let firstNames: Set = ["name", "first name", "given name", "name prefix"]

    /// Returns the values of a cell.
    static func values(in cell: String) -> [String] {
        cell.split(separator: joint, omittingEmptySubsequences: false).map(String.init)
    }

    private let names: [String]
    private let slots: [Slot?]

    /// Creates the columns with these titles; nil if they are not Google's.
    init?(_ header: [String]) {
        names = header.map(\.trimmed)
        slots = names.map(GoogleColumns.slot)
        let lower = Set(names.map { $0.lowercased() })
        let hasGroups = slots.contains { $0.map { ["e-mail", "phone", "address"].contains($0.group) } ?? false }
        let isGoogle =
            lower.isSuperset(of: ["first name", "labels"]) || lower.isSuperset(of: ["given name", "group membership"])
            || hasGroups && (lower.contains("first name") || lower.contains("given name") || lower.contains("name"))
        guard isGoogle else { return nil }
    }

    private static func slot(_ title: String) -> Slot? {
        guard let dash = title.firstRange(of: " - ") else { return nil }
        let head = title[..<dash.lowerBound]
        guard let blank = head.lastIndex(of: " "), let number = Int(head[head.index(after: blank)...]), number > 0
        else { return nil }
        let part = title[dash.upperBound...].lowercased()
        return Slot(
            group: head[..<blank].lowercased(), number: number, part: part == "type" ? "label" : part)
    }

    /// Whether a spreadsheet may evaluate the cell as a formula: it starts like one and is not just a number.
    static func isFormula(_ cell: String) -> Bool {
        guard let first = cell.utf8.first else { return false }
        if "=@\t\r".utf8.contains(first) { return true }
        return "+-".utf8.contains(first) && !cell.utf8.allSatisfy { $0 &- 0x30 < 10 || " ()./:+-".utf8.contains($0) }
    }

    /// Returns the row as a contact.
    func draft(_ cells: [String], _ dates: SlashDates) -> CardDraft {
        var draft = CardDraft()
        var groups: [String: [Int: [String: String]]] = [:]
        for (place, written) in cells.enumerated() where place < names.count && !written.trimmed.isEmpty {
            let isGuarded = written.hasPrefix("'") && GoogleColumns.isFormula(String(written.dropFirst()))
            let cell = isGuarded ? String(written.dropFirst()) : written
            if let slot = slots[place] {
                groups[slot.group, default: [:]][slot.number, default: [:]][slot.part] = cell
            } else {
                fill(&draft, names[place], cell, dates)
            }
        }
        for (group, items) in groups.sorted(by: { $0.key < $1.key }) {
            for (_, parts) in items.sorted(by: { $0.key < $1.key }) {
                GoogleGroup(name: group, parts: parts).fill(&draft, dates)
            }
        }
        return draft
    }

    /// Sets the field of a column without a number.
    private func fill(_ draft: inout CardDraft, _ name: String, _ cell: String, _ dates: SlashDates) {
        let text = cell.trimmed
        switch name.lowercased() {
        case "name": draft.details.formattedName = text
        case "first name", "given name": draft.details.name.given = text
        case "middle name", "additional name": draft.details.name.additional = text
        case "last name", "family name": draft.details.name.family = text
        case "name prefix": draft.details.name.prefix = text
        case "name suffix": draft.details.name.suffix = text
        case "nickname": draft.details.nicknames.append(text)
        case "file as": draft.add(.sortString, text)
        case "phonetic first name", "given name yomi": draft.add(.phoneticGiven, text)
        case "phonetic middle name", "additional name yomi": draft.add(.phoneticAdditional, text)
        case "phonetic last name", "family name yomi": draft.add(.phoneticFamily, text)
        case "yomi name": break  // it repeats its parts
        case "maiden name": draft.add(.maidenName, text)
        case "organization name": draft.details.organization = [text] + draft.details.organization.dropFirst()
        case "organization department":
            draft.details.organization = [draft.details.organization.first ?? "", text]
        case "organization title": draft.details.title = text
        case "occupation": draft.details.role = text
        case "birthday":
            guard let (day, doubt) = dates.day(text, field: "birthday") else { break }
            draft.details.birthday = day
            if let doubt { draft.doubts.append(doubt) }
        case "notes": draft.details.note = cell
        case "photo": draft.addPicture(link: text)
        case "labels", "group membership":
            for tag in GoogleColumns.values(in: cell) {
                // System labels start with an asterisk; `* myContacts` is every contact.
                let tag = tag.trimmed
                guard !tag.isEmpty, tag.lowercased() != "* mycontacts" else { continue }
                draft.details.tags.append(tag.hasPrefix("* ") ? String(tag.dropFirst(2)) : tag)
            }
        default: draft.addCustom(name, cell)
        }
    }
}
