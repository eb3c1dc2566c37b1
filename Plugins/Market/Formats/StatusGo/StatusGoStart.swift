package import JSON
package import MarketDomain

/// The start of a session with status-go, as a state machine: each step waits for the proof that it succeeded.
///
/// The signals are connected before anything else, or the one of the login is missed. A login is not repeated, since a second
/// one can crash the backend: the settings are asked first.
package struct StatusGoStart: Hashable, Sendable {
    /// The account to log in to, or to make.
    package struct Credentials: Hashable, Sendable {
        /// The folder of the backend's data, absolute.
        package let dataFolder: String
        /// The account's key uid; nil takes the first account, or makes one.
        package let keyUID: String?
        /// The password as the backend gets it.
        package let password: String
        /// The name of an account that is made.
        package let displayName: String

        package init(dataFolder: String, keyUID: String? = nil, password: String, displayName: String = "hub") {
            self.dataFolder = dataFolder
            self.keyUID = keyUID
            self.password = password
            self.displayName = displayName
        }
    }

    /// What happened.
    package enum Event: Sendable {
        case begin
        case signalsConnected
        /// The answer of the function that was called last.
        case answered(JSONValue)
        /// The result of the RPC that was called last.
        case result(JSONValue)
        case failed(GatewayError)
        /// A login ended; the error is empty when it succeeded.
        case loggedIn(error: String, keyUID: String?)
        /// The deadline of the step passed.
        case timedOut
    }

    /// What to do.
    package enum Action: Hashable, Sendable {
        case connectSignals
        /// POST to `/statusgo/<function>`.
        case call(function: String, body: [UInt8])
        case rpc(method: String, parameters: [JSONValue])
        /// Nothing but signals are awaited; the deadline runs.
        case await
        case ready(keyUID: String?)
        case giveUp(GatewayError)
    }

    private enum Step: Hashable, Sendable {
        case idle, connecting, checking, initializing, loggingIn, starting(Int), ready, failed
    }

    private let credentials: Credentials
    private var step = Step.idle
    private var keyUID: String?
    /// The signal of the login may come before the answer of its call.
    private var hasLoggedIn = false

    /// Creates a session that has not begun.
    package init(_ credentials: Credentials) {
        self.credentials = credentials
        keyUID = credentials.keyUID
    }

    /// Whether the session is started.
    package var isReady: Bool { step == .ready }

    /// The calls after the login.
    private static let startMethods = ["wakuext_startMessenger", "wallet_startWallet", "settings_getSettings"]
    private static let iterations = "256000"

    /// Advances by an event; nil when nothing is to be done.
    package mutating func handle(_ event: Event) -> Action? {
        switch (step, event) {
        case (.idle, .begin), (.failed, .begin):
            self = StatusGoStart(credentials)
            step = .connecting
            return .connectSignals
        case (.connecting, .signalsConnected):
            step = .checking
            return .rpc(method: "settings_getSettings", parameters: [])
        case (.checking, .result(let settings)) where settings["public-key"]?.string?.isEmpty == false:
            keyUID = settings["key-uid"]?.string ?? keyUID
            return start(0)
        // Without a login the backend has no settings, and says so in one way or another.
        case (.checking, .result), (.checking, .failed(.refused)), (.checking, .failed(.malformed)):
            step = .initializing
            return call("InitializeApplication", [("dataDir", .string(credentials.dataFolder))])
        case (.initializing, .answered(let answer)): return logIn(accounts: answer["accounts"]?.array ?? [])
        case (.loggingIn, .answered): return hasLoggedIn ? start(0) : .await
        case (.loggingIn, .loggedIn(let error, let keyUID)):
            guard error.isEmpty || error.contains("already running") else { return giveUp(.refused(0, error)) }
            self.keyUID = keyUID ?? self.keyUID
            hasLoggedIn = true
            return start(0)
        case (.loggingIn, .failed(.refused(_, let text))) where text.contains("already running"): return start(0)
        case (.starting(let index), .result(let result)):
            if index + 1 == Self.startMethods.count { keyUID = result["key-uid"]?.string ?? keyUID }
            return start(index + 1)
        case (.ready, _), (.failed, _), (.idle, _): return nil
        case (_, .failed(let error)): return giveUp(error)
        case (_, .timedOut): return giveUp(.timedOut)
        // Late or repeated signals and answers.
        default: return nil
        }
    }

    private mutating func giveUp(_ error: GatewayError) -> Action {
        step = .failed
        return .giveUp(error)
    }

    private mutating func start(_ index: Int) -> Action {
        guard index < Self.startMethods.count else {
            step = .ready
            return .ready(keyUID: keyUID)
        }
        step = .starting(index)
        return .rpc(method: Self.startMethods[index], parameters: [])
    }

    private mutating func logIn(accounts: [JSONValue]) -> Action {
        step = .loggingIn
        let known = accounts.compactMap { $0["key-uid"]?.string }
        if let wanted = credentials.keyUID, !known.contains(wanted) {
            return giveUp(.refused(0, "no account with this key uid in the data folder"))
        }
        guard let keyUID = credentials.keyUID ?? known.first else {
            return call(
                "CreateAccountAndLogin",
                [
                    ("rootDataDir", .string(credentials.dataFolder)),
                    ("displayName", .string(credentials.displayName)), ("password", .string(credentials.password)),
                    ("customizationColor", .string("primary")), ("kdfIterations", .number(Self.iterations)),
                    ("thirdpartyServicesEnabled", .bool(true)),
                ])
        }
        self.keyUID = keyUID
        return call(
            "LoginAccount",
            [
                ("keyUid", .string(keyUID)), ("password", .string(credentials.password)),
                ("kdfIterations", .number(Self.iterations)),
            ])
    }

    private func call(_ function: String, _ members: [(String, JSONValue)]) -> Action {
        var writer = JSONWriter()
        writer.value(.object(members.map { JSONValue.Member(name: $0.0, value: $0.1) }))
        return .call(function: function, body: writer.bytes)
    }
}
