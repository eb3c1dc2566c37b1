package import DictofunDomain
package import System

/// How far an update of firmware is.
package enum FirmwareProgress: Hashable, Sendable {
    /// The recorder or its bootloader is looked for.
    case listening
    /// The recorder was asked to start its bootloader.
    case entering
    /// An image is sent: the bytes that the bootloader has accepted, and those of all of it.
    case installing(FirmwarePackage.Target, accepted: Int, total: Int)
}

extension DictofunPlugin {
    /// The most links that may end early during an update.
    private static let maximumFirmwareRetries = 5

    /// Installs the images of `package` on a paired recorder; what an earlier update has sent is not sent again.
    ///
    /// The recorder is asked to start its bootloader, unless that runs already. A link that ends early is made again. Throws
    /// `unavailable` when neither is heard, the battery is low or links end repeatedly, and `conflict` with the reason when the
    /// bootloader refuses the firmware.
    package func updateFirmware(
        _ package: FirmwarePackage, of device: Device, scanTime: Duration = .seconds(30), operation: Operation,
        waiting: @escaping @Sendable (String?) -> Void = { _ in },
        report: @escaping @Sendable (FirmwareProgress) -> Void = { _ in }
    ) async throws {
        let lock = try await acquireBluetooth(operation, waiting)
        defer { withExtendedLifetime(lock) {} }
        var images = package.images[...]
        var retries = 0
        while let image = images.first {
            report(.listening)
            let result = try await firmwareLink(image, of: device, scanTime: scanTime, report: report)
            if case .failed(.cancelled)? = result.outcome { throw CancellationError() }
            try Task.checkCancellation()
            switch result.outcome {
            case .done? where result.link?.isBootloader == true: images.removeFirst()
            // The bootloader is next. One that does not stay until it is heard would be asked for again and again.
            case .done?: retries += 1
            case .failed(let failure)? where failure.isOfLink: retries += 1
            case .failed(let failure)?: throw failure.hubError(device.name)
            case nil where result.link != nil:
                throw HubError(
                    .unavailable, code: "battery-low", "the battery of \(device.name) is low", hint: "charge it")
            case nil where retries > 0: throw DFUEngine.Failure.disconnected.hubError(device.name)
            case nil where result.connection == .failed(.unsupported):
                throw HubError(
                    .unavailable, code: "update-unsupported", "\(device.name) does not accept firmware over Bluetooth",
                    details: ["the Bluetooth service may remember an older firmware"],
                    hint: "hub dictofun unpair NAME, then pair it again")
            case nil: throw failure(RecorderRun(connection: result.connection), device: device)
            }
            if retries > Self.maximumFirmwareRetries { throw DFUEngine.Failure.disconnected.hubError(device.name) }
        }
        if let version = package.images.first(where: { $0.target == .application })?.version {
            try await change(device, firmware: version, operation: operation)
        }
    }

    private func firmwareLink(
        _ image: FirmwarePackage.Image, of device: Device, scanTime: Duration,
        report: @escaping @Sendable (FirmwareProgress) -> Void
    ) async throws -> FirmwareSession.Result {
        let timeout = max(DFUEngine.timeout, bluetooth.patience)
        let client = try await openBlueZ()
        let session = FirmwareSession(
            client, .update(address: device.address), scanTime: scanTime, clock: clock, timeout: timeout
        ) { link, battery in
            if link.isBootloader {
                return DFUEngine(image: image, packetSize: link.packetSize, timeout: timeout)
            }
            // With a battery that ends during the update the recorder would stay in its bootloader.
            if battery?.isLow == true { return nil }
            return BootloaderEntry(timeout: timeout)
        } report: { procedure in
            let (accepted, total) = procedure.progress
            report(total > 0 ? .installing(image.target, accepted: accepted, total: total) : .entering)
        }
        let result = await session.run()
        await client.close()
        return result
    }
}

extension DFUEngine.Failure {
    /// Whether another link may help: what was sent is kept by the bootloader.
    fileprivate var isOfLink: Bool {
        switch self {
        case .timeout, .link, .disconnected: true
        case .refused, .entryRefused, .checksumMismatch, .initPacketTooLarge, .malformed, .cancelled: false
        }
    }

    /// The error for the user, about the recorder `name`.
    fileprivate func hubError(_ name: String) -> HubError {
        switch self {
        case .refused(let refusal):
            HubError(
                .conflict, code: "firmware-refused", "\(name) refused the firmware: \(refusal.reason)",
                hint: "it keeps its own; it restarts by itself within minutes, or when you press its button")
        case .entryRefused:
            HubError(
                .unavailable, code: "bootloader-refused", "\(name) does not start its bootloader",
                hint: "wait until it switches itself off, switch it on and try again")
        case .checksumMismatch:
            HubError(
                .unavailable, code: "firmware-damaged", "the firmware arrived damaged at \(name), several times",
                hint: "keep it near and run the command again")
        case .initPacketTooLarge(let limit):
            HubError(
                .conflict, code: "firmware-refused",
                "\(name) accepts init packets of at most \(limit) bytes", hint: "use firmware made for this recorder")
        case .malformed:
            HubError(
                .unavailable, code: "bootloader-unknown", "the bootloader of \(name) sent an unexpected response",
                hint: "install the firmware with nRF Connect on a phone")
        case .timeout, .link, .disconnected, .cancelled:
            HubError(
                .unavailable, code: "firmware-interrupted", "the update of \(name) was interrupted",
                details: ["its bootloader keeps what it has received"],
                hint: "keep it near and run the command again: it continues")
        }
    }
}
