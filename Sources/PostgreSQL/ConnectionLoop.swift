import CPostgreSQL
import Glibc
import Threading
import Time

/// What a connection's thread is asked to do.
enum ConnectionCommand: Sendable {
    typealias Reply = CheckedContinuation<Result<[PostgresResult], PostgresError>, Never>

    case run([PostgresQuery], deadline: ContinuousClock.Instant, Reply)
    case close
}

/// One connection and the thread that owns it: libpq is called from there alone, and never waits. The thread sleeps in poll(2).
final class ConnectionLoop {
    private enum Step {
        case prepare(String)
        case query
    }

    private let library: lazy_postgresql
    private let connection: OpaquePointer
    private let queue: CommandQueue<ConnectionCommand>
    private let wakeup: EventFD
    private let notify: @Sendable (_ channel: String, _ payload: String) -> Void
    /// The names of the prepared statements, by their texts.
    private var prepared: [String: String] = [:]
    /// Why the connection is over; nil while it is not.
    private var end: PostgresError?

    private init(
        _ library: lazy_postgresql, _ connection: OpaquePointer, _ queue: CommandQueue<ConnectionCommand>,
        _ wakeup: EventFD, _ notify: @escaping @Sendable (String, String) -> Void
    ) {
        self.library = library
        self.connection = connection
        self.queue = queue
        self.wakeup = wakeup
        self.notify = notify
    }

    /// Gets what the server says beside its answers.
    private final class Notices: Sendable {
        let take: @Sendable (String) -> Void

        init(_ take: @escaping @Sendable (String) -> Void) { self.take = take }
    }

    /// Connects with parameters of libpq and serves `queue` until it is closed or the connection is lost; blocks all that time.
    static func run(
        _ parameters: [(String, String)], timeout: Duration, queue: CommandQueue<ConnectionCommand>, wakeup: EventFD,
        notify: @escaping @Sendable (String, String) -> Void, notice: @escaping @Sendable (String) -> Void,
        opened: (Result<Void, PostgresError>) -> Void
    ) {
        defer { queue.close() }
        let notices = Notices(notice)
        // It is used until the connection is over, after which nothing comes.
        defer { withExtendedLifetime(notices) {} }
        var reason: UnsafePointer<CChar>?
        guard let library = lazy_postgresql_load(&reason)?.pointee else {
            return opened(.failure(.libraryMissing(reason.map { String(cString: $0) } ?? "")))
        }
        let texts = parameters.map { (strdup($0.0), strdup($0.1)) }
        defer {
            for (name, value) in texts {
                free(name)
                free(value)
            }
        }
        let names = texts.map { UnsafePointer<CChar>($0.0) } + [nil]
        let values = texts.map { UnsafePointer<CChar>($0.1) } + [nil]
        guard let connection = library.PQconnectStartParams(names, values, 1) else {
            return opened(.failure(.unreachable("out of memory")))
        }
        defer { library.PQfinish(connection) }
        // libpq would print it.
        _ = library.PQsetNoticeProcessor(
            connection,
            { context, text in
                guard let context, let text else { return }
                let lines = String(cString: text).split(separator: "\n")
                Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue().take(lines.joined(separator: " "))
            }, Unmanaged.passUnretained(notices).toOpaque())
        // With the kind of an error, which is read nowhere else while there is no connection.
        _ = library.PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        let loop = ConnectionLoop(library, connection, queue, wakeup, notify)
        if let failure = loop.connect(deadline: .now + timeout) { return opened(.failure(failure)) }
        opened(.success(()))
        loop.serve()
    }

    private var message: String { lines.joined(separator: " ") }

    private var lines: [String] {
        let text = library.PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Waits until the socket is ready, or something is asked for when `isIdle`; false after the deadline.
    private func wait(_ events: Int32, isIdle: Bool = false, until deadline: ContinuousClock.Instant? = nil) -> Bool {
        var descriptors = [
            pollfd(fd: library.PQsocket(connection), events: Int16(events), revents: 0),
            pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        let limit = deadline.map { ($0 - .now).pollTimeout } ?? -1
        return poll(&descriptors, isIdle ? 2 : 1, limit) != 0 || deadline.map { $0 > .now } ?? true
    }

    // MARK: Connecting

    private func connect(deadline: ContinuousClock.Instant) -> PostgresError? {
        guard library.PQstatus(connection) != CONNECTION_BAD else { return PostgresError(connecting: lines) }
        var events = POLLOUT
        while wait(Int32(events), until: deadline) {
            switch library.PQconnectPoll(connection) {
            case PGRES_POLLING_READING: events = POLLIN
            case PGRES_POLLING_WRITING: events = POLLOUT
            case PGRES_POLLING_OK:
                guard library.PQsetnonblocking(connection, 1) == 0, library.PQenterPipelineMode(connection) == 1 else {
                    return .unreachable(message)
                }
                _ = library.PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
                return nil
            default: return PostgresError(connecting: lines)
            }
        }
        return .unreachable("the server did not answer in time")
    }

    // MARK: Serving

    private func serve() {
        while end == nil {
            guard wait(POLLIN, isIdle: true) else { continue }
            wakeup.drain()
            take()
            for command in queue.takeAll() {
                switch command {
                case .run(let queries, let deadline, let reply):
                    reply.resume(returning: Result { () throws(PostgresError) in try run(queries, deadline) })
                case .close: end = end ?? .lost("closed")
                }
            }
        }
    }

    /// Takes in what has arrived, with the notifications in it.
    private func take() {
        if library.PQconsumeInput(connection) == 0 { end = end ?? .lost(message) }
        while let notification = library.PQnotifies(connection) {
            notify(String(cString: notification.pointee.relname), String(cString: notification.pointee.extra))
            library.PQfreemem(notification)
        }
    }

    /// Sends statements as one pipeline, of which none is carried out after one that fails, and returns their results.
    private func run(
        _ queries: [PostgresQuery], _ deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> [PostgresResult] {
        // Nothing is sent, so the outcome is known.
        if let end { throw .unreachable("\(end)") }
        let encoded = try queries.map { query throws(PostgresError) in
            try query.parameters.map { value throws(PostgresError) in try value.encoded() }
        }
        var steps: [Step] = []
        for (query, values) in zip(queries, encoded) {
            let known = prepared[query.sql]
            let name = known ?? "s\(prepared.count)"
            if known == nil {
                let types = query.parameters.map(\.type)
                guard library.PQsendPrepare(connection, name, query.sql, Int32(types.count), types) == 1 else {
                    throw lost()
                }
                prepared[query.sql] = name
                steps.append(.prepare(query.sql))
            }
            guard send(name, values) else { throw lost() }
            steps.append(.query)
        }
        guard library.PQpipelineSync(connection) == 1 else { throw lost() }
        return try receive(steps[...], deadline)
    }

    private func lost(_ error: PostgresError? = nil) -> PostgresError {
        let error = error ?? .lost(message)
        end = end ?? error
        return error
    }

    private func send(_ name: String, _ values: [[UInt8]?]) -> Bool {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(values.reduce(1) { $0 + ($1?.count ?? 0) })
        var starts: [Int?] = []
        for value in values {
            starts.append(value.map { _ in bytes.count })
            if let value { bytes += value }
        }
        // An empty value is not NULL: it needs an address.
        bytes.append(0)
        let lengths = values.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: values.count)
        return bytes.withUnsafeBytes { buffer in
            let base = buffer.bindMemory(to: CChar.self).baseAddress
            let pointers = starts.map { start in start.flatMap { base?.advanced(by: $0) } }
            return library.PQsendQueryPrepared(
                connection, name, Int32(values.count), pointers, lengths, formats, 1) == 1
        }
    }

    private func receive(
        _ awaited: ArraySlice<Step>, _ deadline: ContinuousClock.Instant
    ) throws(PostgresError) -> [PostgresResult] {
        var (steps, results, isOver) = (awaited, [PostgresResult](), false)
        var failure: PostgresError?
        while !isOver {
            let unsent = library.PQflush(connection)
            guard unsent >= 0 else { throw lost() }
            if library.PQisBusy(connection) == 1 {
                guard wait(unsent == 1 ? POLLIN | POLLOUT : POLLIN, until: deadline) else { throw lost(.timedOut) }
                take()
                if let end { throw end }
                continue
            }
            // Each statement ends with no result.
            guard let result = library.PQgetResult(connection) else {
                guard library.PQstatus(connection) == CONNECTION_OK, !steps.isEmpty else { throw lost() }
                steps.removeFirst()
                continue
            }
            defer { library.PQclear(result) }
            switch library.PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC: isOver = true
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
                if case .query? = steps.first { results.append(read(result)) }
            default:
                // A statement that was not prepared because one before it failed is prepared the next time.
                if case .prepare(let sql)? = steps.first { prepared[sql] = nil }
                if library.PQresultStatus(result) == PGRES_FATAL_ERROR { failure = failure ?? refusal(result) }
                if library.PQstatus(connection) != CONNECTION_OK { throw lost(failure) }
            }
        }
        if let failure {
            if failure.isLoss { end = end ?? failure }
            throw failure
        }
        return results
    }

    private func refusal(_ result: OpaquePointer) -> PostgresError {
        func field(_ code: Character) -> String {
            library.PQresultErrorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) } ?? ""
        }
        let state = field("C")
        // libpq's own errors have no kind: the connection is gone.
        guard !state.isEmpty else { return .lost(message) }
        return .refused(PostgresError.Refusal(sqlState: state, message: field("M"), constraint: field("n")))
    }

    private func read(_ result: OpaquePointer) -> PostgresResult {
        var read = PostgresResult()
        let rows = library.PQntuples(result)
        read.columns = Int(library.PQnfields(result))
        read.count = library.PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? Int(rows)
        read.ends.reserveCapacity(Int(rows) * read.columns)
        for row in 0..<rows {
            for column in 0..<Int32(read.columns) {
                guard library.PQgetisnull(result, row, column) == 0 else {
                    read.ends.append(read.bytes.count | PostgresResult.null)
                    continue
                }
                let length = Int(library.PQgetlength(result, row, column))
                let value = UnsafeRawBufferPointer(start: library.PQgetvalue(result, row, column), count: length)
                read.bytes.append(contentsOf: value)
                read.ends.append(read.bytes.count)
            }
        }
        return read
    }
}
