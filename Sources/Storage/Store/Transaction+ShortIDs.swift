import SQLite

extension Transaction {
    /// Returns the shortest unique prefix of each id among the ids of all `tables`, of three characters or more.
    package func shortIDs(of ids: [String], inTables tables: [String]) throws -> [String: String] {
        var size = 0
        for table in tables {
            size += try row("SELECT max(rowid) FROM \(table)") { $0.optionalInt(0) ?? 0 } ?? 0
        }
        // One pass over all ids is cheaper than two look-ups for many.
        return ids.count * 16 >= size
            ? try shortIDs(amongAll: ids, inTables: tables)
            : Dictionary(
                try ids.map { ($0, String($0.prefix(try shortIDLength($0, inTables: tables)))) }
            ) { first, _ in first }
    }

    private func shortIDLength(_ id: String, inTables tables: [String]) throws -> Int {
        var (before, after): ([String], [String]) = ([], [])
        for table in tables {
            let last = try row("SELECT max(id) FROM \(table) WHERE id < ?", id) { $0.optionalText(0) }
            let next = try row("SELECT min(id) FROM \(table) WHERE id > ?", id) { $0.optionalText(0) }
            before += [last ?? nil].compactMap(\.self)
            after += [next ?? nil].compactMap(\.self)
        }
        return ShortIDs.shorten(id, before: before.max(), after: after.min())
    }

    private func shortIDs(amongAll wanted: [String], inTables tables: [String]) throws -> [String: String] {
        var lengths = [Int?](repeating: nil, count: wanted.count)
        var places = SortedIDs(wanted)
        var before: [UInt8] = []
        // The wanted id of the last row, with what it shares with the row before it.
        var open: (place: Int, shared: Int)?
        func close(sharing shared: Int) {
            guard let (place, sharedBefore) = open else { return }
            lengths[place] = ShortIDs.length(of: wanted[place], sharing: max(shared, sharedBefore))
        }
        let all = tables.map { "SELECT id FROM \($0)" }.joined(separator: " UNION ALL ")
        try scan("\(all) ORDER BY id") { row in
            row.withBytes(0) { id in
                let shared = ShortIDs.sharedCount(before, id)
                close(sharing: shared)
                open = places.place(of: id).map { ($0, shared) }
                before.removeAll(keepingCapacity: true)
                before.append(contentsOf: id)
            }
            return true
        }
        close(sharing: 0)
        var short: [String: String] = [:]
        short.reserveCapacity(wanted.count)
        for (id, length) in zip(wanted, lengths) where short[id] == nil {
            // One without a length is not stored, such as that of a planned item, or comes twice.
            let length = try length ?? shortIDLength(id, inTables: tables)
            short[id] = String(decoding: id.utf8.prefix(length), as: UTF8.self)
        }
        return short
    }
}
