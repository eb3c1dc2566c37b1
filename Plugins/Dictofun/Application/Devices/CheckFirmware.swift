package import DictofunDomain
package import System

extension DictofunPlugin {
    /// The maximum size of a firmware file: that of all the images that a package can hold.
    private static let firmwareLimit = 4 << 20

    /// Returns the firmware in the zip archive at `path`. All that its bootloader checks is checked, save the signature. Throws
    /// `invalid` with the reason when a recorder would refuse it.
    package func firmware(at path: String) async throws(HubError) -> FirmwarePackage {
        let bytes = try await ChunkedFileReader.contents(of: path, limit: Self.firmwareLimit)
        do throws(FirmwarePackage.Problem) {
            return try FirmwarePackage(zip: bytes)
        } catch {
            if error.isLibraryMissing {
                throw HubError(
                    .unavailable, code: "zip-unavailable", "zip archives cannot be read", details: [error.reason],
                    hint: "apt install libarchive13")
            }
            throw HubError(
                .invalid, code: "firmware-invalid",
                "\(TerminalSanitizer.line(path)) is not firmware for a Dictofun recorder",
                details: [TerminalSanitizer.line(error.reason)],
                hint: "use the zip file that nrfutil pkg generate made for this recorder")
        }
    }

    /// Returns the paired recorders, each compared with the application in `package`; empty if it holds none with a version.
    package func compareFirmware(
        _ package: FirmwarePackage
    ) async throws -> [(device: Device, check: FirmwareCheck)] {
        guard let application = package.images.first(where: { $0.target == .application }),
            let version = application.version
        else { return [] }
        return try await compareFirmware(with: [version])
    }
}
