import Archive
import DictofunDomain
import Hashing
import TestSupport
import Testing

struct FirmwarePackageTests {
    private static let firmware = [UInt8]("an image of some size".utf8)

    /// A field of a protocol buffer.
    private static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [number << 3 | 2, UInt8(bytes.count)] + bytes
    }
    private static func field(_ number: UInt8, _ value: UInt8) -> [UInt8] { [number << 3, value] }

    private static func initPacket(
        hardware: UInt8 = 52, size: Int = firmware.count, of bytes: [UInt8] = firmware, isSigned: Bool = true
    ) throws -> [UInt8] {
        let hash = field(1, 3) + field(2, try SHA256.hash(bytes).reversed())
        let initCommand = field(1, 7) + field(2, hardware) + field(4, 0) + field(7, UInt8(size)) + field(8, hash)
        let command = field(1, 1) + field(2, initCommand)
        guard isSigned else { return field(1, command) }
        return field(2, field(1, command) + field(2, 0) + field(3, [UInt8](repeating: 9, count: 64)))
    }

    private static func entries(_ packet: [UInt8], firmware: [UInt8] = firmware) -> [ArchiveEntry] {
        let manifest = #"{"manifest":{"application":{"bin_file":"app.bin","dat_file":"app.dat"}}}"#
        return [
            ArchiveEntry("manifest.json", Array(manifest.utf8)), ArchiveEntry("app.bin", firmware),
            ArchiveEntry("app.dat", packet),
        ]
    }

    private static func zip(_ entries: [ArchiveEntry]) throws -> [UInt8] {
        let writer = try ZipWriter()
        for entry in entries { try writer.add(entry) }
        try writer.finish()
        return writer.take()
    }

    @Test func `a package of nrfutil's form is read`() throws {
        let packet = try FirmwarePackageTests.initPacket()
        let package = try FirmwarePackage(zip: FirmwarePackageTests.zip(FirmwarePackageTests.entries(packet)))
        #expect(
            package.images == [.init(target: .application, initPacket: packet, firmware: FirmwarePackageTests.firmware)]
        )
        let read = try InitPacket(packet)
        #expect(read.firmwareVersion == 7 && read.hardwareVersion == 52 && read.isSigned)
        #expect(read.hash == (try SHA256.hash(FirmwarePackageTests.firmware)))
        #expect(package.images[0].version == FirmwareVersion("7") && package.images[0].hardwareVersion == 52)
    }

    @Test func `the softdevice and bootloader come before the application`() throws {
        let packet = try FirmwarePackageTests.initPacket()
        let manifest = #"""
            {"manifest":{"application":{"bin_file":"app.bin","dat_file":"app.dat"},
             "softdevice_bootloader":{"bin_file":"app.bin","dat_file":"app.dat","info_read_only_metadata":{"bl_size":1}}}}
            """#
        var entries = FirmwarePackageTests.entries(packet)
        entries[0] = ArchiveEntry("manifest.json", Array(manifest.utf8))
        #expect(try FirmwarePackage(entries: entries).images.map(\.target) == [.softdeviceAndBootloader, .application])
    }

    @Test func `what the bootloader would refuse is refused before`() throws {
        func problem(_ packet: [UInt8], firmware: [UInt8] = FirmwarePackageTests.firmware) -> FirmwarePackage.Problem? {
            do throws(FirmwarePackage.Problem) {
                _ = try FirmwarePackage(entries: FirmwarePackageTests.entries(packet, firmware: firmware))
                return nil
            } catch {
                return error
            }
        }
        #expect(problem(try FirmwarePackageTests.initPacket(isSigned: false)) == .notSigned(.application))
        #expect(problem(try FirmwarePackageTests.initPacket(hardware: 51)) == .otherHardware(.application, version: 51))
        #expect(problem(try FirmwarePackageTests.initPacket(size: 3)) == .otherImage(.application))
        #expect(problem(try FirmwarePackageTests.initPacket(of: [1])) == .otherImage(.application))
        #expect(problem([]) == .initPacketInvalid(.application))
        #expect(problem([0xFF, 0xFF]) == .initPacketInvalid(.application))
        #expect(problem(try FirmwarePackageTests.initPacket(), firmware: []) == .imageEmpty(.application))
    }

    @Test func `other archives are refused`() throws {
        #expect(throws: FirmwarePackage.Problem.self) { try FirmwarePackage(zip: Array("no zip".utf8)) }
        #expect(throws: FirmwarePackage.Problem.noManifest) { try FirmwarePackage(entries: []) }
        #expect(throws: FirmwarePackage.Problem.noManifest) {
            try FirmwarePackage(entries: [ArchiveEntry("manifest.json", Array("{}".utf8))])
        }
        #expect(throws: FirmwarePackage.Problem.self) {
            try FirmwarePackage(entries: [ArchiveEntry("manifest.json", Array("{".utf8))])
        }
        let entries = FirmwarePackageTests.entries(try FirmwarePackageTests.initPacket())
        #expect(throws: FirmwarePackage.Problem.fileMissing("app.dat")) {
            try FirmwarePackage(entries: Array(entries.dropLast()))
        }
    }

    @Test func `any init packet is read without harm`() throws {
        var generator = SeededGenerator(seed: 2)
        let good = try FirmwarePackageTests.initPacket()
        for _ in 0..<20_000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            _ = try? InitPacket(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator))))
        }
    }
}
