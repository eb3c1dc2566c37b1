import HubKit

/// Tells of birthdays that are near: at the start, and whenever a new day may have begun.
struct BirthdayReminder: Service {
    let remind: RemindOfBirthdays
    let clock: any Clock

    /// A day begins at most this long before it is noticed, also after the machine slept.
    private static let interval = Duration.seconds(15 * 60)

    func run() async throws {
        while true {
            try await remind(on: clock.today)
            try await clock.sleep(for: Self.interval)
        }
    }
}
