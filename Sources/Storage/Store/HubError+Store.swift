import Glibc
package import SQLite

extension HubError {
    /// Creates the error for a failure of the database, with a hint.
    package init(store error: SQLiteError) {
        if error.isBusy {
            self.init(busyStore: error, writer: nil)
        } else if error.isDiskFull {
            self.init(diskFullBecauseOf: error)
        } else if error.isReadOnly {
            self = .readOnlyStore(cause: error)
        } else if error.isDamage {
            self = .damagedStore(error.message, cause: error)
        } else {
            self.init(
                .internal, code: "store-failed", "database error",
                details: ["\(error.message) (SQLite \(error.code))"], hint: "hub doctor checks the store", cause: error)
        }
    }

    /// The error for a change that waited in vain for `writer`, as far as that is known.
    init(busyStore error: SQLiteError, writer: DatabaseWriter?) {
        let name = writer.map { "\($0.command), process \($0.process)," } ?? "another process"
        self.init(
            .busy, code: "store-busy", "the store is busy", details: ["\(name) has been writing for 10 seconds"],
            hint: "try again; hub status shows what is running", cause: error)
    }

    /// Creates the error for a failed system call on a file or folder of the store.
    package init(storeFile error: SystemError) {
        switch error.code {
        case ENOSPC, EDQUOT, EFBIG: self.init(diskFullBecauseOf: error)
        case EACCES, EPERM, EROFS:
            self.init(
                .denied, code: "data-folder", "the data folder cannot be used", details: [error.description],
                hint: "make it writable, or choose another folder: --data DIR, or HUB_DATA", cause: error)
        case ENOTDIR, EISDIR, ENOENT, ELOOP, ENAMETOOLONG:
            self.init(
                .config, code: "data-folder", "the data folder cannot be used", details: [error.description],
                hint: "choose another folder: --data DIR, or HUB_DATA", cause: error)
        default:
            self.init(
                .internal, code: "data-folder", "the data folder cannot be used", details: [error.description],
                hint: "hub doctor checks folder and disk", cause: error)
        }
    }

    /// Creates the error for a change that failed because the disk is full.
    package init(diskFullBecauseOf cause: (any Error)?) {
        self.init(
            .busy, code: "disk-full", "the disk of the store is full",
            details: ["this change was rolled back"], hint: "free some space and try again", cause: cause)
    }

    /// Returns the error for a store that cannot be read for the given reason.
    static func damagedStore(_ reason: String, cause: (any Error)? = nil) -> HubError {
        HubError(
            .internal, code: "store-damaged", "the store is damaged", details: [reason],
            hint: "hub doctor lists the damage and the available copies; hub restore FILE restores one", cause: cause)
    }

    /// The codes of the errors for changes that the disk or its permissions do not allow, while reading works.
    package static let unwritableStore: Set<String> = ["disk-full", "store-read-only"]

    /// The codes of the errors for a store that cannot even be read.
    package static let unusableStore: Set<String> = ["store-damaged", "store-failed", "store-unusable", "data-folder"]

    /// Returns the error for a change to a read-only store.
    package static func readOnlyStore(cause: (any Error)? = nil) -> HubError {
        HubError(
            .denied, code: "store-read-only", "the store is read-only",
            details: ["you cannot write to its folder or file"],
            hint: "hub doctor shows what is not writable; reading, export and backup work", cause: cause)
    }
}

/// Runs `body` and turns the errors of the database into errors for the user.
func withStoreErrors<T>(_ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as SQLiteError {
        throw HubError(store: error)
    } catch let error as SystemError {
        throw HubError(storeFile: error)
    }
}
