/// Owns one connection and the thread it may be used on: the main one in a command, a queue's in the daemon.
actor ConnectionActor {
    nonisolated let unownedExecutor: UnownedSerialExecutor
    /// Kept alive for as long as the actor may run on it.
    private let executor: (any SerialExecutor)?
    private let open: @Sendable () throws -> StoreConnection
    private var opened: StoreConnection?

    /// `executor` nil means the main one. The connection is opened when it is first used.
    init(executor: (any SerialExecutor)?, open: @escaping @Sendable () throws -> StoreConnection) {
        self.executor = executor
        unownedExecutor = executor?.asUnownedSerialExecutor() ?? MainActor.sharedUnownedExecutor
        self.open = open
    }

    /// Runs `body` with the connection, opening it first where needed.
    func use<T: Sendable>(_ body: @Sendable (StoreConnection) throws -> T) throws -> T {
        try body(connection())
    }

    /// The connection; an attempt that failed is made again the next time.
    func connection() throws -> StoreConnection {
        if let opened { return opened }
        let connection = try withStoreErrors(open)
        opened = connection
        return connection
    }

    /// Whether there is a connection.
    var isOpen: Bool { opened != nil }

    /// Closes the connection; the next use opens a new one.
    func close() { opened = nil }
}
