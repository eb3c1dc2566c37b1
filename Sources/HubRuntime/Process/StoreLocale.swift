import Commands
import Glibc

/// The language in which a store is sorted when no setting names one: that of the terminal in which it was first used.
///
/// It is stored next to the database, because cron jobs and services of the same user run without a language, and
/// sort keys for another language would have to be rebuilt with each change.
struct StoreLocale: Sendable {
    private let environment: ProcessEnvironment
    private let directory: String

    private let isKept: Bool

    /// Unless it `isKept` a language that was found is not written down.
    init(_ environment: ProcessEnvironment, data directory: String, isKept: Bool = true) {
        self.isKept = isKept
        self.environment = environment
        self.directory = directory
    }

    /// Returns the settings, with language and country filled in where they are not set.
    func completing(_ config: Config) -> Config {
        var config = config
        let locale = config[HubKeys.locale] ?? kept()
        config[HubKeys.locale] = locale
        if config[HubKeys.region] == nil { config[HubKeys.region] = locale.flatMap(Self.region) }
        return config
    }

    /// The language that was kept, else that of the environment, which is kept from now on.
    private func kept() -> String? {
        let path = directory + "/locale"
        if let bytes = try? BoundedFile.read(path, limit: 100) {
            return String(decoding: bytes, as: UTF8.self)
        }
        guard isKept, let locale = spoken, access(directory, W_OK) == 0, let file = try? AtomicFile(path: path) else {
            return spoken
        }
        guard (try? file.write(Array(locale.utf8))) != nil, (try? file.commit()) != nil else {
            file.discard()
            return locale
        }
        return locale
    }

    /// The language of the environment: `pl_PL` of `pl_PL.UTF-8`; nil for C and POSIX, which are none.
    private var spoken: String? {
        let value = ["LC_ALL", "LC_COLLATE", "LANG"].lazy.compactMap { environment[$0] }.first
        guard let name = value?.split(separator: ".").first?.split(separator: "@").first.map(String.init) else {
            return nil
        }
        return name == "C" || name == "POSIX" ? nil : name
    }

    /// The country in a locale: `PL` of `pl_PL`.
    private static func region(_ locale: String) -> String? {
        let parts = locale.split(whereSeparator: { $0 == "_" || $0 == "-" })
        return parts.count > 1 && parts[1].count == 2 ? parts[1].uppercased() : nil
    }
}
