import SQLite

/// A kind of documents that hubs of one person exchange: each has all rows that some tables hold of one entity.
///
/// A plugin declares it in its schema. The rows are read, written and merged by what is declared here alone, so a value that a plugin
/// adds to such a table is exchanged as well.
package struct DocumentKind: Sendable {
    /// The word that names it, such as `tasks`; unique among all plugins.
    package let id: String
    /// What one and several of these are called, such as `task` and `tasks`; empty for those that people do not count.
    package let noun: (one: String, many: String)
    /// The tables, each after those that its rows refer to. The first one has a row for every document, unless `part` is set.
    package let tables: [DocumentTable]
    /// The SQL expression of the part of an entity that a row belongs to, such as a year; nil for one document for each entity.
    package let part: String?
    /// The kind whose entities these documents belong to as well; nil for entities of their own.
    package let parent: String?
    /// The columns of the first table by which two entities that were made on different machines are known to be the same. A row with
    /// NULL in one of them is like no other.
    package let match: [String]
    /// The column of the first table with a name that no two entities outside of the trash share.
    package let uniqueName: String?
    /// The column of the first table with a time, in milliseconds, by which the files of documents may stay on the machine that has them
    /// until they are needed; nil for files that are on a machine before the document is.
    package let lazyFiles: String?

    /// Creates a kind.
    package init(
        _ id: String, noun: (one: String, many: String) = ("", ""), tables: [DocumentTable], part: String? = nil,
        parent: String? = nil, match: [String] = [], uniqueName: String? = nil, lazyFiles: String? = nil
    ) {
        self.lazyFiles = lazyFiles
        self.id = id
        self.noun = noun
        self.tables = tables
        self.part = part
        self.parent = parent
        self.match = match
        self.uniqueName = uniqueName
    }

    /// Returns the name of the document of an entity, or of a part of it.
    func name(of subject: String, part: String?) -> String { part.map { "\(subject)/\($0)" } ?? subject }

    /// Returns the entity and the part that a name stands for.
    func parse(_ name: String) -> (subject: String, part: String?) {
        guard part != nil, let slash = name.lastIndex(of: "/") else { return (name, nil) }
        return (String(name[..<slash]), String(name[name.index(after: slash)...]))
    }

    /// The entity of the document `name`.
    package func subject(of name: String) -> String { parse(name).subject }

    /// `3 tasks`.
    package func words(_ count: Int) -> String { "\(count) \(count == 1 ? noun.one : noun.many)" }
}

/// A table whose rows are in documents.
package struct DocumentTable: Sendable {
    /// The way a column is exchanged; all others are merged three ways.
    package enum Rule: Sendable {
        /// Not exchanged: what is only true on this machine. A new row has the column's default.
        case local
        /// Exchanged where it begins with this. Any other value is only true on this machine, and is like none to others: it stays until
        /// another machine gives the row a value of the first kind.
        case beginning(String)
        /// Not exchanged: the number of changes of the row here.
        case revision
        /// The larger of two values that both sides changed.
        case greatest
        /// The smaller of two values that both sides changed.
        case least
        /// The time at which the entity was moved to the trash. A change on the other side brings it back.
        case trash
        /// What hub notes for itself: of two values the home's counts, silently. For the first column of a group.
        case note
        /// Merged by the plugin.
        case merged(@Sendable (CellConflict) throws -> CellMerge)
    }

    /// The name.
    package let name: String
    /// The column with the id of the entity.
    package let subject: String
    /// The columns that are not merged as single values.
    package let rules: [String: Rule]
    /// Columns whose values make sense only together: both sides of a change are never mixed.
    package let groups: [[String]]
    /// The word of what the rows are a part of, together with those of other tables, if they are one value: a change replaces all. Nil
    /// for rows that are merged one by one.
    package let whole: String?

    /// Creates a table.
    package init(
        _ name: String, subject: String, rules: [String: Rule] = [:], groups: [[String]] = [], whole: String? = nil
    ) {
        self.name = name
        self.subject = subject
        self.rules = rules
        self.groups = groups
        self.whole = whole
    }

    /// Whether a column is in documents.
    func isExchanged(_ column: String) -> Bool {
        switch rules[column] {
        case .local, .revision: false
        default: column != subject
        }
    }

    /// Whether a value of a column is in documents.
    func isExchanged(_ column: String, _ value: Value) -> Bool {
        guard case .beginning(let start) = rules[column] else { return true }
        guard case .text(let text) = value else { return false }
        return text.utf8.starts(with: start.utf8)
    }
}

/// A value that both machines have changed.
package struct CellConflict: Sendable {
    /// The value when both were last equal; nil if it is not known.
    package let base: [UInt8]?
    /// The value here.
    package let ours: [UInt8]
    /// The value on the other machine.
    package let theirs: [UInt8]
}

/// The value that both machines get.
package struct CellMerge: Sendable {
    /// The value.
    package let value: [UInt8]
    /// What of this machine is not in it, in words; empty for nothing.
    package let lost: [String]

    package init(_ value: [UInt8], lost: [String] = []) {
        self.value = value
        self.lost = lost
    }
}
