import HubKit

/// A service that reports when it runs, and follows the orders of a test.
struct ScriptedService: Service {
    /// A report of a service.
    enum Report: Hashable, Sendable {
        case running(String)
        case stopped(String)
    }

    /// An order for a service.
    enum Order: Sendable {
        case fail(String)
        case finish
        /// It does not heed a cancellation from now on.
        case ignoreCancellation
    }

    let id: String
    let reports: AsyncStream<Report>.Continuation
    let orders: AsyncStream<Order>

    func run() async throws {
        reports.yield(.running(id))
        defer { reports.yield(.stopped(id)) }
        for await order in orders {
            switch order {
            case .fail(let reason): throw HubError(.unavailable, code: "test", reason)
            case .finish: return
            case .ignoreCancellation: await Task.detached { try? await Task.sleep(for: .seconds(3600)) }.value
            }
        }
        // The stream ends with the task.
        try Task.checkCancellation()
    }
}
