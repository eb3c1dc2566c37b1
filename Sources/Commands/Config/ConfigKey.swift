/// A setting: declared once, it is both the row in the schema and the key to its value in a ``Config``.
///
///     static let every = ConfigKey("accounts.*.every", .duration, default: .seconds(900), help: "how often to sync")
///     …
///     config[every, "posteo"]
package struct ConfigKey<Value: Sendable>: ConfigDeclaration {
    /// The declaration without the type of its value.
    package let erased: AnyConfigKey
    /// The value when it is not set.
    package let defaultValue: Value

    /// A setting that always has a value.
    ///
    /// Creates a key; `path` is relative to `plugins.<id>` for a plugin's key, and `*` in it means a name chosen by
    /// the user. `help` describes it in a few lower-case words. A key with a wildcard has no environment variable.
    package init(
        _ path: String, _ type: ConfigType<Value>, default defaultValue: Value, help: String, example: String? = nil,
        isSecret: Bool = false, fromEnvironment: Bool = true, scope: AnyConfigKey.Scope = .plugin
    ) {
        self.defaultValue = defaultValue
        erased = AnyConfigKey(
            path, type, defaultValue: type.write(defaultValue), defaultText: nil, help: help, example: example,
            isSecret: isSecret, fromEnvironment: fromEnvironment, scope: scope)
    }

    /// Creates a setting that is nil when it is not set; `otherwise` describes the default, such as `from LANG`.
    package init<Wrapped: Sendable>(
        _ path: String, _ type: ConfigType<Wrapped>, otherwise: String? = nil, help: String, example: String,
        isSecret: Bool = false, fromEnvironment: Bool = true, scope: AnyConfigKey.Scope = .plugin
    ) where Value == Wrapped? {
        defaultValue = nil
        erased = AnyConfigKey(
            path, type, defaultValue: nil, defaultText: otherwise, help: help, example: example, isSecret: isSecret,
            fromEnvironment: fromEnvironment, scope: scope)
    }
}

/// Anything that declares a setting; it lets a descriptor list keys of different types.
package protocol ConfigDeclaration: Sendable {
    /// The key without its type.
    var erased: AnyConfigKey { get }
}

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
    /// Whether its readers read it again each time, so that a change takes effect at once, also in `hub serve`.
    package private(set) var isLive = false
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

    /// The same key, which its readers read again each time.
    fileprivate var live: AnyConfigKey {
        var key = self
        key.isLive = true
        return key
    }
}

/// A declaration of a setting that its readers read again each time.
package struct LiveKey: ConfigDeclaration {
    /// The key without its type.
    package let erased: AnyConfigKey

    /// Declares `key` as read again each time.
    package init(_ key: any ConfigDeclaration) { erased = key.erased.live }
}
