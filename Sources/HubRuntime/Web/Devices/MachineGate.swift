import HubKit
import Storage
import WebServer

/// The part of the server for devices that other hubs use.
struct MachineGate: Sendable {
    /// The scope of a device that is another hub.
    static let scope = "hub"
    /// The request of a hub that has a code, and no password yet.
    static let join = "join"

    private let home: MachineHome
    /// What plugins exchange by protocols of their own.
    private let exchanges: [String: @Sendable (any WebSocketPeer, _ machine: String) async throws -> Void]
    /// The certificate of the authority that another hub shall trust, as PEM; nil if it trusts the server anyway.
    private let authority: String?

    init(
        _ home: MachineHome, authority: String?,
        exchanges: [String: @Sendable (any WebSocketPeer, _ machine: String) async throws -> Void] = [:]
    ) {
        self.home = home
        self.exchanges = exchanges
        self.authority = authority
    }

    /// The part of a path that says what another hub asks for; nil for a path of others.
    static func path(of request: HTTPRequest) -> String? {
        guard request.path.utf8.starts(with: MachineHome.path.utf8) else { return nil }
        return String(request.path.dropFirst(MachineHome.path.utf8.count))
    }

    /// Opens a WebSocket to the plugin that a path names, for a hub that has joined; nil if there is no such plugin. It ends when
    /// `rights` do.
    func open(
        _ path: String, _ request: HTTPRequest, from device: String, while rights: DeviceRights, _ clock: any Clock,
        _ log: Log
    ) -> HTTPResponse? {
        guard path.hasPrefix(MachineHome.exchange),
            let serve = exchanges[String(path.dropFirst(MachineHome.exchange.count))]
        else {
            return nil
        }
        return HTTPResponse.webSocket(
            for: request, subprotocols: [MachineHome.subprotocol], messageSize: MachineMessage.limit, log: log
        ) { peer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await serve(peer, device) }
                group.addTask {
                    while true {
                        try await clock.sleep(for: .seconds(1))
                        try await rights.require()
                    }
                }
                try await group.next()
            }
        }
    }

    /// Answers a hub that has joined.
    func answer(_ path: String, _ body: [UInt8], from device: String, operation: String) async throws -> HTTPResponse {
        let answer = try await home.answer(path, body, from: device, operation: operation)
        return HTTPResponse(
            status: answer.status, headers: ["Content-Type": "application/json"], body: .bytes(answer.body))
    }

    /// Gives a hub that has a code a password.
    func join(_ body: [UInt8], _ store: DeviceStore) async throws -> HTTPResponse {
        guard let json = try? MachineMessage.json(body), let code = json["code"]?.string else {
            return HTTPResponse(status: 403)
        }
        if json["look"]?.string == "yes" {
            guard let found = try await home.look(by: code) else { return HTTPResponse(status: 403) }
            return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: .bytes(found))
        }
        guard let device = try await home.join(by: code) else { return HTTPResponse(status: 403) }
        let password = try await store.renewPassword(of: device)
        var members = [
            ("device", device), ("password", password), ("machine", home.name), ("replica", try await home.replica()),
        ]
        if let authority { members.append(("authority", authority)) }
        return HTTPResponse(
            status: 200, headers: ["Content-Type": "application/json"], body: .bytes(MachineMessage.object(members)))
    }
}
