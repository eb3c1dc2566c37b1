package import Commands
package import Storage

/// What a plugin exchanges with another machine of the person by a protocol of its own, beside the documents of its schema.
///
/// The machine that has joined another connects to it and merges; the other one serves.
package struct MachineExchange: Sendable {
    /// What one and several of the things are called, such as `note` and `notes`.
    package let noun: (one: String, many: String)
    /// Serves a machine that has joined this one, until the connection is over.
    package let serve: @Sendable (any PluginHost, any WebSocketPeer, _ machine: String) async throws -> Void
    /// Exchanges with the machine that this one has joined.
    package let run: @Sendable (any PluginHost, MachineConnection) async throws -> MachineExchangeReport
    /// Returns the numbers of things: of this store, and of those whose changes a machine that was joined lacks.
    package let count: @Sendable (any PluginHost, _ machine: String?) async throws -> (all: Int, waiting: Int)
    /// Returns what is known of the things whose ids begin so, at a machine that was joined.
    package let explain: @Sendable (any PluginHost, _ id: String, _ machine: String) async throws -> [ItemExplanation]
    /// Forgets what a machine has, which is no longer joined.
    package let forget: @Sendable (any PluginHost, _ machine: String) async throws -> Void

    /// Declares the exchange of the plugin `P`.
    package init<P: Plugin>(
        noun: (one: String, many: String),
        serve: @escaping @Sendable (P, any WebSocketPeer, _ machine: String) async throws -> Void,
        run: @escaping @Sendable (P, MachineConnection) async throws -> MachineExchangeReport,
        count: @escaping @Sendable (P, _ machine: String?) async throws -> (all: Int, waiting: Int),
        explain: @escaping @Sendable (P, _ id: String, _ machine: String) async throws -> [ItemExplanation],
        forget: @escaping @Sendable (P, _ machine: String) async throws -> Void
    ) {
        self.noun = noun
        self.serve = { host, peer, machine in try await serve(host.plugin(P.self), peer, machine) }
        self.run = { host, connection in try await run(host.plugin(P.self), connection) }
        self.count = { host, machine in try await count(host.plugin(P.self), machine) }
        self.explain = { host, id, machine in try await explain(host.plugin(P.self), id, machine) }
        self.forget = { host, machine in try await forget(host.plugin(P.self), machine) }
    }

    /// `3 notes`.
    package func words(_ count: Int) -> String { "\(count) \(count == 1 ? noun.one : noun.many)" }
}

/// What an exchange has done.
package struct MachineExchangeReport: Sendable {
    /// The numbers of things that were received and sent.
    package var received = 0, sent = 0
    /// What the person should know, one sentence each.
    package var notes: [String] = []

    package init() {}
}

/// A connection to the machine that this one has joined.
package struct MachineConnection: Sendable {
    /// The name of the machine.
    package let machine: String
    /// The operation of what comes.
    package let operation: Operation
    /// Whether the connection stays open; else it ends when both sides have everything.
    package let isLasting: Bool
    /// The connection.
    package let channel: any MachineChannel
    /// The files of the other machine.
    package let files: any MachineFiles
    /// Called whenever both sides have everything, with what was done since.
    package let onUpToDate: @Sendable (MachineExchangeReport) async -> Void

    package init(
        machine: String, operation: Operation, isLasting: Bool, channel: any MachineChannel, files: any MachineFiles,
        onUpToDate: @escaping @Sendable (MachineExchangeReport) async -> Void = { _ in }
    ) {
        self.machine = machine
        self.operation = operation
        self.isLasting = isLasting
        self.channel = channel
        self.files = files
        self.onUpToDate = onUpToDate
    }
}

/// A connection over which two machines send texts to each other.
package protocol MachineChannel: Sendable {
    /// Returns what comes next; for one task at a time.
    func receive() async -> MachineChannelEvent
    /// Sends a text after those before it.
    func send(_ text: String)
    /// Sends a sign of life, which is answered with one.
    func ping()
    /// Ends the connection with a close code of WebSockets (RFC 6455 §7.4).
    func close(_ code: UInt16, reason: String)
}

/// What comes over a ``MachineChannel``.
package enum MachineChannelEvent: Sendable {
    case text(String)
    /// A sign of life.
    case other
    /// It is over, with the reason in a few words.
    case closed(String)
}

/// The files of the machine that this one has joined.
package protocol MachineFiles: Sendable {
    /// Fetches a file into the store; nil if the machine does not have it.
    func fetch(_ id: BlobID) async throws -> StoredBlob?
    /// Sends a file of the store.
    /// - Returns: whether the machine has it now.
    func send(_ id: BlobID) async throws -> Bool
}

/// The files that rows of this store name and that are on another machine of the person alone, until they are needed.
package protocol AbsentFiles: Sendable {
    /// Returns the files that are not here, with the machines that have them.
    func places() async throws -> [BlobID: String]
    /// Fetches a file that is not here. Throws if no machine that has it can be reached, and does nothing if no machine has it.
    func fetch(_ id: BlobID) async throws
}

/// No file is anywhere else.
package struct NoAbsentFiles: AbsentFiles {
    /// Creates it.
    package init() {}

    /// Returns nothing.
    package func places() -> [BlobID: String] { [:] }

    /// Does nothing.
    package func fetch(_ id: BlobID) {}
}
