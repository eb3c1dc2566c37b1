import Collation
package import ContactsDomain
import SQLite
package import Storage

/// Lists of contacts in order.
extension Transaction {
    /// Returns the number of live contacts.
    package func contactCount() throws -> Int {
        try row("SELECT count(*) FROM contacts_entry") { $0.int(0) } ?? 0
    }

    /// Returns the contacts that match `filter`, in its order, at most `limit`.
    ///
    /// Words match prefixes of words, and inside words if there are no such matches.
    package func contacts(_ filter: ContactFilter, limit: Int? = nil) throws -> [ContactSummary] {
        try contactList(filter, limit: limit).rows
    }

    /// Returns the contacts that match `filter`, in its order, at most `limit`, and the number of all of them.
    package func contactList(
        _ filter: ContactFilter, limit: Int? = nil
    ) throws -> (rows: [ContactSummary], total: Int) {
        let conditions = try conditions(of: filter)
        let (condition, total) = try firstReach(filter.query.words, conditions)
        if total == 0 { return ([], 0) }
        let needsTimes = filter.order != .name
        let order =
            switch (filter.order, filter.isReversed) {
            case (.name, false): ContactIndexRow.order
            case (.name, true): ContactIndexRow.reversedOrder
            case (.created, false): "c.created_at, e.number"
            case (.created, true): "c.created_at DESC, e.number DESC"
            case (.changed, false): "c.changed_at, e.number"
            case (.changed, true): "c.changed_at DESC, e.number DESC"
            }
        let all = condition.sql + conditions.sql
        let sql =
            ContactSummary.select + (needsTimes ? " JOIN contacts_contact c ON c.id = e.id" : "")
            + (all.isEmpty ? "" : " WHERE " + all.joined(separator: " AND ")) + " ORDER BY \(order) LIMIT ?"
        let found = try rows(
            sql, arguments: condition.arguments + conditions.arguments + [limit ?? -1], body: ContactSummary.init)
        return (found, total)
    }

    /// Returns a page of all contacts in the order of names: at most `limit` after `cursor`, and the cursor of the next
    /// page if there are more.
    package func contactPage(
        after cursor: ListCursor?, limit: Int
    ) throws -> (rows: [ContactSummary], next: ListCursor?) {
        var sql = "SELECT e.id, e.title, e.phone, e.email, e.tags, e.is_group, e.sort_key FROM contacts_entry e"
        var arguments: [any Bindable] = []
        if let cursor {
            sql += """
                 WHERE substr(e.sort_key, 1, 8) >= substr(?, 1, 8) AND (e.sort_key > ?
                    OR e.sort_key = ? AND e.number > (SELECT number FROM contacts_entry WHERE id = ?))
                """
            arguments = [cursor.sortKey, cursor.sortKey, cursor.sortKey, cursor.id]
        }
        sql += " ORDER BY \(ContactIndexRow.order) LIMIT ?"
        arguments.append(limit + 1)
        let found = try rows(sql, arguments: arguments) { row in
            (summary: ContactSummary(row), cursor: ListCursor(sortKey: row.blob(6), id: row.text(0)))
        }
        return (found.prefix(limit).map(\.summary), found.count > limit ? found[limit - 1].cursor : nil)
    }

    /// Returns all tags with their number of contacts, in the order of the folded tags.
    package func contactTags() throws -> [TagUsage] {
        // Of several spellings the last in byte order is shown, usually the lower-case one.
        try rows("SELECT max(tag), count(*) FROM contacts_tag GROUP BY folded ORDER BY folded") {
            TagUsage($0.text(0), count: $0.int(1))
        }
    }

    /// Returns the live contacts with a birthday in one of the ranges of month × 100 + day.
    package func contacts(bornIn ranges: [ClosedRange<Int>]) throws -> [Contact] {
        try ranges.flatMap { range in
            try rows(
                """
                SELECT \(Contact.columns(of: "c"))
                FROM contacts_entry e JOIN contacts_contact c ON c.id = e.id
                WHERE e.birthday BETWEEN ? AND ? AND NOT e.is_group ORDER BY e.birthday, e.sort_key, e.number
                """, range.lowerBound, range.upperBound, body: Contact.init)
        }
    }

    /// Returns the live contacts with a birthday, an anniversary or another date in one of the ranges of month × 100 + day, in the
    /// order of names.
    package func contacts(withDatesIn ranges: [ClosedRange<Int>]) throws -> [Contact] {
        let days = ranges.map { _ in
            "SELECT number FROM contacts_date WHERE day BETWEEN ? AND ? "
                + "UNION SELECT number FROM contacts_entry WHERE birthday BETWEEN ? AND ?"
        }
        return try rows(
            """
            SELECT \(Contact.columns(of: "c"))
            FROM contacts_entry e JOIN contacts_contact c ON c.id = e.id
            WHERE e.number IN (\(days.joined(separator: " UNION "))) AND NOT e.is_group
            ORDER BY e.sort_key, e.number
            """, arguments: ranges.flatMap { [$0.lowerBound, $0.upperBound, $0.lowerBound, $0.upperBound] },
            body: Contact.init)
    }

    /// Returns all live groups, in the order of names.
    package func groupSummaries() throws -> [ContactSummary] {
        try rows(
            "\(ContactSummary.select) WHERE e.is_group ORDER BY \(ContactIndexRow.order)", body: ContactSummary.init)
    }

    /// Returns the live contacts of `ids`, in this order.
    package func contactSummaries(_ ids: [String]) throws -> [ContactSummary] {
        try ids.compactMap { try row("\(ContactSummary.select) WHERE e.id = ?", $0, body: ContactSummary.init) }
    }

    /// Returns `limit` of the contacts that match `filter`, from `offset` on, and the number of all of them. With words
    /// the best matches come first.
    package func contactRows(
        _ filter: ContactFilter, offset: Int, limit: Int
    ) throws -> (rows: [ContactSummary], total: Int) {
        let conditions = try conditions(of: filter)
        if filter.query.words.isEmpty {
            let all = conditions.joined(behind: " WHERE ")
            let total = try row("SELECT count(*) FROM contacts_entry e\(all)", arguments: conditions.arguments) {
                $0.int(0)
            }
            let found = try rows(
                "\(ContactSummary.select)\(all) ORDER BY \(ContactIndexRow.order) LIMIT ? OFFSET ?",
                arguments: conditions.arguments + [limit, offset], body: ContactSummary.init)
            return (found, total ?? 0)
        }
        let found = try searchContactIDs(filter.query.words, conditions)
        return (try contactSummaries(Array(found.dropFirst(offset).prefix(limit))), found.count)
    }

    /// Returns the positions in the list of names at which keys of `boundaries` begin: how many contacts have a smaller
    /// sort key than each. The boundaries are in order.
    package func contactPositions(of boundaries: [[UInt8]]) throws -> [Int] {
        var counts = [Int](repeating: 0, count: boundaries.count + 1)
        try scan("SELECT substr(sort_key, 1, 8) FROM contacts_entry") { row in
            let key = row.blob(0)
            var (low, high) = (0, boundaries.count)
            while low < high {
                let middle = (low + high) / 2
                if boundaries[middle].lexicographicallyPrecedes(key) || boundaries[middle] == key {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            counts[low] += 1
            return true
        }
        return counts.dropLast().reduce(into: []) { $0.append(($0.last ?? 0) + $1) }
    }
}

/// A cursor of the contact list: the position of the last row of a page in the order of names.
///
/// It contains no row number and stays valid if that row is deleted or renamed.
package struct ListCursor: Hashable, Sendable {
    /// The sort key of the last row.
    let sortKey: [UInt8]
    /// The id of the last row, for rows with equal keys.
    let id: String

    init(sortKey: [UInt8], id: String) {
        self.sortKey = sortKey
        self.id = id
    }

    /// Parses `text`; nil if it is not valid.
    package init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count < 4096, Identifier.isPrefix(parts[1]) else { return nil }
        let digits = Array(parts[0].utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var key: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) else {
                return nil
            }
            key.append(byte)
        }
        (sortKey, id) = (key, String(parts[1]))
    }

    /// The cursor as text for URLs.
    package var text: String {
        let digits = Array("0123456789abcdef".utf8)
        let key = sortKey.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: key, as: UTF8.self) + "." + id
    }
}
