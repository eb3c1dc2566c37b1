/// An engine as lists show it.
package struct EngineStatus: Sendable {
    /// The word by which it is chosen.
    package let name: String
    /// Its name with the model.
    package let label: String
    /// Whether it can be used as it is.
    package let isReady: Bool
    /// Whether it is the one that is used unless another is asked for.
    package let isDefault: Bool
    /// What it is, or what it lacks.
    package let detail: String

    package init(name: String, label: String, isReady: Bool, isDefault: Bool, detail: String) {
        self.name = name
        self.label = label
        self.isReady = isReady
        self.isDefault = isDefault
        self.detail = detail
    }
}
