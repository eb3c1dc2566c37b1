import Archive
import DBus
import DictofunDomain
import Glibc
import Hashing
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Dictofun

/// Updates of firmware against the bootloader of the simulated recorder, which shares no code with the client.
struct FirmwareUpdateTests {
    /// An image of random bytes.
    private static func image(_ size: Int, seed: UInt64 = 3) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        return (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// A field of a protocol buffer.
    private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [number << 3 | 2] + varint(bytes.count) + bytes
    }
    private static func field(_ number: UInt8, _ value: Int) -> [UInt8] { [number << 3] + varint(value) }

    private static func varint(_ value: Int) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value & 127 | 128)] + varint(value >> 7)
    }

    /// The init packet of an image of the kind with this number in the protocol; its sizes are in the fields `sizes`.
    private static func initPacket(_ image: [UInt8], kind: Int, version: Int, sizes: [(UInt8, Int)]) throws -> [UInt8] {
        let hash = field(1, 3) + field(2, try SHA256.hash(image).reversed())
        let numbers = sizes.flatMap { field($0.0, $0.1) }
        let initCommand = field(1, version) + field(2, 52) + field(4, kind) + numbers + field(8, hash)
        let command = field(1, 1) + field(2, initCommand)
        return field(2, field(1, command) + field(2, 0) + field(3, [UInt8](repeating: 9, count: 64)))
    }

    /// A package with an application, and with a softdevice and bootloader before it if their image is given.
    private static func package(
        _ application: [UInt8], version: Int = 7, system: [UInt8]? = nil
    ) throws -> FirmwarePackage {
        var members = [#""application":{"bin_file":"app.bin","dat_file":"app.dat"}"#]
        var entries = [
            ArchiveEntry("app.bin", application),
            ArchiveEntry(
                "app.dat", try initPacket(application, kind: 0, version: version, sizes: [(7, application.count)])),
        ]
        if let system {
            members.append(#""softdevice_bootloader":{"bin_file":"system.bin","dat_file":"system.dat"}"#)
            let sizes: [(UInt8, Int)] = [(5, system.count - 100), (6, 100)]
            entries += [
                ArchiveEntry("system.bin", system),
                ArchiveEntry("system.dat", try initPacket(system, kind: 3, version: version, sizes: sizes)),
            ]
        }
        let manifest = #"{"manifest":{\#(members.joined(separator: ","))}}"#
        return try FirmwarePackage(entries: entries + [ArchiveEntry("manifest.json", Array(manifest.utf8))])
    }

    private static func update(
        _ home: SyncTests.Home, _ package: FirmwarePackage,
        report: @escaping @Sendable (FirmwareProgress) -> Void = { _ in }
    ) async throws {
        let device = try #require(try await home.dictofun.devices().first).device
        try await home.dictofun.updateFirmware(
            package, of: device, scanTime: .seconds(300), operation: Operation("dictofun firmware update"),
            report: report)
    }

    private static func hex(_ image: [UInt8]) throws -> String {
        try SHA256.hash(image).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The number of packets that the bootloader has received.
    private static func packetCount(_ simulator: Simulator, _ connection: DBusConnection) async throws -> Int {
        let state = try JSONReader.read(
            Array(try await simulator.control(#"{"do": "state", "device": 1}"#, over: connection).utf8))
        return try #require(state["packets"]?.integer)
    }

    @Test(arguments: ["247", "23"])
    func `firmware is installed byte for byte, and records are fetched after it`(mtu: String) async throws {
        let options = ["--records", "1", "--size", "6400", "--mtu", mtu]
        try await SyncTests.withRecorder(options) { simulator, connection, _, home in
            try await home.pair()
            let image = Self.image(9001)
            let steps = Mutex<[FirmwareProgress]>([])
            try await Self.update(home, Self.package(image)) { step in steps.withLock { $0.append(step) } }
            let state = try await simulator.control(#"{"do": "state"}"#, over: connection)
            let hash = try Self.hex(image)
            #expect(state.contains(#""version": 7"#) && state.contains(hash), "\(state)")
            let seen = steps.withLock(\.self)
            #expect(seen.contains(.entering))
            #expect(seen.contains(.installing(.application, accepted: 8192, total: 9001)))
            let device = try #require(try await home.dictofun.devices().first).device
            #expect(device.firmware == FirmwareVersion("7") && device.name == "desk" && device.isPaired)
            #expect(try await home.sync().records.count == 1)
        }
    }

    @Test func `the softdevice and bootloader are installed before the application`() async throws {
        try await SyncTests.withRecorder(["--records", "0"]) { simulator, connection, _, home in
            try await home.pair()
            let (application, system) = (Self.image(5000), Self.image(4500, seed: 4))
            try await Self.update(home, Self.package(application, system: system))
            let state = try await simulator.control(#"{"do": "state"}"#, over: connection)
            let first = try #require(state.firstRange(of: try Self.hex(system)))
            let second = try #require(state.firstRange(of: try Self.hex(application)))
            #expect(first.upperBound < second.lowerBound)
        }
    }

    /// Faults that another attempt overcomes; a user would run the command again where one run did not suffice.
    @Test(arguments: ["dfu-corrupt", "dfu-lost", "dfu-disconnect"])
    func `with faults the firmware is installed in the end`(fault: String) async throws {
        try await SyncTests.withRecorder(["--records", "0", "--fault", fault + "=0.05"]) {
            simulator, connection, _, home in
            try await home.pair()
            let image = Self.image(40_000)
            let package = try Self.package(image)
            for _ in 0..<200 {
                do {
                    try await Self.update(home, package)
                    break
                } catch let error as HubError {
                    try #require(["firmware-damaged", "firmware-interrupted"].contains(error.code), "\(error)")
                }
            }
            let state = try await simulator.control(#"{"do": "state"}"#, over: connection)
            #expect(state.contains(try Self.hex(image)))
            // What arrived before the end of a link is not sent again.
            let count = try await Self.packetCount(simulator, connection)
            if fault == "dfu-disconnect" { #expect(count < 400) } else { #expect(count > 170) }
        }
    }

    @Test(arguments: [
        ("dfu-signature", 7, "refused the firmware: image or signature not accepted"),
        ("dfu-hardware", 7, "refused the firmware: firmware for other hardware"),
        ("dfu-locked", 7, "does not start its bootloader"), (nil, 0, "refused the firmware: firmware version too low"),
    ])
    func `a refusal says why, and nothing is installed`(fault: String?, version: Int, words: String) async throws {
        let options = ["--records", "0"] + (fault.map { ["--fault", $0] } ?? [])
        try await SyncTests.withRecorder(options) { simulator, connection, _, home in
            try await home.pair()
            let package = try Self.package(Self.image(5000), version: version)
            let error = await #expect(throws: HubError.self) { try await Self.update(home, package) }
            #expect(error?.message == "desk \(words)")
            let state = try await simulator.control(#"{"do": "state"}"#, over: connection)
            #expect(state.contains(#""installed": []"#))
            #expect(try await home.dictofun.devices().first?.device.firmware == nil)
        }
    }

    @Test func `an update of a killed process is continued`() async throws {
        try await SyncTests.withRecorder(["--records", "0"]) { simulator, connection, folder, home in
            try await home.pair()
            await home.database.close()
            let bus = simulator.address.text
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, bus = bus as String] in
                let package = try FirmwareUpdateTests.package(FirmwareUpdateTests.image(40_000))
                try await FirmwareUpdateTests.update(SyncTests.Home(folder, bus: bus), package) { step in
                    if case .installing(_, let accepted, _) = step, accepted > 20_000 { kill(getpid(), SIGKILL) }
                }
            }
            let image = Self.image(40_000)
            try await Self.update(SyncTests.Home(folder, bus: bus), Self.package(image))
            let state = try await simulator.control(#"{"do": "state"}"#, over: connection)
            #expect(state.contains(try Self.hex(image)))
            #expect(try await Self.packetCount(simulator, connection) < 200)
        }
    }

    @Test func `with a low battery no firmware is installed`() async throws {
        try await SyncTests.withRecorder(["--records", "0", "--battery", "12"]) { simulator, connection, _, home in
            try await home.pair()
            let package = try Self.package(Self.image(5000))
            let error = await #expect(throws: HubError.self) { try await Self.update(home, package) }
            #expect(error?.code == "battery-low")
            #expect(try await simulator.control(#"{"do": "state"}"#, over: connection).contains(#""powered": true"#))
        }
    }
}
