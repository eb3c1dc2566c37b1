import HubKit

/// Reminds of upcoming birthdays: at start, and after each change of the day.
struct BirthdayReminder: Service {
    let remind: RemindOfBirthdays
    let clock: any Clock

    /// The maximum delay until a new day is noticed, also after the machine slept.
    private static let interval = Duration.seconds(15 * 60)

    func run() async throws {
        while true {
            try await remind(on: clock.today)
            try await clock.sleep(for: Self.interval)
        }
    }
}
