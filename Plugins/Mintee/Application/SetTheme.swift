package import MinteeDomain
package import Storage

extension MinteePlugin {
    /// Returns the theme of the page; System Default if none was set.
    package func theme() async throws -> Theme { Theme(stored: try await store.read { try $0.setting("theme") }) }

    /// Sets the theme named `name`, in any case. Throws `invalid` (I-10) if there is none.
    package func setTheme(_ name: String, operation: Operation) async throws -> Theme {
        guard let theme = Theme.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
            throw HubError.breaking(
                "I-10", name, "is not a theme", hint: "choose \(Theme.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        try await store.write(operation) { transaction in
            try transaction.setSetting("theme", to: theme.rawValue)
            transaction.afterCommit(MinteeEvents.themeChanged)
        }
        return theme
    }
}
