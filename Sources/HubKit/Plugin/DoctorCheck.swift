package import Commands
import Storage

/// One question of `hub doctor`.
package struct DoctorCheck: Sendable {
    /// The result of a check.
    package enum Finding: Sendable {
        /// All is well; the text says what was seen.
        case fine(String)
        /// It works, but not as well as it could.
        case warning(String, remedy: String)
        /// Something is broken.
        case failure(String, remedy: String)
    }

    /// The name of the check, in a few words.
    package let title: String
    /// Looks and changes nothing.
    package let check: @Sendable (any PluginHost) async throws -> Finding
    /// Repairs what `check` found, where that is safe.
    package let fix: (@Sendable (any PluginHost) async throws -> Void)?

    /// Creates a check for the plugin `P`; `id` is unique within the plugin.
    package init<P: Plugin>(
        _ title: String, check: @escaping @Sendable (P) async throws -> Finding,
        fix: (@Sendable (P) async throws -> Void)? = nil
    ) {
        self.title = title
        self.check = { host in try await check(host.plugin(P.self)) }
        guard let fix else {
            self.fix = nil
            return
        }
        self.fix = { host in try await fix(host.plugin(P.self)) }
    }
}

extension DoctorCheck {
    /// Creates a check of rows that the plugin `P` derives from others, such as a search index. `problems` describes
    /// what is wrong, `rebuild` derives them again, and `fine` is the text if nothing is wrong.
    package init<P: Plugin>(
        derived title: String, fine: String, problems: @escaping @Sendable (P) async throws -> [String],
        rebuild: @escaping @Sendable (P) async throws -> Void
    ) {
        self.init(
            title,
            check: { (plugin: P) in
                do {
                    guard let first = try await problems(plugin).first else { return .fine(fine) }
                    return .failure(first, remedy: "hub doctor --fix rebuilds it")
                } catch let error as HubError where HubError.unwritableStore.contains(error.code) {
                    return .warning("not checked: \(error.message)", remedy: error.hint ?? "try again later")
                }
            }, fix: rebuild)
    }
}
