/// A ``ConfigKey`` without its type: what the schema, the help and the docs are made of.
package struct AnyConfigKey: Sendable {
    /// Whose setting it is.
    package enum Scope: Hashable, Sendable {
        /// The plugin's that declares it; its path is below `plugins.<id>`.
        case plugin
        /// All of hub's; its path begins at the root.
        case hub
    }

    /// Whose setting it is.
    package let scope: Scope
    /// The path, relative to its scope.
    package let path: ConfigPath
    /// The expected values: `a duration such as "15min"`.
    package let expectation: String
    /// The way text becomes a value.
    package let shape: ConfigShape
    /// All words that can be written, when that is a short list.
    package let choices: [String]
    /// The default as it is written in the file, nil when there is none.
    package let defaultValue: ConfigValue?
    /// The default in words: `from LANG`.
    package let defaultText: String?
    /// The help text, in a few lower-case words.
    package let help: String
    /// A value as it is written in TOML; nil when the default serves as one.
    package let example: String?
    /// Whether its value is never shown.
    package let isSecret: Bool
    /// Whether an environment variable can set it.
    package let isInEnvironment: Bool
    /// Reads a value to what `Config` holds for the key.
    package let read: @Sendable (ConfigValue, _ home: String) throws(ConfigMismatch) -> any Sendable

    init<Value: Sendable>(
        _ path: String, _ type: ConfigType<Value>, defaultValue: ConfigValue?, defaultText: String?, help: String,
        example: String?, isSecret: Bool, fromEnvironment: Bool, scope: Scope
    ) {
        let parts = path.split(separator: ".").map(String.init)
        self.scope = scope
        self.path = ConfigPath(parts)
        self.expectation = type.expectation
        self.shape = type.shape
        self.choices = type.choices
        self.defaultValue = defaultValue
        self.defaultText = defaultText
        self.help = help
        self.example = example
        self.isSecret = isSecret
        isInEnvironment = fromEnvironment && !parts.contains(ConfigPath.anyName)
        read = { (value, home) throws(ConfigMismatch) in try type.read(value, home) }
    }
}
