import Commands
import DictofunDomain
import HubKit

/// The HTTP routes of recorders. What takes long is begun by a request and reported by the stream of `activity`, so that it goes on when
/// the page is closed.
enum RecorderRoutes {
    static let all = [
        Route(
            .get, "/api/dictofun/devices", summary: "list paired recorders with battery and storage",
            fields: DeviceCommands.deviceFields
        ) {
            (dictofun: DictofunPlugin, _) in
            .output(.list(try await dictofun.devices(), DeviceCommands.deviceFields))
        },
        Route(
            .put, "/api/dictofun/devices/{id}", summary: "rename a recorder", details: "with the address `id`",
            body: #"{"name": "desk"}"#
        ) {
            (dictofun: DictofunPlugin, request) in
            let name = try request.json(example: #"{"name": "desk"}"#).text("name")
            let device = try await known(try request.id, dictofun)
            try await dictofun.change(device, alias: String(name.prefix(100)), operation: request.operation)
            return .output(.done("renamed"))
        },
        Route(.get, "/api/dictofun/activity", summary: "follow the activity of recorders, as events with JSON") {
            (dictofun: DictofunPlugin, _) in
            .events { send in
                for await state in dictofun.activity.states {
                    try await send(RouteEvent(name: "state", data: json(state, dictofun)))
                }
            }
        },
        Route(.post, "/api/dictofun/scan", summary: "start looking for recorders nearby", isForPages: true) {
            (dictofun: DictofunPlugin, request) in
            try dictofun.activity.begin(.scanning) {
                (nil, try await dictofun.scan(operation: request.operation))
            }
            return .output(.done("begun"))
        },
        Route(
            .post, "/api/dictofun/pair", summary: "pair with a recorder",
            details: "and fetch its records; the stream of `activity` reports the result",
            body: example, isForPages: true
        ) {
            (dictofun: DictofunPlugin, request) in
            let address = try request.json(example: example).text("address")
            let found = dictofun.activity.state.found?.first { $0.address == address }
            let device = found ?? Device(address: address, advertisedName: "recorder")
            try dictofun.activity.begin(.pairing, device) {
                let run = try await dictofun.pair(device, alias: device.alias, operation: request.operation)
                return ("Paired with \(run.device?.name ?? device.name). \(SyncCommand.sentence(run))", [])
            }
            return .output(.done("begun"))
        },
        Route(
            .post, "/api/dictofun/unpair", summary: "unpair a recorder",
            details: "and keep its records; the stream of `activity` reports the result",
            body: example, isForPages: true
        ) {
            (dictofun: DictofunPlugin, request) in
            let address = try request.json(example: example).text("address")
            let device = try await known(address, dictofun)
            try dictofun.activity.begin(.unpairing, device) {
                try await dictofun.unpair(device, operation: request.operation)
                return ("Unpaired from \(device.name); its records are kept", nil)
            }
            return .output(.done("begun"))
        },
        Route(
            .post, "/api/dictofun/sync", summary: "fetch records from a recorder",
            details: "the stream of `activity` reports the result",
            body: example
        ) {
            (dictofun: DictofunPlugin, request) in
            let address = try request.json(example: example).text("address")
            let device = try await known(address, dictofun)
            try dictofun.activity.begin(.syncing, device) {
                let run = try await dictofun.sync(device, operation: request.operation)
                return (SyncCommand.sentence(run), nil)
            }
            return .output(.done("begun"))
        },
        Route(.post, "/api/dictofun/cancel", summary: "cancel the activity of a recorder") {
            (dictofun: DictofunPlugin, _) in
            dictofun.activity.cancel()
            return .output(.done("cancelled"))
        },
    ]

    /// The body of a request about one recorder.
    private static let example = #"{"address": "C0:DE:00:00:00:01"}"#

    private static func known(_ address: String, _ dictofun: DictofunPlugin) async throws -> Device {
        if let device = try await dictofun.devices().map(\.device).first(where: { $0.address == address }) {
            return device
        }
        throw HubError(.notFound, code: "recorder-not-found", "no paired recorder has the address \(address)")
    }

    private static func json(_ state: RecorderState, _ dictofun: DictofunPlugin) throws -> String {
        var json = JSONWriter()
        json.object { json in
            json.name("kind")
            json.value(state.kind.rawValue)
            json.name("ended")
            json.value(state.endedCount)
            json.name("address")
            json.value(state.device?.address ?? "")
            json.name("device")
            json.value(state.device?.name ?? "")
            if let progress = state.progress {
                json.name("progress")
                json.object { write(progress, to: &$0) }
            }
            if let found = state.found {
                json.name("found")
                json.array { json in
                    for device in found { json.object { write(device, to: &$0) } }
                }
            }
            if let result = state.result {
                json.name("result")
                json.value(result)
            }
            if let error = state.error {
                json.name("error")
                json.object { json in
                    json.name("message")
                    json.value(error.message)
                    json.name("hint")
                    json.value(error.hint ?? "")
                }
            }
        }
        return json.string
    }

    private static func write(_ progress: FTSProgress, to json: inout JSONWriter) {
        json.name("phase")
        let phase =
            switch progress.operation {
            case .connecting: "connecting"
            case .listing, .describing: "listing"
            case .receiving, .storing: "receiving"
            case .finishing: "finishing"
            }
        json.value(phase)
        for (name, value) in [
            ("new", progress.newCount), ("received", progress.receivedCount), ("bytes", progress.receivedBytes),
            ("total_bytes", progress.totalBytes),
        ] {
            json.name(name)
            json.value(value)
        }
    }

    private static func write(_ device: Device, to json: inout JSONWriter) {
        json.name("address")
        json.value(device.address)
        json.name("name")
        json.value(device.name)
        json.name("is_paired")
        json.value(device.isPaired)
        json.name("signal")
        if let signal = device.signal { json.value(signal) } else { json.null() }
    }
}
