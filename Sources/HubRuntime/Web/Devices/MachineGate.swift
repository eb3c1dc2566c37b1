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
    /// The certificate of the authority that another hub shall trust, as PEM; nil if it trusts the server anyway.
    private let authority: String?

    init(_ home: MachineHome, authority: String?) {
        self.home = home
        self.authority = authority
    }

    /// The part of a path that says what another hub asks for; nil for a path of others.
    static func path(of request: HTTPRequest) -> String? {
        guard request.path.utf8.starts(with: MachineHome.path.utf8) else { return nil }
        return String(request.path.dropFirst(MachineHome.path.utf8.count))
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
