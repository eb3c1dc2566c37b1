package import DictofunDomain
import System

extension DictofunPlugin {
    /// Plays a record from `start` on, at `speed` times its speed, to its end or until the task is cancelled.
    ///
    /// Throws `unavailable` when no player is installed.
    package func play(_ record: StoredRecord, from start: Duration = .zero, speed: Double = 1) async throws {
        guard let player = Player(programs) else {
            throw HubError(
                .unavailable, code: "no-player", "no sound player is installed",
                hint: "apt install pipewire-bin, pulseaudio-utils or alsa-utils")
        }
        try await sounds.withTemporaryFile("wav") { path in
            try await writeSound(of: record, to: path, as: .wav, from: start, speed: speed)
            try await player.play(path)
        }
    }
}
