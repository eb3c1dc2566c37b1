import Contacts
import HubKitTesting
import Storage

extension ContactsPlugin {
    /// Creates the plugin on the database in `directory`, which is created if it is missing, with default settings and
    /// without accounts.
    static func benchmarked(in directory: String) throws -> ContactsPlugin {
        let schema = ContactsSchema.schema { try $1.announceContacts($0) }
        let clock = SystemClock()
        let database = Database(at: .directory(directory), plugins: [schema], clock: clock)
        return try ContactsPlugin(
            context: .testing(
                database.store(for: "contacts"), clock: clock, locks: FileLocks(directory: directory, clock: clock)))
    }
}
