/// Background work of `hub serve`.
package protocol Service: Sendable {
    /// Works until the task is cancelled, and returns soon after that.
    ///
    /// What it throws is kept as its last error, and it is started again after a while; so it is when it returns
    /// without being asked. It knows no other service.
    func run() async throws
}
