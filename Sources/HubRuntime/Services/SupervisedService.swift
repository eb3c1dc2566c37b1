package import HubKit

/// A service as the supervisor gets it: its name, and how it is built.
package struct SupervisedService: Sendable {
    /// The name under which it is shown, such as `contacts/birthdays`.
    package let id: String
    /// Creates the service for each start, so that nothing of a failed run is left in the next.
    package let make: @Sendable () throws -> any Service

    package init(_ id: String, make: @escaping @Sendable () throws -> any Service) {
        self.id = id
        self.make = make
    }
}
