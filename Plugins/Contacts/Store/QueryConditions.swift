import Collation
import ContactsDomain
import SQLite
import Storage

/// SQL conditions on `contacts_entry e`, all of which a contact must meet, with their arguments.
struct QueryConditions {
    private(set) var sql: [String] = []
    private(set) var arguments: [any Bindable] = []

    var isEmpty: Bool { sql.isEmpty }

    mutating func add(_ condition: String, _ values: [any Bindable] = []) {
        sql.append(condition)
        arguments += values
    }

    /// Adds the condition to be one of the contacts `ids`.
    mutating func add(ids: some Collection<String>) {
        add("e.id IN (SELECT value FROM json_each(?))", [Self.list(ids.map { "\"\($0)\"" })])
    }

    /// Adds the condition to be one of the entries `numbers`.
    mutating func add(numbers: [Int]) {
        add("e.number IN (SELECT value FROM json_each(?))", [Self.list(numbers.map(String.init))])
    }

    /// JSON values, none of which needs an escape, as a JSON array: one argument whatever their number.
    private static func list(_ values: [String]) -> String { "[\(values.joined(separator: ","))]" }

    /// The conditions after `prefix`; empty if there are none.
    func joined(behind prefix: String) -> String { sql.isEmpty ? "" : prefix + sql.joined(separator: " AND ") }
}

extension Transaction {
    /// Returns the conditions of `filter` besides the words and the order.
    func conditions(of filter: ContactFilter) throws -> QueryConditions {
        var all = try conditions(of: filter.query)
        for tag in filter.tags { all.add(tagged, [Transliterator.fold(tag)]) }
        for group in filter.groups { all.add(ids: try memberIDs(ofGroups: [group])) }
        if let books = filter.books { add(books: books, to: &all) }
        if filter.since != nil || filter.until != nil {
            add(times: "changed_at", filter.since, filter.until, to: &all)
        }
        return all
    }

    /// Returns the conditions of `query` besides its words.
    func conditions(of query: ContactQuery) throws -> QueryConditions {
        var all = QueryConditions()
        for condition in query.conditions { try add(condition, to: &all) }
        return all
    }

    private var tagged: String { "e.number IN (SELECT number FROM contacts_tag WHERE folded = ?)" }

    private func add(_ condition: ContactQuery.Condition, to all: inout QueryConditions) throws {
        var own = QueryConditions()
        switch condition.test {
        case .words(let words):
            let words = SearchCondition(words, .beginnings, cap: nil)
            for (place, sql) in words.sql.enumerated() { own.add(sql, place == 0 ? words.arguments : []) }
        case .phrase(let text):
            let columns = ["name", "reach", "other"]
            let spellings = ContactQuery.spellings(
                of: text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
            let parts = spellings.flatMap { _ in columns.map { "instr(e.\($0), ?) > 0" } }
            own.add(parts.joined(separator: " OR "), spellings.flatMap { text in columns.map { _ in text } })
        case .field(let field, let text):
            own.add(numbers: try entries(with: text, in: field, condition.test))
        case .tag(let tag): own.add(tagged, [Transliterator.fold(tag)])
        case .group(let name):
            let folded = ContactIndexRow.folded(name)
            let groups = try groupSummaries().filter { ContactIndexRow.folded($0.name) == folded }
            own.add(ids: try memberIDs(ofGroups: groups.map(\.id)))
        case .book(let name): add(books: try books(named: name), to: &own)
        case .has(let property):
            if let bit = property.bit {
                own.add("e.properties & ? <> 0", [bit])
            } else {
                own.add(ids: try memberIDs(ofGroups: groupSummaries().map(\.id)))
            }
        case .kind(.group): own.add("e.is_group")
        case .kind(.company): own.add("e.properties & ? <> 0", [ContactProperty.organizationBit])
        case .kind(.person): own.add("NOT e.is_group AND e.properties & ? = 0", [ContactProperty.organizationBit])
        case .changed(let since, let until): add(times: "changed_at", since, until, to: &own)
        case .created(let since, let until): add(times: "created_at", since, until, to: &own)
        }
        let joined = own.isEmpty ? "1" : own.sql.map { "(\($0))" }.joined(separator: " AND ")
        all.add(condition.isNegated ? "NOT (\(joined))" : "(\(joined))", own.arguments)
    }

    private func add(times column: String, _ since: Int64?, _ until: Int64?, to all: inout QueryConditions) {
        let limits = [since.map { _ in "\(column) >= ?" }, until.map { _ in "\(column) < ?" }].compactMap(\.self)
        if limits.isEmpty { return }
        all.add(
            "e.id IN (SELECT id FROM contacts_contact WHERE \(limits.joined(separator: " AND ")))",
            [since, until].compactMap(\.self))
    }

    /// Adds the condition to be in one of the books; in none of any account if there are none.
    private func add(books: [String], to all: inout QueryConditions) {
        let places = books.map { _ in "?" }.joined(separator: ", ")
        let isThere = "SELECT id FROM contacts_contact WHERE book IN (\(places))"
        let isHere = "SELECT id FROM contacts_contact WHERE \(Transaction.isInNoBook)"
        all.add("e.id IN (\(books.isEmpty ? isHere : isThere))", books)
    }

    /// Returns the ids of the books of this name or account; none for `here`, and an empty id for an unknown name.
    private func books(named name: String) throws -> [String] {
        let folded = Transliterator.fold(name)
        if folded == "here" { return [] }
        let found = try (books() + localBooks()).filter { book in
            [book.name, book.account, "\(book.account)/\(book.name)"].contains { Transliterator.fold($0) == folded }
        }
        return found.isEmpty ? [""] : found.map(\.id)
    }

    /// Returns the numbers of the entries whose values of `field` contain `text`.
    ///
    /// The index finds entries with the text in any of the fields that it holds together; the cards of those are read.
    private func entries(with text: String, in field: ContactField, _ test: ContactQuery.Test) throws -> [Int] {
        let (column, isInGrams): (String, Bool) =
            switch field {
            case .name, .nickname: ("name", true)
            case .phone, .email, .im: ("reach", true)
            default: ("other", false)
            }
        let spellings = field == .phone ? [ContactQuery.dialled(text)] : ContactQuery.spellings(of: text)
        var numbers: [Int] = []
        let isIndexed =
            isInGrams && spellings.allSatisfy { $0.unicodeScalars.count >= 3 && !$0.contains { "*?[]".contains($0) } }
        // Dates are in no text.
        let isEverywhere = field == .birthday || field == .anniversary
        let candidates =
            isEverywhere
            ? "e.properties & ? <> 0"
            : spellings.map { _ in
                isIndexed
                    ? "e.number IN (SELECT rowid FROM contacts_grams WHERE \(column) GLOB ?)"
                    : "instr(e.\(column), ?) > 0"
            }.joined(separator: " OR ")
        let arguments: [any Bindable] =
            isEverywhere
            ? [ContactProperty.field(field).bit ?? 0] : spellings.map { isIndexed ? "*\($0)*" : $0 }
        try scan(
            """
            SELECT e.number, c.card FROM contacts_entry e JOIN contacts_contact c ON c.id = e.id WHERE \(candidates)
            """, arguments: arguments
        ) { row in
            if test.isPassed(by: Card(row.blob(1)).details) { numbers.append(row.int(0)) }
            return true
        }
        return numbers
    }
}
