import Commands
import DAVServer
import HubKit
import QRCode
import Storage
import WebServer

extension WebRoute {
    /// `GET /devices`: the phones, programs and machines that use this hub.
    static func devicesPage(in shell: WebShell) -> WebRoute {
        let layout = HTMLLayout(
            title: "Devices", place: "settings", body: "<div id=\"devices\" aria-busy=\"true\"></div>",
            styles: ["/assets/home.css"], script: "/assets/devices.js")
        return WebRoute(.get, "/devices") { _, _ in await shell.page(layout) }
    }

    /// `GET /api/devices`, all that the page shows; `POST` of `{"name": "phone", "scopes": ["contacts"], "is_read_only": false}`, or of
    /// `{"name": "laptop", "is_hub": true}` for another machine, adds one and answers how it gets in, once; `DELETE
    /// /api/devices/{name}` ends one.
    static func devices(_ hub: Hub) -> [WebRoute] {
        let page = DevicesPage(hub: hub)
        return [
            WebRoute(.get, "/api/devices") { _, _ in try await page.list() },
            WebRoute(.post, "/api/devices") { request, _ in try await page.add(request.body) },
            WebRoute(.delete, "/api/devices/{name}") { _, captures in
                let name = captures["name"] ?? ""
                guard try await DeviceStore(hub.database()).remove(name) else {
                    throw HubError(.notFound, code: "no-device", "no device named \"\(TerminalSanitizer.line(name))\"")
                }
                return HTTPResponse(status: 204)
            },
        ]
    }
}

/// What the page of devices shows and does.
private struct DevicesPage: Sendable {
    /// The most refusals that are listed.
    private static let limit = 50

    let hub: Hub

    func list() async throws -> HTTPResponse {
        let store = DeviceStore(try hub.database())
        let refusals = try await store.refusals()
        let all = try await store.devices()
        let devices = all.filter { !$0.scopes.contains(MachineGate.scope) }
        var machines = try await MachinePairs(hub).lines()
        // One that has a line and has not used it yet.
        let known = Set(machines.map(\.name))
        for device in all where device.scopes.contains(MachineGate.scope) && !known.contains(device.name) {
            machines.append(
                MachineLine(name: device.name, isHome: false, seenAt: nil, waiting: nil, held: nil, failure: ""))
        }
        let address = try (try? DeviceSetup(hub)).map { $0.url } ?? DeviceListener.configured(hub).map { "\($0)" }
        return .json { json in
            json.object { json in
                json.name("address")
                if let address { json.value(address) } else { json.null() }
                json.name("devices")
                json.array { json in
                    for device in devices { write(device, refusals.count { $0.device == device.name }, &json) }
                }
                json.name("machines")
                json.array { json in
                    for machine in machines { write(machine, &json) }
                }
                json.name("refused")
                json.array { json in
                    for refusal in refusals.prefix(Self.limit) { write(refusal, &json) }
                }
            }
        }
    }

    private func write(_ device: RegisteredDevice, _ refused: Int, _ json: inout JSONWriter) {
        json.object { json in
            json.name("name")
            json.value(device.name)
            json.name("scopes")
            json.array { json in
                for scope in device.scopes { json.value(scope) }
            }
            json.name("is_read_only")
            json.value(device.isReadOnly)
            json.name("seen_at")
            if let seen = device.seenAt { json.value(seen.rfc3339) } else { json.null() }
            json.name("program")
            json.value(device.program)
            json.name("refused")
            json.value(refused)
        }
    }

    private func write(_ machine: MachineLine, _ json: inout JSONWriter) {
        json.object { json in
            json.name("name")
            json.value(machine.name)
            json.name("is_home")
            json.value(machine.isHome)
            json.name("seen_at")
            if let seen = machine.seenAt { json.value(seen.rfc3339) } else { json.null() }
            json.name("waiting")
            if let waiting = machine.waiting { json.value(waiting) } else { json.null() }
            json.name("refused")
            if let held = machine.held { json.value(held) } else { json.null() }
            json.name("failure")
            json.value(machine.failure)
        }
    }

    private func write(_ refusal: StoredRefusal, _ json: inout JSONWriter) {
        json.object { json in
            json.name("number")
            json.value(refusal.id)
            json.name("at")
            json.value(refusal.at.rfc3339)
            json.name("device")
            json.value(refusal.device)
            json.name("item")
            json.value(refusal.collection + refusal.name)
            json.name("reason")
            json.value(refusal.reason)
        }
    }

    func add(_ body: [UInt8]) async throws -> HTTPResponse {
        guard let json = try? JSONReader.read(body, limits: JSONReader.Limits(bytes: 1 << 12, depth: 3)),
            let name = json["name"]?.string
        else {
            throw HubError(
                .invalid, code: "json-invalid", "the body is not a JSON object with a name",
                hint: #"send an object such as {"name": "phone", "scopes": ["contacts", "tasks"]}"#)
        }
        let setup = try DeviceSetup(hub)
        if json["is_hub"]?.bool ?? false {
            let line = try await setup.addHub(name)
            return try response(setup, name, line: "hub join '\(line)'", code: line)
        }
        let chosen = json["scopes"]?.array?.compactMap(\.string) ?? []
        let scopes = DAVCollection.Home.allCases.filter { chosen.contains($0.rawValue) }
        let seesEachBook = chosen.contains(RegisteredDevice.eachBook)
        guard !scopes.isEmpty, scopes.count + (seesEachBook ? 1 : 0) == Set(chosen).count,
            scopes.contains(.contacts) || !seesEachBook
        else { throw HubError(.invalid, code: "bad-scopes", "choose what the device may use") }
        let password = try await setup.add(
            name, scopes: scopes, isReadOnly: json["is_read_only"]?.bool ?? false, seesEachBook: seesEachBook)
        return try response(setup, name, password: password, code: setup.link(for: name, password: password))
    }

    /// How a device gets in, with a code that it can read; this is told once.
    private func response(
        _ setup: DeviceSetup, _ name: String, password: String? = nil, line: String? = nil, code: String?
    ) throws -> HTTPResponse {
        let picture = try code.map { try QRCode(Array($0.utf8)).svg }
        var response = HTTPResponse.json { json in
            json.object { json in
                json.name("name")
                json.value(name)
                json.name("address")
                json.value(setup.url)
                for (member, value) in [
                    ("password", password), ("line", line), ("code", picture),
                    ("fingerprint", (setup.certificate?.fingerprint).map { "\($0)" }),
                ] {
                    json.name(member)
                    if let value { json.value(value) } else { json.null() }
                }
                json.name("is_alone")
                json.value(setup.isAlone)
            }
        }
        response.status = 201
        return response
    }
}
