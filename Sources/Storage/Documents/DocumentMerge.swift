import SQLite
import Text

/// Merges two versions of a document over the one that both had.
///
/// A value that one side changed is taken from that side. If both changed it differently, the home's counts, and ours is reported: so the
/// result depends on no clock. Without a base nothing is removed.
package struct DocumentMerge: Sendable {
    /// The result; empty if the entity is gone on both sides.
    package private(set) var document = Document()
    /// What of this machine is not in the result, in words.
    package private(set) var lost: [String] = []
    /// Whether something that one side had removed or moved to the trash comes back, for the other has changed it.
    package private(set) var comesBack = false

    private let kind: DocumentKind

    /// Merges `ours` and `theirs`, an empty document being one that is gone. `base` is nil if it is not known.
    package init(_ kind: DocumentKind, base: Document?, ours: Document, theirs: Document) throws {
        self.kind = kind
        if ours == theirs || theirs == base {
            document = ours
        } else if ours == base {
            document = theirs
        } else if theirs.isEmpty || ours.isEmpty {
            // One side removed it for good. It is gone if the other had it in the trash; else a change counts more.
            let rest = theirs.isEmpty ? ours : theirs
            if rest.isTrashed(kind) { return }
            comesBack = base != nil
            document = rest
        } else {
            try merge(base, ours, theirs)
        }
    }

    private mutating func merge(_ base: Document?, _ ours: Document, _ theirs: Document) throws {
        var done: Set<String> = []
        for table in kind.tables {
            guard let whole = table.whole else {
                try mergeRows(of: table, base, ours, theirs)
                continue
            }
            guard done.insert(whole).inserted else { continue }
            let names = kind.tables.filter { $0.whole == whole }.map(\.name)
            func part(_ document: Document) -> [[ByteString: Document.Row]] {
                names.map { document.tables[$0] ?? [:] }
            }
            let (mine, other, before) = (part(ours), part(theirs), base.map(part))
            let takesOurs = other == before || mine != before && before == nil && other.allSatisfy(\.isEmpty)
            if mine != other, mine != before, !takesOurs { lost.append("\(whole) of this machine") }
            for (name, rows) in zip(names, takesOurs ? mine : other) where !rows.isEmpty {
                document.tables[name] = rows
            }
        }
        settleTrash(base, ours, theirs)
    }

    private mutating func mergeRows(
        of table: DocumentTable, _ base: Document?, _ ours: Document, _ theirs: Document
    ) throws {
        let (before, mine, other) = (
            base?.tables[table.name], ours.tables[table.name] ?? [:], theirs.tables[table.name] ?? [:]
        )
        var rows: [ByteString: Document.Row] = [:]
        for key in Set(mine.keys).union(other.keys) {
            let old = before?[key]
            switch (mine[key], other[key]) {
            case (let mine?, let other?): rows[key] = try mergeRow(of: table, old, mine, other)
            // Removed on one side: it stays gone if the other has not changed it since.
            case (let row?, nil), (nil, let row?): if old == nil || row != old { rows[key] = row }
            case (nil, nil): break
            }
        }
        if !rows.isEmpty { document.tables[table.name] = rows }
    }

    private mutating func mergeRow(
        of table: DocumentTable, _ base: Document.Row?, _ ours: Document.Row, _ theirs: Document.Row
    ) throws -> Document.Row {
        if ours == theirs || theirs == base { return ours }
        if ours == base { return theirs }
        var merged = theirs
        let columns = Set(ours.keys).union(theirs.keys)
        let grouped = Set(table.groups.joined())
        for group in table.groups + columns.subtracting(grouped).sorted().map({ [$0] }) {
            func part(_ row: Document.Row) -> [Document.Cell?] { group.map { row[$0] } }
            let (mine, other, before) = (part(ours), part(theirs), base.map(part))
            if mine == other || mine == before { continue }
            if other == before {
                for column in group { merged[column] = ours[column] }
                continue
            }
            let column = group[0]
            switch (table.rules[column], ours[column]?.value, theirs[column]?.value) {
            case (.greatest, .integer(let a)?, .integer(let b)?):
                merged[column] = Document.Cell(.integer(max(a, b)))
            case (.least, .integer(let a)?, .integer(let b)?): merged[column] = Document.Cell(.integer(min(a, b)))
            case (.trash, .integer(let a)?, .integer(let b)?): merged[column] = Document.Cell(.integer(min(a, b)))
            case (.trash, _, _), (.note, _, _): break
            case (.merged(let merge), .blob(let a)?, .blob(let b)?):
                var old: [UInt8]?
                if case .blob(let bytes)? = base?[column]?.value { old = bytes }
                let result = try merge(CellConflict(base: old, ours: a, theirs: b))
                merged[column] = Document.Cell(.blob(result.value))
                lost += result.lost
            default: lost += group.compactMap { lostWords($0, ours[$0], theirs[$0]) }
            }
        }
        return merged
    }

    /// `name "Run", now "Jog"`.
    private func lostWords(_ column: String, _ ours: Document.Cell?, _ theirs: Document.Cell?) -> String? {
        guard ours != theirs else { return nil }
        func words(_ cell: Document.Cell?) -> String {
            switch cell?.value {
            case nil, .null?: "nothing"
            case .text(let text)?: "\"\(text.prefix(100))\""
            case let value?: "\(value)"
            }
        }
        return "\(column) \(words(ours)), now \(words(theirs))"
    }

    /// What was moved to the trash on one side comes back if the other has changed it.
    private mutating func settleTrash(_ base: Document?, _ ours: Document, _ theirs: Document) {
        guard let base else { return }
        for table in kind.tables {
            guard
                let column = table.rules.first(where: { if case .trash = $0.value { true } else { false } })?.key
            else { continue }
            for (key, row) in document.tables[table.name] ?? [:] {
                func isTrashed(_ document: Document) -> Bool? {
                    document.tables[table.name]?[key]?[column].map { $0.value != .null }
                }
                guard isTrashed(base) == false, let mine = isTrashed(ours), let other = isTrashed(theirs),
                    mine != other, row[column]?.value != .null
                else { continue }
                let living = mine ? theirs : ours
                guard isEdited(living, since: base) else { continue }
                document.tables[table.name]?[key]?[column] = Document.Cell(.null)
                comesBack = true
            }
        }
    }

    /// Whether more than times has changed.
    private func isEdited(_ document: Document, since base: Document) -> Bool {
        func facts(_ document: Document) -> Document {
            var facts = document
            for table in kind.tables {
                for (column, rule) in table.rules {
                    switch rule {
                    case .greatest, .least, .trash:
                        for key in (facts.tables[table.name] ?? [:]).keys {
                            facts.tables[table.name]?[key]?[column] = nil
                        }
                    case .local, .beginning, .revision, .note, .merged: break
                    }
                }
            }
            return facts
        }
        return facts(document) != facts(base)
    }
}

extension Document {
    /// Whether the entity is in the trash.
    package func isTrashed(_ kind: DocumentKind) -> Bool {
        kind.trashColumns.contains { table, column in
            tables[table]?.values.contains { $0[column].map { $0.value != .null } ?? false } ?? false
        }
    }

    /// The document of the entity when it is not in the trash.
    package func restored(_ kind: DocumentKind) -> Document {
        var document = self
        for (table, column) in kind.trashColumns {
            for key in (tables[table] ?? [:]).keys where tables[table]?[key]?[column] != nil {
                document.tables[table]?[key]?[column] = Document.Cell(.null)
            }
        }
        return document
    }
}

extension DocumentKind {
    /// The columns that say since when an entity is in the trash, with their tables.
    fileprivate var trashColumns: [(table: String, column: String)] {
        tables.flatMap { table in
            table.rules.compactMap { column, rule in
                if case .trash = rule { (table.name, column) } else { nil }
            }
        }
    }
}
