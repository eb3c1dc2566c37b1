import Commands
package import DictofunDomain
import Storage

extension DictofunPlugin {
    /// Returns the releases of firmware, the newest first. Throws `config` if no list of them is set, and `unavailable` if it cannot
    /// be read.
    package func firmwareReleases() async throws -> [FirmwareRelease] {
        guard let url = config[DictofunKeys.firmwareReleases] else {
            throw HubError(
                .config, code: "firmware-releases-unset", "no list of firmware releases is set",
                hint: "hub config set plugins.dictofun.firmware.releases URL")
        }
        if isOffline {
            throw HubError(
                .unavailable, code: "offline", "the list of firmware releases needs the network",
                hint: "run it without --offline")
        }
        return try await FirmwareReleaseList(url: url).read()
    }

    /// Returns the paired recorders, each compared with all versions.
    package func compareFirmware(
        with versions: [FirmwareVersion]
    ) async throws -> [(device: Device, check: FirmwareCheck)] {
        try await devices().map(\.device).filter(\.isPaired).map { device in
            (device, FirmwareCheck(installed: device.firmware, releases: versions))
        }
    }

    /// Publishes once for each paired recorder that a release is newer than its firmware. Nothing is asked for unless a list is
    /// set and the firmware of a recorder is known.
    package func announceFirmware() async throws {
        guard config[DictofunKeys.firmwareReleases] != nil, !isOffline,
            try await devices().contains(where: { $0.device.isPaired && $0.device.firmware != nil })
        else { return }
        let versions = try await firmwareReleases().offeredVersions
        let newer = try await compareFirmware(with: versions).compactMap { device, check in
            if case .updateAvailable(_, let newest) = check { (device, newest) } else { nil }
        }
        guard !newer.isEmpty else { return }
        try await store.write(Operation("dictofun firmware", who: .service("firmware"), kind: .cache)) { transaction in
            for (device, version) in newer {
                try transaction.emit(FirmwareReleased.make(version, for: device))
            }
        }
    }
}

extension [FirmwareRelease] {
    /// The versions that are offered to everybody and have a file.
    package var offeredVersions: [FirmwareVersion] { filter { !$0.isPrerelease && $0.file != nil }.map(\.version) }
}
