import Glibc
package import SQLite

extension HubError {
    /// The failure of the database in terms a person can act on.
    package init(store error: SQLiteError) {
        if error.isBusy {
            self.init(busyStore: error, writer: nil)
        } else if error.isDiskFull {
            self.init(diskFullBecauseOf: error)
        } else if error.isReadOnly {
            self = .readOnlyStore(cause: error)
        } else if error.isDamage {
            self.init(
                .internal, code: "store-damaged", "the store is damaged", details: [error.message],
                hint: "hub doctor lists what is damaged and which copies there are; hub restore FILE brings one back",
                cause: error)
        } else {
            self.init(
                .internal, code: "store-failed", "the store could not do this",
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

    /// The failure of a system call on a file or folder of the store.
    package init(storeFile error: SystemError) {
        switch error.code {
        case ENOSPC, EDQUOT, EFBIG: self.init(diskFullBecauseOf: error)
        case EACCES, EPERM, EROFS:
            self.init(
                .denied, code: "data-folder", "the data folder cannot be used", details: [error.description],
                hint: "make it writable for you, or choose another folder: --data DIR, or HUB_DATA", cause: error)
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

    /// The error for a change that finds no room.
    package init(diskFullBecauseOf cause: (any Error)?) {
        self.init(
            .busy, code: "disk-full", "there is no room left on the disk of the store",
            details: ["nothing of this change was kept"], hint: "free some room and try again", cause: cause)
    }

    /// The codes of the errors for changes that the disk or its permissions do not allow, while reading works.
    package static let unwritableStore: Set<String> = ["disk-full", "store-read-only"]

    /// The error for a change of a store that can only be read.
    package static func readOnlyStore(cause: (any Error)? = nil) -> HubError {
        HubError(
            .denied, code: "store-read-only", "the store can only be read",
            details: ["its folder or its file is not writable for you"],
            hint: "hub doctor names what is not writable; reading, export and backup work", cause: cause)
    }
}

/// Runs `body` and turns the database's own errors into those a person can act on.
func withStoreErrors<T>(_ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as SQLiteError {
        throw HubError(store: error)
    } catch let error as SystemError {
        throw HubError(storeFile: error)
    }
}
