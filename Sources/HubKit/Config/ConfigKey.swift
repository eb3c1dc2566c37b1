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
