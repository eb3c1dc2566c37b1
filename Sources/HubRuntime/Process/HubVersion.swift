/// The version of this hub.
enum HubVersion {
    /// The number (semantic versioning).
    static let number = "0.1.0"
}
