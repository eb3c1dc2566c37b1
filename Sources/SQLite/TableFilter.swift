import CSQLite

/// The tables that a session records, in the form that the per-row filter reads. It must outlive its sessions.
///
/// The C memory is written in the initialiser and freed in the deinitialiser only, so it may be shared.
package final class TableFilter: @unchecked Sendable {
    /// The names, sorted by byte.
    package let tables: [String]
    private let names: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>
    let list: UnsafeMutablePointer<csqlite_tables>

    /// Creates a filter for the named tables.
    package init(_ tables: some Sequence<String>) {
        self.tables = tables.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        names = .allocate(capacity: self.tables.count)
        for (index, table) in self.tables.enumerated() {
            let bytes = UnsafeMutableBufferPointer<CChar>.allocate(capacity: table.utf8.count + 1)
            _ = bytes.initialize(from: table.utf8.map { CChar(bitPattern: $0) } + [0])
            names.initializeElement(at: index, to: UnsafePointer(bytes.baseAddress))
        }
        list = .allocate(capacity: 1)
        list.initialize(to: csqlite_tables(count: Int32(self.tables.count), names: names.baseAddress))
    }

    deinit {
        for name in names { name?.deallocate() }
        names.deallocate()
        list.deallocate()
    }
}
