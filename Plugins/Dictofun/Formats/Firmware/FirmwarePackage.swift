package import Archive
import Hashing
package import JSON

/// A zip archive with firmware, as `nrfutil` writes it: a manifest, and for each image an init packet and the image itself.
package struct FirmwarePackage: Hashable, Sendable {
    /// The parts of the device that an image replaces.
    package enum Target: String, CaseIterable, Sendable {
        // In the order in which they are installed.
        case softdeviceAndBootloader = "softdevice_bootloader"
        case softdevice, bootloader, application
    }

    /// One image.
    package struct Image: Hashable, Sendable {
        /// What it replaces.
        package let target: Target
        /// The init packet, as it is sent.
        package let initPacket: [UInt8]
        /// The image.
        package let firmware: [UInt8]

        package init(target: Target, initPacket: [UInt8], firmware: [UInt8]) {
            self.target = target
            self.initPacket = initPacket
            self.firmware = firmware
        }

        /// The version of the firmware, a number; nil if the init packet has none.
        package var version: FirmwareVersion? {
            (try? InitPacket(initPacket))?.firmwareVersion.flatMap { FirmwareVersion("\($0)") }
        }

        /// The version of the hardware that it is for; nil if the init packet has none.
        package var hardwareVersion: Int? { (try? InitPacket(initPacket))?.hardwareVersion }
    }

    /// Why an archive is not firmware for a recorder.
    package enum Problem: Error, Equatable, Sendable {
        case archive(ArchiveError)
        /// There is no `manifest.json`, or it names no image.
        case noManifest
        case manifestInvalid(JSONReader.Problem)
        /// The manifest names a file that is not in the archive.
        case fileMissing(String)
        case imageEmpty(Target)
        case initPacketInvalid(Target)
        /// The bootloader takes signed images only.
        case notSigned(Target)
        /// The image is for other hardware.
        case otherHardware(Target, version: Int)
        /// The init packet belongs to another image.
        case otherImage(Target)

        /// Whether zip archives cannot be read on this computer at all.
        package var isLibraryMissing: Bool {
            if case .archive(.libraryMissing) = self { true } else { false }
        }

        /// The reason in a few words.
        package var reason: String {
            switch self {
            case .archive(.libraryMissing(let reason)): reason
            case .archive(.broken(let reason)): "damaged zip archive: \(reason)"
            case .archive(.tooLarge(let limit)): "its files hold more than \(limit >> 20) MiB"
            case .archive(.fileTooLarge(let limit)): "one of its files holds more than \(limit >> 20) MiB"
            case .archive(.tooManyEntries(let limit)): "it holds more than \(limit) files"
            case .archive(.pathInvalid(let path)): "the name of a file in it is not plain ASCII: \(path)"
            case .archive(.noMemory): "out of memory"
            case .noManifest: "it has no manifest.json that names an image"
            case .manifestInvalid(let problem): "manifest.json: \(problem.kind.reason) at byte \(problem.offset)"
            case .fileMissing(let name): "manifest.json names \(name), which is missing"
            case .imageEmpty(let target): "the image of \(target.rawValue) is empty"
            case .initPacketInvalid(let target): "the init packet of \(target.rawValue) is damaged"
            case .notSigned(let target): "the image of \(target.rawValue) is not signed"
            case .otherHardware(let target, let version):
                "the image of \(target.rawValue) is for hardware \(version), not \(InitPacket.dictofunHardwareVersion)"
            case .otherImage(let target): "the init packet of \(target.rawValue) belongs to another image"
            }
        }
    }

    /// The bounds of an archive: the memory of the device's processor is half of them.
    private static let limits = ArchiveLimits(fileBytes: 1 << 20, totalBytes: 4 << 20, entries: 64)

    /// The images in the order in which they are installed; the device starts again after each.
    package let images: [Image]

    /// The package in the bytes of a zip archive. Everything that can be checked without the bootloader is checked.
    package init(zip: [UInt8]) throws(Problem) {
        let entries: [ArchiveEntry]
        do throws(ArchiveError) {
            entries = try ZipReader.read(zip, limits: FirmwarePackage.limits)
        } catch {
            throw .archive(error)
        }
        try self.init(entries: entries)
    }

    /// The package in the files of an archive.
    package init(entries: [ArchiveEntry]) throws(Problem) {
        let files = Dictionary(entries.map { ($0.path, $0.bytes) }) { first, _ in first }
        guard let text = files["manifest.json"] else { throw .noManifest }
        let manifest: JSONValue
        do throws(JSONReader.Problem) {
            manifest = try JSONReader.read(text, limits: .init(bytes: 64 << 10, depth: 8))
        } catch {
            throw .manifestInvalid(error)
        }
        var images: [Image] = []
        for target in Target.allCases {
            guard let named = manifest["manifest"]?[target.rawValue] else { continue }
            func file(_ member: String) throws(Problem) -> [UInt8] {
                let name = named[member]?.string ?? member
                guard let bytes = files[name] else { throw .fileMissing(name) }
                return bytes
            }
            let image = Image(target: target, initPacket: try file("dat_file"), firmware: try file("bin_file"))
            try image.check()
            images.append(image)
        }
        guard !images.isEmpty else { throw .noManifest }
        self.images = images
    }
}

extension FirmwarePackage.Image {
    fileprivate func check() throws(FirmwarePackage.Problem) {
        guard !firmware.isEmpty else { throw .imageEmpty(target) }
        let packet: InitPacket
        do throws(InitPacket.Malformed) { packet = try InitPacket(initPacket) } catch {
            throw .initPacketInvalid(target)
        }
        guard packet.isSigned else { throw .notSigned(target) }
        if let version = packet.hardwareVersion, version != InitPacket.dictofunHardwareVersion {
            throw .otherHardware(target, version: version)
        }
        if target == .application, let size = packet.applicationSize, size != firmware.count {
            throw .otherImage(target)
        }
        // Without libcrypto the bootloader alone compares the hashes.
        if let hash = packet.hash, let found = try? SHA256.hash(firmware), found != hash { throw .otherImage(target) }
    }
}
