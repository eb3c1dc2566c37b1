import CSQLite

extension Connection {
    /// Applies a changeset; `resolve` decides about every change that does not fit the rows as they are.
    ///
    /// Tables that are missing or have fewer columns than recorded are passed over in silence by SQLite: check them
    /// before. With foreign keys on, cascades happen twice: turn them off and check the keys before the commit.
    /// - Throws: `SQLITE_ABORT` when `resolve` aborted; then nothing was applied.
    package func apply(_ changeset: Changeset, resolve: @escaping (Conflict) -> Conflict.Resolution) throws(SQLiteError)
    {
        try changeset.check()
        let code = withUnsafePointer(to: Resolver(resolve: resolve)) { resolver in
            changeset.bytes.withUnsafeBytes { bytes in
                sqlite3changeset_apply_v2(
                    handle, Int32(bytes.count), UnsafeMutableRawPointer(mutating: bytes.baseAddress), nil,
                    resolveConflict, UnsafeMutableRawPointer(mutating: UnsafeRawPointer(resolver)), nil, nil, 0)
            }
        }
        guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    }
}

private struct Resolver {
    let resolve: (Conflict) -> Conflict.Resolution
}

/// The conflict callback of `sqlite3changeset_apply_v2`.
private func resolveConflict(context: UnsafeMutableRawPointer?, type: Int32, iterator: OpaquePointer?) -> Int32 {
    guard let context, let conflict = Conflict(type, iterator) else { return SQLITE_CHANGESET_ABORT }
    switch context.assumingMemoryBound(to: Resolver.self).pointee.resolve(conflict) {
    case .abort: return SQLITE_CHANGESET_ABORT
    case .omit: return SQLITE_CHANGESET_OMIT
    }
}
