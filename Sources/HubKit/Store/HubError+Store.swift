import Glibc
package import SQLite

extension HubError {
    /// The failure of the database in terms a person can act on.
    package init(store error: SQLiteError) {
        if error.isBusy {
            self.init(
                .busy, code: "store-busy", "the store is busy",
                details: ["another hub process has been writing for 10 seconds"],
                hint: "try again; hub status shows what is running", cause: error)
        } else if error.isDiskFull {
            self.init(
                .busy, code: "disk-full", "there is no room left on the disk of the store",
                details: ["nothing of this change was kept"], hint: "free some room and try again", cause: error)
        } else if error.isDamage {
            self.init(
                .internal, code: "store-damaged", "the store is damaged", details: [error.message],
                hint: "hub doctor says what is lost; hub restore FILE brings a backup back", cause: error)
        } else {
            self.init(
                .internal, code: "store-failed", "the store could not do this", details: [error.description],
                cause: error)
        }
    }
}

/// Runs `body` and turns the database's own errors into those a person can act on.
func withStoreErrors<T>(_ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as SQLiteError {
        throw HubError(store: error)
    } catch let error as SystemError {
        throw HubError(
            error.code == EACCES || error.code == EPERM ? .denied : .internal, code: "data-folder",
            "the data folder cannot be used", details: [error.description], cause: error)
    }
}
